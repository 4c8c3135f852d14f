import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import { rowsTogether } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { IS_OF_STORE } from '../conditions/compile-events.ts';
import { followAliases } from '../profile-aliases.ts';
import { MAX_ORDER_ID, type OrderText } from './order-text.ts';
import type { OrderPaths } from './rule.ts';

/** An event as far as those ask for it who follow orders. */
export interface EventNote extends OrderText {
  id: string;
  profileId: string;
  type: string;
  /** In milliseconds. */
  at: number;
  /** The message, of an event that the service itself recorded. */
  messageId: string | null;
}

export interface Reading {
  paths: OrderPaths;
  withHistory?: boolean;
  ofStore?: boolean;
}

/** The first text or number that is not empty. Properties are parsed once for each path that is looked at. */
function text(paths: readonly (readonly string[])[], length: number): RawBuilder<unknown> {
  const found = paths.map(
    (path) => sql`(
      select case when json_typeof(value) in ('string', 'number') then nullif(value #>> '{}', '') end
      from (select e.properties #> ${texts(path)}::text[] as value offset 0) p
    )`,
  );
  return sql`left(coalesce(${sql.join([...found, sql`null`])}), ${sql.lit(length)})`;
}

/** Something else if there is no such one: what can't be read is not the same as nothing. */
function textOrOther(paths: readonly (readonly string[])[], length: number): RawBuilder<unknown> {
  const found = paths.map((path) => sql`e.properties #>> ${texts(path)}::text[]`);
  return sql`coalesce(${text(paths, length)}, left(coalesce(${sql.join([...found, sql`null`])}), ${sql.lit(length)}))`;
}

/** What is read of the rows `e` of events, which are put in their order. */
function columns(paths: OrderPaths): RawBuilder<unknown> {
  return sql`
    e.id, e.profile_id as "profileId", e.event_type as type,
      (extract(epoch from e.occurred_at) * 1000)::float8 as at, e.source #>> '{message,id}' as "messageId",
      ${text(paths.orderId, MAX_ORDER_ID + 1)} as "orderId", ${textOrOther(paths.value, 64)} as value,
      ${text(paths.currency, 8)} as currency`;
}

/**
 * Returns those events that are of some types, in their order; historical ones only `withHistory`, and those that pages and
 * apps send, as anybody can, not if they are to be `ofStore`.
 */
export async function readNotes(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  types: readonly string[],
  { paths, withHistory = false, ofStore = false }: Reading,
): Promise<EventNote[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EventNote>`
    select ${columns(paths)}
    from ${rowsTogether('event', storeId, ids)} e
    where e.event_type = any(${texts(types)}::text[])
      and ${withHistory ? sql`true` : sql`(e.source ->> 'backfill') is distinct from 'true'`}
      and ${ofStore ? IS_OF_STORE : sql`true`}`.execute(tx);
  const found = new Map((await followAliases(tx, storeId, rows)).map((note) => [note.id, note]));
  return found.size === 0 ? [] : ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Returns the next events of a type, or of some types and a customer, by when they happened, each with whether no page or app
 * has sent it.
 */
export async function readNotesAfter(
  tx: Sql,
  storeId: string,
  of: { types: readonly [string] } | { types: readonly string[]; profileId: string },
  after: { at: Date; id: string } | undefined,
  limit: number,
  paths: OrderPaths,
): Promise<(EventNote & { isOfStore: boolean })[]> {
  const place = after
    ? sql`and (occurred_at, id) > (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
    : sql``;
  const which =
    'profileId' in of
      ? sql`profile_id = ${of.profileId} and event_type = any(${texts(of.types)}::text[])`
      : sql`event_type = ${of.types[0]}`;
  const { rows } = await sql<EventNote & { isOfStore: boolean }>`
    select ${columns(paths)}, ${IS_OF_STORE} as "isOfStore" from (
      select * from event where store_id = ${storeId} and ${which} ${place}
      order by occurred_at, id limit ${limit}
    ) e
    order by e.occurred_at, e.id`.execute(tx);
  return [...(await followAliases(tx, storeId, rows))];
}
