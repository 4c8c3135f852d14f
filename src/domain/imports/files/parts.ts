import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import {
  type CustomerImport,
  IMPORT_COLUMNS,
  type ImportRow,
  type ImportState,
  importFromRow,
} from './customer-import.ts';
import { expectRoom, missingPart } from './file-limits.ts';
import { OPEN_INTERVAL } from './open-import.ts';

/**
 * Stores a part of the file, or replaces it. Undefined if the store has no such import. Throws `validation_error` if it is
 * started, or for more than there is room for.
 */
export async function putPart(
  db: Sql,
  storeId: string,
  id: string,
  number: number,
  text: string,
): Promise<CustomerImport | undefined> {
  const content = Buffer.from(text);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const found = await lockImport(tx, storeId, id);
      if (!found) return undefined;
      expectOpen(found.state);
      const { rows } = await sql<{ other: number; ofStore: number }>`
        select
          (
            select coalesce(sum(bytes), 0)::float8 from customer_import_part
            where store_id = ${storeId} and import_id = ${id} and number <> ${number}
          ) as other,
          (
            select coalesce(sum(bytes - bytes_done), 0)::float8 from customer_import
            where store_id = ${storeId} and ended_at is null and id <> ${id}
          ) as "ofStore"`.execute(tx);
      const [{ other, ofStore }] = rows as [{ other: number; ofStore: number }];
      const bytes = other + content.length;
      expectRoom(bytes, ofStore, 'The files that are not imported yet are');
      await sql`
        insert into customer_import_part (store_id, import_id, number, bytes, content)
        values (${storeId}, ${id}, ${number}, ${content.length}, ${content})
        on conflict (store_id, import_id, number) do update
        set bytes = excluded.bytes, content = excluded.content`.execute(tx);
      const updated = await sql<ImportRow>`
        update customer_import set
          bytes = ${bytes},
          parts = (
            select count(*) from (
              select number, row_number() over (order by number) as n
              from customer_import_part where store_id = ${storeId} and import_id = ${id}
            ) as numbered
            where number = n
          ),
          expires_at = now() + ${OPEN_INTERVAL}
        where store_id = ${storeId} and id = ${id}
        returning ${IMPORT_COLUMNS}`.execute(tx);
      return importFromRow(updated.rows[0] as ImportRow);
    }),
  );
}

/** Locks an import; undefined if the store has none of that id. */
export async function lockImport(tx: Sql, storeId: string, id: string): Promise<CustomerImport | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${IMPORT_COLUMNS} from customer_import where store_id = ${storeId} and id = ${id} for update`.execute(tx);
  return rows[0] && importFromRow(rows[0]);
}

/** Throws `validation_error` if an import is no longer open. */
export function expectOpen(state: ImportState): void {
  if (state === 'open') return;
  const what = state === 'cancelled' ? 'cancelled' : 'started already';
  throw new ServiceError('validation_error', `The import was ${what}`);
}

/** Returns the beginning of a file. Throws `validation_error` if its first part is not there. */
export async function readBeginning(
  tx: Sql,
  storeId: string,
  { id, parts }: CustomerImport,
  bytes: number,
): Promise<Buffer> {
  if (parts === 0) throw missingPart(1);
  const from = { part: 1, offset: 0 };
  return Buffer.concat(await readParts(tx, storeId, id, from, parts, bytes)).subarray(0, bytes);
}

/** A place in a file: a part, and the bytes before it there. */
export interface Place {
  part: number;
  offset: number;
}

/** Returns the parts of a file from a place to a part, as many as have some bytes: the first from there, the others whole. */
export async function readParts(
  tx: Sql,
  storeId: string,
  id: string,
  from: Place,
  last: number,
  bytes: number,
): Promise<Buffer[]> {
  // What is behind is only measured.
  const { rows } = await sql<{ content: Buffer }>`
    select case number when ${from.part}::int then substring(content from ${from.offset + 1}::int) else content end as content
    from (
      select number, content, sum(bytes) over (order by number) - bytes as before
      from customer_import_part
      where store_id = ${storeId} and import_id = ${id} and number between ${from.part} and ${last}
    ) as measured
    where before < ${from.offset + bytes}
    order by number`.execute(tx);
  return rows.map(({ content }) => content);
}
