import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findCampaign } from '../domain/campaigns/find-campaigns.ts';
import { listMessages } from '../domain/messages/read.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { toPageRequest } from './query.ts';
import { renderMessage } from './representations/message.ts';

export function listCampaignMessages(stores: StoreData): Handler<Operations, 'listCampaignMessages'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const db = stores.of(storeId);
    const page = toPageRequest(query);
    const { id, startedAt } = existingCampaign(await findCampaign(db, storeId, campaignId(path.id)));
    // Before that it has none.
    const campaign = { id, startedAt: startedAt ?? new Date(0) };
    const { status, reason } = query;
    const { items, next } = await listMessages(db, storeId, { campaign, status, reason }, page);
    return { status: 200, body: { messages: items.map(renderMessage), next_cursor: next } };
  };
}
