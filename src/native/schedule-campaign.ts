import type { Operations } from '../../generated/native/operations.gen.ts';
import { scheduleCampaign as schedule } from '../domain/campaigns/schedule.ts';
import { parseTime } from '../domain/event-time.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCampaign } from './representations/campaign.ts';

export function scheduleCampaign(writing: WithConnection): Handler<Operations, 'scheduleCampaign'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const { revision, at } = body;
    const asked = { id: campaignId(path.id), revision, at: typeof at === 'string' ? parseTime(at) : undefined };
    const campaign = await writing(storeId, async (db, shared) => {
      const { timeZone: storeZone } = await readStoreSettings(shared, storeId);
      return await schedule(db, storeId, { ...asked, storeZone });
    });
    return { status: 200, body: renderCampaign(existingCampaign(campaign)), isRepeatable: true };
  };
}
