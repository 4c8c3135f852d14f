import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { ServiceError } from '../domain/service-error.ts';
import { findVersion } from '../domain/templates/versions.ts';
import type { Handler } from '../http/handler.ts';
import { renderVersion, templateId } from './representations/template.ts';

export function getTemplateVersion(stores: StoreData): Handler<Operations, 'getTemplateVersion'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const number = /^[1-9]\d{0,9}$/.test(path.number) ? Number(path.number) : Number.NaN;
    const version = await findVersion(stores.of(storeId), storeId, templateId(path.id), number);
    if (!version) throw new ServiceError('not_found', 'There is no such version');
    return { status: 200, body: renderVersion(version) };
  };
}
