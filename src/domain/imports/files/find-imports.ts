import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import {
  idCursor,
  numberCursor,
  type Page,
  type PageRequest,
  readBefore,
  readNumberCursor,
  toPage,
} from '../../reading/cursor.ts';
import { type CustomerImport, IMPORT_COLUMNS, type ImportRow, importFromRow } from './customer-import.ts';

/** Bytes of mappings on a page: one may have 400 columns. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** Undefined if the store has no such import. */
export async function findImport(db: Sql, storeId: string, id: string): Promise<CustomerImport | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${IMPORT_COLUMNS} from customer_import where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && importFromRow(rows[0]);
}

/** Returns the imports of the store, newest first. */
export async function listImports(db: Sql, storeId: string, page: PageRequest): Promise<Page<CustomerImport>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<ImportRow & { candidates: number }>`
    select * from (
      select ${IMPORT_COLUMNS}, count(*) over ()::int as candidates,
        sum(coalesce(octet_length(mapping::text), 0)) over (order by id desc) as size
      from (
        select * from customer_import
        where store_id = ${storeId} and id < ${before}
        order by id desc
        limit ${page.limit + 1}
      ) as newest
    ) as measured
    where size < ${MAX_PAGE_BYTES}
    order by id desc`.execute(db);
  return toPage(rows, page.limit, importFromRow, idCursor);
}

/** A row of a file that could not be written. */
export interface RowError {
  /** On which it begins, from 1. */
  line: number;
  code: 'validation_error' | 'internal_error';
  /** Null if it is the row as a whole. */
  column: string | null;
  /** The beginning of what the file has there. */
  value: string | null;
  /** As in `Violation`. */
  problem: string;
}

interface ErrorRow {
  position: number;
  code: string;
  column: string | null;
  value: string | null;
  problem: string;
  candidates?: never;
}

/** Returns the errors of an import by line; undefined if the store has no such import. */
export async function listRowErrors(
  db: Sql,
  storeId: string,
  id: string,
  page: PageRequest,
): Promise<Page<RowError> | undefined> {
  const after = page.cursor === undefined ? 0 : readNumberCursor(page.cursor);
  const { rows: found } = await sql`
    select from customer_import where store_id = ${storeId} and id = ${id}`.execute(db);
  if (found.length === 0) return undefined;
  const { rows } = await sql<ErrorRow>`
    select position, code, path ->> 0 as "column", value, problem from import_error
    where store_id = ${storeId} and job_id = ${id} and position > ${after}
    order by position
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, errorFromRow, ({ position }) => numberCursor(position));
}

function errorFromRow({ position, code, column, value, problem }: ErrorRow): RowError {
  return { line: position, code: code as RowError['code'], column, value, problem };
}
