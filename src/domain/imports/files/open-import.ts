import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { expectSame } from '../../kept-answers.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { checkMapping, type Delimiter, type ImportColumn } from './columns.ts';
import {
  type CustomerImport,
  IMPORT_COLUMNS,
  type ImportedConsent,
  type ImportRow,
  importFromRow,
} from './customer-import.ts';

export interface ImportInput {
  name: string | null;
  idempotencyKey: string | null;
  /** Of all that is asked for. */
  digest: Buffer;
  delimiter: Delimiter | null;
  mapping: ImportColumn[] | null;
  consent: ImportedConsent | null;
  listIds: readonly string[];
  isHistorical: boolean;
}

/** Imports of a store that were not started. */
const MAX_OPEN = 100;
/** For how long an import that is not started is kept since its last part. */
export const OPEN_INTERVAL = sql`interval '1 day'`;

/**
 * Opens an import, or returns the one that was opened with its idempotency key, as it is now. One too many takes the place
 * of the oldest without a part. Throws `validation_error` for a mapping that is none, a list that there is not, a key that
 * has opened another import, and if the store has too many with parts.
 */
export async function openImport(
  db: Sql,
  storeId: string,
  input: ImportInput,
): Promise<{ opened: CustomerImport; isReplay: boolean }> {
  const { name, idempotencyKey, digest, delimiter, mapping, consent, listIds, isHistorical } = input;
  if (mapping) checkMapping(mapping);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const known = idempotencyKey === null ? undefined : await findByKey(tx, storeId, idempotencyKey, digest);
      if (known) return { opened: known, isReplay: true };
      await expectLists(tx, storeId, listIds);
      await makeRoom(tx, storeId);
      // Several at the same time may be one too many, which does no harm.
      const { rows } = await sql<ImportRow>`
        insert into customer_import
          (store_id, id, name, idempotency_key, digest, state, delimiter, mapping, consent, list_ids, is_historical, created_at,
            expires_at)
        select ${storeId}, ${newId()}, ${name}, ${idempotencyKey}, ${digest}, 'open', ${delimiter},
          ${mapping && JSON.stringify(mapping)}::json, ${consent && JSON.stringify(consent)}::json,
          ${uuids(listIds)}::uuid[], ${isHistorical}::boolean, now(), now() + ${OPEN_INTERVAL}
        where (
          select count(*) from customer_import where store_id = ${storeId} and ended_at is null and state = 'open'
        ) < ${MAX_OPEN}
        returning ${IMPORT_COLUMNS}`.execute(tx);
      if (rows[0]) return { opened: importFromRow(rows[0]), isReplay: false };
      throw new ServiceError(
        'validation_error',
        `The store has ${MAX_OPEN} imports to start; start or cancel one first`,
      );
    }),
  );
}

async function findByKey(tx: Sql, storeId: string, key: string, digest: Buffer): Promise<CustomerImport | undefined> {
  const { rows } = await sql<ImportRow & { digest: Buffer | null }>`
    select ${IMPORT_COLUMNS}, digest from customer_import
    where store_id = ${storeId} and idempotency_key = ${key}`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { digest: first, ...known } = row;
  if (first) expectSame(first, digest);
  return importFromRow(known);
}

/** Deletes the oldest imports without parts that one more would be too many for. */
async function makeRoom(tx: Sql, storeId: string): Promise<void> {
  await sql`
    delete from customer_import
    where store_id = ${storeId} and ended_at is null and state = 'open' and bytes = 0 and id in (
      select id from customer_import
      where store_id = ${storeId} and ended_at is null and state = 'open' and bytes = 0
      order by id
      limit greatest(0, (
        select count(*) from customer_import where store_id = ${storeId} and ended_at is null and state = 'open'
      ) - ${MAX_OPEN - 1})
    )`.execute(tx);
}

/** Throws `validation_error` for the first of the lists that the store has not. */
export async function expectLists(tx: Sql, storeId: string, listIds: readonly string[]): Promise<void> {
  if (listIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from list where store_id = ${storeId} and id = any(${uuids(listIds)}::uuid[])`.execute(tx);
  const found = new Set(rows.map(({ id }) => id));
  const missing = listIds.findIndex((id) => !found.has(id));
  if (missing >= 0) throw invalid({ path: ['list_ids', missing], problem: 'is not the id of a list' });
}
