import { type RawBuilder, sql } from 'kysely';
import type { Sql } from './sql.ts';
import type { Tables } from './tables.ts';

/** Rows that may wait in a queue. */
const MAX_QUEUED = 1_000_000;
/** Milliseconds for which the count of those that wait is used; or so many times as long as it took, if that is more. */
const [COUNT_MS, COUNT_SHARE] = [10_000, 100];
/** Queues whose counts are remembered. */
const MAX_KNOWN = 10_000;

interface Options {
  /** Of which rows queues may be full: the condition of an index, and what orders that after the owner. */
  of?: { which: RawBuilder<unknown>; order: RawBuilder<unknown> };
  most?: number;
}

/** Whether queues take any more: counting many rows takes a while, so it is done now and then. */
export class FullQueues {
  readonly #table: keyof Tables & string;
  readonly #column: string;
  readonly #of: Required<Options>['of'];
  readonly #most: number;
  readonly #counted = new Map<string, { isFull: boolean; until: number }>();

  /** `table` has the queues of all owners, told apart by `column`, and an index of those and `due_at`, unless `of` names another. */
  constructor(
    table: keyof Tables & string,
    column: string,
    { of = { which: sql`true`, order: sql`due_at` }, most = MAX_QUEUED }: Options = {},
  ) {
    this.#table = table;
    this.#column = column;
    this.#of = of;
    this.#most = most;
  }

  async isFull(tx: Sql, storeId: string, ownerId: string): Promise<boolean> {
    const known = this.#counted.get(ownerId);
    const start = performance.now();
    if (known && start < known.until) return known.isFull;
    const { rows } = await sql`
      select from ${sql.table(this.#table)}
      where store_id = ${storeId} and ${sql.ref(this.#column)} = ${ownerId} and due_at is not null and ${this.#of.which}
      order by ${this.#of.order}
      offset ${this.#most} limit 1`.execute(tx);
    if (this.#counted.size >= MAX_KNOWN) this.#counted.clear();
    const end = performance.now();
    this.#counted.set(ownerId, {
      isFull: rows.length > 0,
      until: end + Math.max(COUNT_MS, COUNT_SHARE * (end - start)),
    });
    return rows.length > 0;
  }
}
