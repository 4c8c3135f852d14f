import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { CUSTOMER_SEARCHERS } from './customers.ts';
import type { Hit, HitKind, Search, Searcher } from './hit.ts';
import { NAMED_SEARCHERS } from './named.ts';
import { OTHER_SEARCHERS } from './others.ts';

/** Milliseconds that all of a search may take, and each statement of it. */
const [MAX_MS, MAX_STATEMENT_MS] = [1_500, 500];

/** In the order in which hits are shown; those of a kind stand together. */
const SEARCHERS: readonly Searcher[] = [
  ...CUSTOMER_SEARCHERS,
  ...OTHER_SEARCHERS.orders,
  ...NAMED_SEARCHERS,
  ...OTHER_SEARCHERS.last,
];

export interface Found {
  hits: Hit[];
  /** Kinds of which there may be more than was found in time, or among what was looked at. */
  incomplete: HitKind[];
}

/**
 * Looks in a store for what a text names, of the kinds that the caller may read: nothing tells whether there are others.
 * What is not found in time is left out.
 */
export async function search(db: Sql, caller: Caller, asked: Search): Promise<Found> {
  const searchers = SEARCHERS.filter(({ scopes }) => scopes.some((scope) => caller.scopes.has(scope)));
  const hits = new Map<string, Hit>();
  const counts = new Map<HitKind, number>();
  const until = performance.now() + MAX_MS;
  const cut = new Set<HitKind>();
  let done = 0;
  try {
    await db.transaction().execute(async (tx) => {
      for (const { kind, find } of searchers) {
        const left = until - performance.now();
        if (left <= 0) return;
        await limitStatements(tx, Math.min(left, MAX_STATEMENT_MS));
        for (const hit of await find(tx, caller, asked, () => cut.add(kind))) {
          const key = `${kind} ${hit.id}`;
          const count = counts.get(kind) ?? 0;
          if (hits.has(key) || count === asked.limit) continue;
          counts.set(kind, count + 1);
          hits.set(key, hit);
        }
        done += 1;
      }
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
  return {
    hits: [...hits.values()],
    incomplete: [...cut.union(new Set(searchers.slice(done).map(({ kind }) => kind)))],
  };
}
