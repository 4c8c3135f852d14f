import type { Operations } from '../../generated/native/operations.gen.ts';
import { openImport } from '../domain/imports/files/open-import.ts';
import { digestOf } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { REPLAYED } from './once.ts';
import { renderImport, toImportedConsent } from './representations/import.ts';

export function createImport(writing: WithConnection): Handler<Operations, 'createImport'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    // The same file may have been renamed.
    const { name = null, idempotency_key: idempotencyKey = null, ...asked } = body;
    const input = {
      name,
      idempotencyKey,
      digest: digestOf(asked),
      delimiter: body.delimiter ?? null,
      mapping: body.mapping ?? null,
      consent: body.consent ? toImportedConsent(body.consent) : null,
      listIds: [...new Set((body.list_ids ?? []).map((id) => id.toLowerCase()))],
      isHistorical: body.backfill ?? false,
    };
    const { opened, isReplay } = await writing(storeId, (db) => openImport(db, storeId, input));
    return { status: 201, body: renderImport(opened), headers: isReplay ? REPLAYED : {} };
  };
}
