import type { Operations } from '../../generated/native/operations.gen.ts';
import { resolveCampaign as resolve } from '../domain/campaigns/resolve.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';

export function resolveCampaign(writing: WithConnection): Handler<Operations, 'resolveCampaign'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const id = campaignId(path.id);
    const decided = await writing(storeId, (db) => resolve(db, storeId, id, body.unknown));
    const { resolved, isMore } = existingCampaign(decided);
    return { status: 200, body: { resolved_count: resolved, is_more: isMore } };
  };
}
