import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findVersion } from '../domain/automations/versions.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { automationId } from './get-automation.ts';
import { renderVersion } from './representations/automation.ts';

export function getAutomationVersion(stores: StoreData): Handler<Operations, 'getAutomationVersion'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const number = /^[1-9]\d{0,9}$/.test(path.number) ? Number(path.number) : Number.NaN;
    const version = await findVersion(stores.of(storeId), storeId, automationId(path.id), number);
    if (!version) throw new ServiceError('not_found', 'There is no such version');
    return { status: 200, body: renderVersion(version) };
  };
}
