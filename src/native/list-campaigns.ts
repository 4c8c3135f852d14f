import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listCampaigns as list } from '../domain/campaigns/find-campaigns.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderCampaign } from './representations/campaign.ts';

export function listCampaigns(stores: StoreData): Handler<Operations, 'listCampaigns'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const filter = { status: query.status };
    const { items, next } = await list(stores.of(storeId), storeId, filter, toPageRequest(query));
    return { status: 200, body: { campaigns: items.map(renderCampaign), next_cursor: next } };
  };
}
