import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import { countProfiles } from '../../reading/draw-profiles.ts';

/** Customers of a store whose memberships are compared in a night at the least, and nights in which all have been. */
const [PER_NIGHT, NIGHTS] = [10_000, 30];
/** Milliseconds of work after which a store's comparison of a night ends, however many customers are left. */
export const MAX_NIGHT_MS = 15 * 60 * 1000;
/** Stores of one part of the data that are found at a time. */
const MAX_STORES = 1_000;
/** A night begins at two, by UTC. */
const NIGHT_HOUR = 2;

/** The night by the clock of the database. */
export const CURRENT_NIGHT = sql`(now() at time zone 'UTC' - make_interval(hours => ${NIGHT_HOUR}::int))::date`;

/** How far the comparison of a night has come: it goes on from where the night before has ended, and around. */
export interface Progress {
  first: string;
  after: string;
  left: number;
  /** Milliseconds that it has taken so far. */
  ms: number;
}

/** Finds stores of one part of the data whose comparison of this night has not ended, in any order. */
export async function findUncompared(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from segment_store
    where compare_left > 0 or compared_on < ${CURRENT_NIGHT}
    order by random()
    limit ${MAX_STORES}`.execute(db);
  return rows.map(({ storeId }) => storeId);
}

/** `isNew`: nothing of this night has been compared. */
export async function readProgress(tx: Sql, storeId: string, now: number): Promise<Progress & { isNew: boolean }> {
  const { rows } = await sql<Progress & { isNew: boolean }>`
    select compare_first as first, compare_after as after, compare_left as left, compare_ms as ms,
      compared_on < ${nightOf(now)}::date as "isNew"
    from segment_store where store_id = ${storeId}`.execute(tx);
  const row = rows[0] as Progress & { isNew: boolean };
  if (!row.isNew) return row;
  const { profiles } = await countProfiles(tx, storeId);
  return { ...row, first: row.after, left: shareOf(profiles), ms: 0 };
}

/** How many customers of a store are compared in a night, so that each of them is within thirty. */
export function shareOf(profiles: number): number {
  return Math.max(PER_NIGHT, Math.ceil(profiles / NIGHTS));
}

/** Adds the milliseconds that a batch has taken. A night that has taken too long ends: the next one goes on from there. */
export function addTime(at: Progress, ms: number): Progress {
  const sum = at.ms + Math.round(ms);
  return { ...at, ms: sum, left: sum < MAX_NIGHT_MS ? at.left : 0 };
}

/** Returns the ids of the next customers; fewer than asked for at the end of all, or of the round. */
export async function nextToCompare(tx: Sql, storeId: string, at: Progress, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from profile
    where store_id = ${storeId} and id > ${at.after}::uuid ${isAround(at) ? sql`and id <= ${at.first}::uuid` : sql``}
    order by id
    limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns where to go on after some customers; `isEnd`: there were no others. */
export function advance(at: Progress, ids: readonly string[], isEnd: boolean): Progress {
  const left = at.left - ids.length;
  if (!isEnd) return { ...at, after: ids.at(-1) ?? at.after, left };
  if (isAround(at)) return { ...at, after: at.first, left: 0 };
  return { ...at, after: LOWEST_ID, left: at.first === LOWEST_ID ? 0 : left };
}

/** Does nothing where another process has begun a later night meanwhile. */
export async function writeProgress(tx: Sql, storeId: string, { first, after, left, ms }: Progress, now: number) {
  await sql`
    update segment_store
    set compared_on = ${nightOf(now)}::date, compare_first = ${first}::uuid, compare_after = ${after}::uuid,
      compare_left = ${left}::int, compare_ms = ${ms}::int
    where store_id = ${storeId} and compared_on <= ${nightOf(now)}::date`.execute(tx);
}

function isAround({ first, after }: Progress): boolean {
  return after < first;
}

function nightOf(now: number): string {
  return new Date(now - NIGHT_HOUR * 60 * 60 * 1000).toISOString().slice(0, 10);
}
