import type { Operations } from '../../generated/native/operations.gen.ts';
import { type CheckTools, checkCampaign as check } from '../domain/campaigns/check.ts';
import type { PreviewSlots } from '../domain/segments/preview-slots.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCheck } from './representations/campaign.ts';

export function checkCampaign(
  writing: WithConnection,
  tools: Omit<CheckTools, 'apart'>,
  slots: PreviewSlots,
): Handler<Operations, 'checkCampaign'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const id = campaignId(request.path.id);
    const apart: CheckTools['apart'] = (work) => deadline.except(work);
    const checked = await slots.use(storeId, () => check(writing, storeId, id, { ...tools, apart }));
    return { status: 200, body: renderCheck(existingCampaign(checked)) };
  };
}
