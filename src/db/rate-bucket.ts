import { type RawBuilder, sql } from 'kysely';
import { exactly, unindexed } from './rows.ts';
import type { Sql } from './sql.ts';
import type { Tables } from './tables.ts';

/** The share of a second's rate that is made up for, where a process was late to look for what was due. */
const MADE_UP = 0.2;

type Table = keyof Tables & string;

/** A queue of which only so much a second may be taken, and the row that keeps count of it. */
export interface RateBucket {
  /** With `tokens`, `tokens_at` and `max_per_second`. */
  owner: Table;
  queue: Table;
  /** Of the queue: the id of its owner. */
  column: string;
  /** What is under way, as a condition on rows of the queue. */
  isUnderWay: RawBuilder<unknown>;
}

export interface Tokens {
  /** What may be taken now. */
  tokens: number;
  /** When it was that many, by the clock of the database. */
  tokensAt: string;
  underWay: number;
}

/**
 * What may be taken at a time grows up to one; beyond that only while something has been due, so that what comes after a
 * pause is not more than the rate. A statement of its own: it has to see what others did before they released the lock of
 * the owner.
 */
export async function countTokens(
  tx: Sql,
  { owner, queue, column, isUnderWay }: RateBucket,
  storeId: string,
  id: string,
): Promise<Tokens> {
  // What is under way is read by the index of that, and not by the one of all that waits.
  const { rows } = await sql<Tokens>`
    with read as (
      select o.id, o.tokens, o.max_per_second as rate, o.tokens_at as since, clock_timestamp() as at,
        (
          select due_at from ${sql.table(queue)}
          where store_id = ${storeId} and ${sql.ref(column)} = ${id} and due_at <= now()
          order by due_at
          limit 1
        ) as due_since
      from ${sql.table(owner)} o where o.store_id = ${storeId} and o.id = ${id}
    )
    select greatest(
        least(1, tokens + rate * greatest(0, extract(epoch from at - since))),
        least(
          1 + rate * ${MADE_UP}::float8,
          tokens + rate * greatest(0, extract(epoch from at - greatest(since, due_since)))
        )
      )::float8 as tokens,
      at::text as "tokensAt",
      (
        select count(*)::int from (
          select from ${sql.table(queue)}
          where store_id = ${storeId} and ${exactly(column, 'read.id')} and ${isUnderWay}
            and ${unindexed(sql`due_at > now()`)}
          order by ${sql.ref(column)}, due_at
        ) as under_way
      ) as "underWay"
    from read`.execute(tx);
  return rows[0] as Tokens;
}
