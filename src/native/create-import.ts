import type { Operations } from '../../generated/native/operations.gen.ts';
import { openImport } from '../domain/customer-imports/open-import.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderImport, toImportedConsent } from './representations/import.ts';

export function createImport(writing: WithConnection): Handler<Operations, 'createImport'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const input = {
      name: body.name ?? null,
      idempotencyKey: body.idempotency_key ?? null,
      delimiter: body.delimiter ?? null,
      mapping: body.mapping ?? null,
      consent: body.consent ? toImportedConsent(body.consent) : null,
      listIds: [...new Set((body.list_ids ?? []).map((id) => id.toLowerCase()))],
      isHistorical: body.backfill ?? false,
    };
    const opened = await writing(storeId, (db) => openImport(db, storeId, input));
    return { status: 201, body: renderImport(opened) };
  };
}
