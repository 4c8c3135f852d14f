import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listTemplates as list } from '../domain/templates/find-templates.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderTemplateSummary } from './representations/template.ts';

export function listTemplates(stores: StoreData): Handler<Operations, 'listTemplates'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { status, use } = query;
    const { items, next } = await list(stores.of(storeId), storeId, { status, use }, toPageRequest(query));
    return { status: 200, body: { templates: items.map(renderTemplateSummary), next_cursor: next } };
  };
}
