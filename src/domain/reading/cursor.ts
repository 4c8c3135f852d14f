import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, isId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';
import { EARLIEST, LATEST } from '../time/moment.ts';

/** A page of a list, as requested. */
export interface PageRequest {
  limit: number;
  /** The `next` of the previous page. */
  cursor: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** The position of an item in a list ordered by time, then by id. */
export interface TimeAndId {
  at: Date;
  id: string;
}

/**
 * Bytes of free-form data, as it is sent, after which a page ends by default: a hundred of the largest items would be
 * 500 MB.
 */
const MAX_BYTES = 1024 * 1024;
const MAX_INTEGER = 2 ** 31 - 1;
/** Maximum queries per page. */
const MAX_PORTIONS = 20;

/** Part of a page; `isCut` if it ends early because more items might exceed the page's bytes. */
export interface Portion<Item> extends Page<Item> {
  isCut: boolean;
}

/** A row of `candidates`. */
export type Candidate<Row> = Row & { candidates: number };

/**
 * Returns a subquery for the rows of a query (one more than the page may have, if there are more) without those that
 * might be too large together; `candidates` is the number of rows there were. `bytes` is the maximum size of a row. The
 * caller has to alias it and order it again.
 */
export function candidates(
  query: RawBuilder<unknown>,
  limit: number,
  bytes: RawBuilder<unknown>,
  maxBytes = MAX_BYTES,
) {
  return sql`(
    select * from (
      select *, count(*) over ()::int as candidates,
        sum(${bytes}) over (rows between unbounded preceding and 1 preceding) as bytes_before
      from (${query} limit ${limit + 1}) as candidate
    ) as measured
    where coalesce(bytes_before, 0) < ${maxBytes}
  )`;
}

/** Converts rows to a portion; more items follow if there are more rows, or `candidates`, than it shows. */
export function toPage<Row extends { candidates?: number }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Portion<Item> {
  const shown = rows.slice(0, limit);
  const [count, last] = [rows[0]?.candidates ?? rows.length, shown.at(-1)];
  const next = last && count > shown.length ? cursorOf(last) : null;
  return { items: shown.map(toItem), next, isCut: next !== null && shown.length < limit };
}

/**
 * Reads a page in as many portions as needed, because the size of items is known only once they are read. `read` gets
 * the cursor to continue from and the number of missing items.
 */
export async function readPortions<Item>(
  page: PageRequest,
  read: (rest: PageRequest) => Promise<Portion<Item>>,
  bytesOf: (item: Item) => number,
  maxBytes = MAX_BYTES,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let { cursor } = page;
  let bytes = 0;
  for (let portions = 1; ; portions += 1) {
    const { items: more, next, isCut } = await read({ limit: page.limit - items.length, cursor });
    items.push(...more);
    for (const item of more) bytes += bytesOf(item);
    if (!isCut || bytes >= maxBytes || portions === MAX_PORTIONS) return { items, next };
    cursor = next as string;
  }
}

/** `list`: what the cursor begins with, so that it is none of another list. */
export function timeCursor({ at, id }: TimeAndId, list = ''): string {
  return encode(`${list}${at.getTime()} ${id}`);
}

export function readTimeCursor(cursor: string, list = ''): TimeAndId {
  const text = decode(cursor) ?? '';
  if (!text.startsWith(list)) throw notACursor();
  const [, ms, id] = /^(-?\d{1,15}) (.*)$/.exec(text.slice(list.length)) ?? [];
  if (ms === undefined || id === undefined || !isId(id)) throw notACursor();
  const place = { at: new Date(Number(ms)), id };
  if (place.at < EARLIEST || place.at > LATEST || timeCursor(place, list) !== cursor) throw notACursor();
  return place;
}

export function idCursor({ id }: { id: string }): string {
  return encode(id);
}

/** The id before which a page begins of a list that has the latest first. */
export function readBefore(cursor: string | undefined): string {
  return cursor === undefined ? HIGHEST_ID : readIdCursor(cursor);
}

/** Reads a page of such a list; `query` reads what comes at a place, which is the end of a statement. */
export async function readNewest<Row extends { id: string; candidates?: never }, Item>(
  db: Sql,
  { limit, cursor }: PageRequest,
  toItem: (row: Row) => Item,
  query: (place: RawBuilder<unknown>) => RawBuilder<Row>,
): Promise<Page<Item>> {
  const place = sql`id < ${readBefore(cursor)} order by id desc limit ${limit + 1}`;
  const { rows } = await query(place).execute(db);
  return toPage(rows, limit, toItem, idCursor);
}

export function readIdCursor(cursor: string): string {
  const id = decode(cursor);
  if (id === undefined || !isId(id)) throw notACursor();
  return id;
}

export function numberCursor(number: number): string {
  return encode(String(number));
}

/** Reads that of a number from 1 to what Postgres takes for an integer. */
export function readNumberCursor(cursor: string): number {
  const text = decode(cursor) ?? '';
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > MAX_INTEGER) throw notACursor();
  return Number(text);
}

/** The position in a list ordered by name, then by id. */
export function nameCursor({ name, id }: NameAndId): string {
  return encode(`${id} ${name}`);
}

export function readNameCursor(cursor: string): NameAndId {
  const [, id, name] = /^(\S+) (.+)$/s.exec(decode(cursor) ?? '') ?? [];
  if (id === undefined || name === undefined || !isId(id)) throw notACursor();
  return { name, id };
}

interface NameAndId {
  name: string;
  id: string;
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Decodes what `encode` returned; undefined for any other text. */
export function decode(encoded: string): string | undefined {
  const text = Buffer.from(encoded, 'base64url').toString();
  return encode(text) === encoded && !text.includes('\0') ? text : undefined;
}

export function notACursor() {
  return invalid({ path: ['cursor'], problem: 'is not a cursor of this list' });
}
