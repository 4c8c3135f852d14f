import { type RawBuilder, sql } from 'kysely';
import { invalid } from '../errors.ts';
import { isId } from '../id.ts';

/** A page of a list, as the caller asks for it. */
export interface PageRequest {
  limit: number;
  /** The `next` of the page before. */
  cursor: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** The place of an item in a list that is ordered by time, then by id. */
export interface Place {
  at: Date;
  id: string;
}

/** Bytes of free-form data, as it is stored, after which a page ends: a hundred of the largest items would be a gigabyte. */
const MAX_BYTES = 1024 * 1024;

/** A row of `candidates`. */
export type Candidate<Row> = Row & { candidates: number };

/**
 * The rows of a query, one more than the page may have where there are more, without those that would be too much at
 * once; each with the number of rows that there were. `data` is the large column. Name it, and order it once more.
 */
export function candidates(query: RawBuilder<unknown>, limit: number, data: RawBuilder<unknown>) {
  return sql`(
    select * from (
      select *, count(*) over ()::int as candidates,
        sum(pg_column_size(${data})) over (rows between unbounded preceding and 1 preceding) as bytes_before
      from (${query} limit ${limit + 1}) as candidate
    ) as measured
    where coalesce(bytes_before, 0) < ${MAX_BYTES}
  )`;
}

/** A page of rows: one more than it may have, where there are more, or `candidates`. */
export function toPage<Row extends { candidates?: number }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const [count, last] = [rows[0]?.candidates ?? rows.length, shown.at(-1)];
  return { items: shown.map(toItem), next: last && count > shown.length ? cursorOf(last) : null };
}

export function placeCursor({ at, id }: Place): string {
  return encode(`${at.getTime()} ${id}`);
}

export function readPlaceCursor(cursor: string): Place {
  const [, ms, id] = /^(-?\d{1,15}) (.*)$/.exec(decode(cursor) ?? '') ?? [];
  if (ms === undefined || id === undefined || !isId(id)) throw notACursor();
  return { at: new Date(Number(ms)), id };
}

export function idCursor({ id }: { id: string }): string {
  return encode(id);
}

export function readIdCursor(cursor: string): string {
  const id = decode(cursor);
  if (id === undefined || !isId(id)) throw notACursor();
  return id;
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** The text that `encode` made this of; undefined where it made none. */
export function decode(encoded: string): string | undefined {
  const text = Buffer.from(encoded, 'base64url').toString();
  return encode(text) === encoded && !text.includes('\0') ? text : undefined;
}

export function notACursor() {
  return invalid({ path: ['cursor'], problem: 'is not a cursor of this list' });
}
