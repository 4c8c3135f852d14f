import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import type { VersionCache } from '../automations/stored/version-cache.ts';
import type { AddressDigest } from '../messages/core/address-digest.ts';

/** A table of stores, by its name. */
export type Table = keyof Tables & string;

/** A customer who is gone, and whose rows are swept. */
export interface Gone {
  storeId: string;
  profileId: string;
}

/** Rows by table. */
export type Counts = Readonly<Record<string, number>>;

export interface SweepTools {
  versions: VersionCache;
  addressDigest: AddressDigest;
}

/** What a part of a sweep has done. */
export interface Swept {
  counts: Counts;
  /** Where to go on; null if nothing is left as far as is known. */
  next: string | null;
  /** Rows that can't be swept yet, for which all is to be gone through once more. */
  waiting?: number;
}

/** Sweeps some rows within the caller's transaction. `after`: where the last part ended, at first `''`. */
export type Step<Of extends Gone = Gone> = (tx: Sql, of: Of, after: string, tools: SweepTools) => Promise<Swept>;

/** What becomes of the rows of a table when a customer is gone. */
export type Rule<Of extends Gone> =
  /** There is nothing of a customer in it that has to change. */
  | { keeps: string }
  /** Its rows go with the request, which is one transaction. */
  | { goesAtOnce: true }
  /** Its rows are swept after that. */
  | { isSweptBy: Step<Of> }
  /** They are swept with those of another table. */
  | { goesWith: Table }
  /** They expire by themselves; `until` is an expression of Postgres for when the last does, null if there is none. */
  | { expires: (storeId: string) => RawBuilder<unknown> };

/** A rule for each table: a table without one does not compile, and fails a test. */
export type Rules<Of extends Gone> = Readonly<Record<Table, Rule<Of>>>;

/** Returns what is swept by rules, in their order. */
export function stepsOf<Of extends Gone>(rules: Rules<Of>): readonly Step<Of>[] {
  return Object.values(rules).flatMap((rule) => ('isSweptBy' in rule ? rule.isSweptBy : []));
}

/** Rows that one transaction sweeps. */
export const BATCH = 500;
/** Rows that are looked at in one transaction, where no index leads to those of a customer. */
export const LOOKED_AT = 5_000;

/** Deletes those rows of a table that name the customer by `profile_id`, which an index begins with. */
export function byProfile(table: Table): Step {
  return async (tx, { storeId, profileId }) => await deleteSome(tx, table, storeId, sql`profile_id = ${profileId}`);
}

/** The same where the index begins with something else that the store has few of. */
export function byProfileWithin(table: Table, column: string, owner: Table): Step {
  return async (tx, { storeId, profileId }) =>
    await deleteSome(
      tx,
      table,
      storeId,
      sql`profile_id = ${profileId} and ${sql.ref(column)} = any(array(select id from ${sql.table(owner)} where store_id = ${storeId}))`,
    );
}

/** Deletes some rows that fulfil a condition, by where they are. */
export async function deleteSome(
  tx: Sql,
  table: Table,
  storeId: string,
  condition: RawBuilder<unknown>,
): Promise<Swept> {
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from ${sql.table(table)}
      where store_id = ${storeId} and ctid = any(array(
        select ctid from ${sql.table(table)} where store_id = ${storeId} and ${condition} limit ${BATCH}))
      returning 1
    )
    select count(*)::int as deleted from gone`.execute(tx);
  const deleted = rows[0]?.deleted ?? 0;
  return { counts: { [table]: deleted }, next: deleted === BATCH ? 'more' : null };
}

/**
 * Deletes rows of the store that fulfil a condition and that no index leads to, along the rest of the key; or changes them, by
 * the assignments of an update.
 */
export function alongKey<Of extends Gone>(
  table: Table,
  key: readonly [string, ...string[]],
  condition: (of: Of) => RawBuilder<unknown>,
  assignments?: (of: Of) => RawBuilder<unknown>,
): Step<Of> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return async (tx, of, after) => {
    const { storeId } = of;
    const change = assignments
      ? sql`update ${sql.table(table)} set ${assignments(of)}`
      : sql`delete from ${sql.table(table)}`;
    const from =
      after === ''
        ? sql``
        : sql`and (${columns}) > (${sql.join((JSON.parse(after) as string[]).map((value) => sql`${value}`))})`;
    const { rows } = await sql<{ last: string[] | null; looked: number; swept: number }>`
      with slice as materialized (
        select ctid as place, ${columns}, ${condition(of)} as is_theirs
        from ${sql.table(table)}
        where store_id = ${storeId} ${from}
        order by store_id, ${columns}
        limit ${LOOKED_AT}
      ), swept as (
        ${change}
        where store_id = ${storeId} and ctid = any(array(select place from slice where is_theirs))
        returning 1
      )
      select count(*)::int as looked, (select count(*)::int from swept) as swept,
        (select array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}]
         from slice order by ${sql.join(key.map((column) => sql`${sql.ref(column)} desc`))} limit 1) as last
      from slice`.execute(tx);
    const [{ last, looked, swept }] = rows as [(typeof rows)[number]];
    return { counts: { [table]: swept }, next: looked === LOOKED_AT ? JSON.stringify(last) : null };
  };
}

/**
 * Has what goes through customers in the order of their ids, and stands at this one, stand right before the id: it goes on
 * with the same ones.
 */
export function rewind(table: Table, ...columns: readonly [string, ...string[]]): Step {
  return async (tx, { storeId, profileId }) => {
    const before = idBefore(profileId);
    let rewound = 0;
    for (const column of columns) {
      const { rows } = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${before}::uuid
        where store_id = ${storeId} and ${sql.ref(column)} = ${profileId} returning 1`.execute(tx);
      rewound += rows.length;
    }
    return { counts: { [table]: rewound }, next: null };
  };
}

function idBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
