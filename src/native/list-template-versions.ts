import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listVersions } from '../domain/templates/versions.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { existingTemplate, renderVersionSummary, templateId } from './representations/template.ts';

export function listTemplateVersions(stores: StoreData): Handler<Operations, 'listTemplateVersions'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const id = templateId(path.id);
    const found = await listVersions(stores.of(storeId), storeId, id, toPageRequest(query));
    const { items, next } = existingTemplate(found);
    return { status: 200, body: { versions: items.map(renderVersionSummary), next_cursor: next } };
  };
}
