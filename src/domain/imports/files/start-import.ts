import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import type { Caller } from '../../caller.ts';
import { invalid } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { checkMapping, HEADER_BYTES, type ImportColumn, planColumns, readHeader } from './columns.ts';
import { type CustomerImport, IMPORT_COLUMNS, type ImportRow, importFromRow, type Plan } from './customer-import.ts';
import { missingPart } from './file-limits.ts';
import { expectLists } from './open-import.ts';
import { expectOpen, lockImport, readBeginning } from './parts.ts';

/** For how long the job of an import is kept since it last made progress, and an import that has ended. */
export const KEPT_INTERVAL = sql`interval '7 days'`;
/** Bytes of a row that is not read yet, for a first estimate of their number. */
export const BYTES_PER_ROW = 100;

/**
 * Queues an import; `given` takes the place of its mapping. One that was started stays as it is. Undefined if the store
 * has no such import. Throws `validation_error` if it was cancelled, or for a mapping or a file that can't be.
 */
export async function startImport(
  db: Sql,
  caller: Caller,
  id: string,
  given: ImportColumn[] | undefined,
): Promise<CustomerImport | undefined> {
  const { storeId } = caller;
  if (given) checkMapping(given);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const found = await lockImport(tx, storeId, id);
      if (!found) return undefined;
      if (found.startedAt && found.state !== 'cancelled') return found;
      expectOpen(found.state);
      const mapping = given ?? found.mapping;
      if (!mapping) throw invalid({ path: ['mapping'], problem: 'is required: nothing says yet what the columns are' });
      await expectLists(tx, storeId, found.listIds);
      return await queueImport(tx, caller, found, mapping);
    }),
  );
}

async function queueImport(
  tx: Sql,
  { storeId, country, origin }: Caller,
  found: CustomerImport,
  mapping: ImportColumn[],
): Promise<CustomerImport> {
  const { id, parts, bytes, delimiter } = found;
  const { rows: beyond } = await sql`
    select from customer_import_part
    where store_id = ${storeId} and import_id = ${id} and number > ${parts} limit 1`.execute(tx);
  if (beyond.length > 0) throw missingPart(parts + 1);
  const header = readHeader(await readBeginning(tx, storeId, found, HEADER_BYTES), delimiter);
  const plan: Plan = { columns: planColumns(header, mapping), width: header.columns.length, country, origin };
  await sql`
    insert into import_job (store_id, id, kind, status, total, created_at, expires_at, touched_at)
    values (${storeId}, ${id}, 'customers', 'queued', ${Math.ceil(bytes / BYTES_PER_ROW)}, now(),
      now() + ${KEPT_INTERVAL}, now())`.execute(tx);
  // The rest of its first part may be empty: the place is where the first row would be.
  const { rows } = await sql<ImportRow>`
    update customer_import set
      state = 'queued', delimiter = ${header.delimiter}, mapping = ${JSON.stringify(mapping)}::json,
      plan = ${JSON.stringify(plan)}::json, bytes_done = ${header.end}, next_line = ${1 + header.lines},
      next_part = place.number, next_offset = ${header.end} - place.before, started_at = now(), expires_at = null
    from (
      select number, before from (
        select number, sum(bytes) over (order by number) - bytes as before
        from customer_import_part where store_id = ${storeId} and import_id = ${id}
      ) as measured
      where before < ${header.end}
      order by number desc limit 1
    ) as place
    where store_id = ${storeId} and id = ${id}
    returning ${IMPORT_COLUMNS}`.execute(tx);
  return importFromRow(rows[0] as ImportRow);
}
