import { type RawBuilder, sql } from 'kysely';
import { isId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';

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
export interface TimeAndId {
  at: Date;
  id: string;
}

/** Bytes of free-form data, as it is sent, after which a page ends: a hundred of the largest items would be 500 MB. */
const MAX_BYTES = 1024 * 1024;
/** Queries that one page takes at most. */
const MAX_PORTIONS = 20;

/** Of a page: its items up to one before which the page has, perhaps, as much data as it may have. */
export interface Portion<Item> extends Page<Item> {
  isCut: boolean;
}

/** A row of `candidates`. */
export type Candidate<Row> = Row & { candidates: number };

/**
 * The rows of a query, one more than the page may have where there are more, without those that might be too much at
 * once; each with the number of rows that there were. `bytes` is what a row has at most. Name it, and order it once more.
 */
export function candidates(query: RawBuilder<unknown>, limit: number, bytes: RawBuilder<unknown>) {
  return sql`(
    select * from (
      select *, count(*) over ()::int as candidates,
        sum(${bytes}) over (rows between unbounded preceding and 1 preceding) as bytes_before
      from (${query} limit ${limit + 1}) as candidate
    ) as measured
    where coalesce(bytes_before, 0) < ${MAX_BYTES}
  )`;
}

/** A portion of rows: one more than it may have, where there are more, or `candidates`. */
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
 * A page of as many portions as it takes: what their items have in bytes is known once they are read. `read` gets the
 * place after the last one, and how many items are missing.
 */
export async function readPortions<Item>(
  page: PageRequest,
  read: (rest: PageRequest) => Promise<Portion<Item>>,
  bytesOf: (item: Item) => number,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let { cursor } = page;
  let bytes = 0;
  for (let portions = 1; ; portions += 1) {
    const { items: more, next, isCut } = await read({ limit: page.limit - items.length, cursor });
    items.push(...more);
    for (const item of more) bytes += bytesOf(item);
    if (!isCut || bytes >= MAX_BYTES || portions === MAX_PORTIONS) return { items, next };
    cursor = next as string;
  }
}

/** Between these, Postgres has the times that `Date` has. */
export const EARLIEST = new Date(0);
EARLIEST.setUTCFullYear(1);
export const LATEST = new Date(Date.UTC(9999, 0));

export function timeCursor({ at, id }: TimeAndId): string {
  return encode(`${at.getTime()} ${id}`);
}

export function readTimeCursor(cursor: string): TimeAndId {
  const [, ms, id] = /^(-?\d{1,15}) (.*)$/.exec(decode(cursor) ?? '') ?? [];
  if (ms === undefined || id === undefined || !isId(id)) throw notACursor();
  const place = { at: new Date(Number(ms)), id };
  if (place.at < EARLIEST || place.at > LATEST || timeCursor(place) !== cursor) throw notACursor();
  return place;
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
