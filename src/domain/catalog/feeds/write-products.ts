import { sql } from 'kysely';
import { integers, texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { describe } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { findCategory, upsertCategory } from '../categories.ts';
import type { Outcome } from '../write/write-items.ts';
import { write } from '../write/write-items.ts';
import { checkProduct } from './check-product.ts';
import { type ClaimedFeed, expectClaimed } from './claim.ts';
import { categoryIdOf, joinProducts } from './join-products.ts';
import type { KnownProduct } from './product.ts';
import type { ReadProduct } from './read-products.ts';
import type { RunCounts } from './run.ts';
import { SeenIds } from './seen-ids.ts';

/** Items that are written together, and characters of them. */
const [AT_ONCE, MAX_CHARACTERS] = [500, 1_000_000];
/** Errors of a run that are kept. */
export const MAX_ERRORS = 1_000;

interface Problem {
  line: number;
  column: string | null;
  problem: string;
}

/** Writes the products of a file in batches, each as far as it differs, and notes which items have come. */
export class ProductWriter {
  readonly counts: RunCounts = {
    ...{ records: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 },
    ...{ hidden: 0, missing: 0 },
  };
  readonly seen = new SeenIds();
  readonly #db: Sql;
  readonly #feed: ClaimedFeed;
  readonly #categories = new Set<string>();
  readonly #items = new Map<string, { line: number; product: KnownProduct }>();
  #problems: Problem[] = [];
  #errors = 0;
  #characters = 0;

  constructor(db: Sql, feed: ClaimedFeed) {
    this.#db = db;
    this.#feed = feed;
  }

  async add({ line, ...read }: ReadProduct): Promise<void> {
    this.counts.records += 1;
    if (!('patch' in read)) {
      // It is in the file, whatever is wrong with it.
      if (read.itemId !== undefined) this.seen.add(read.itemId);
      return this.#refuse({ line, column: read.column, problem: read.problem });
    }
    this.seen.add(read.patch.id);
    const violation = checkProduct(read);
    if (violation) return this.#refuse({ line, column: String(violation.path[0]), problem: violation.problem });
    this.#characters += JSON.stringify(read).length;
    const before = this.#items.get(read.patch.id)?.product;
    this.#items.set(read.patch.id, { line, product: before ? joinProducts(before, read) : read });
    if (this.#items.size >= AT_ONCE || this.#characters > MAX_CHARACTERS) await this.flush();
  }

  /** Writes what has come. */
  async flush(): Promise<void> {
    const all = [...this.#items.values()];
    this.#items.clear();
    this.#characters = 0;
    for (const { product } of all) for (const path of product.categories) await this.#createCategories(path);
    const { storeId, id: feedId } = this.#feed;
    const patches = all.map(({ product: { patch, categories } }) => ({
      ...patch,
      ...(categories.length > 0 && { categories: [...new Set(categories.map(categoryIdOf))] }),
    }));
    const outcomes = await retryConflicts(this.#db, () =>
      this.#db.transaction().execute(async (tx): Promise<Outcome[]> => {
        await expectClaimed(tx, this.#feed);
        return patches.length === 0 ? [] : await write(tx, storeId, patches, { feedId });
      }),
    );
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status !== 'rejected') this.counts[outcome.status] += 1;
      else {
        const { path } = outcome.violation;
        const line = all[place]?.line ?? 0;
        this.#refuse({
          line,
          column: String(path[0] ?? '') || null,
          problem: describe({ ...outcome.violation, path: [] }),
        });
      }
    }
    await this.#writeProblems();
  }

  #refuse(problem: Problem): void {
    this.counts.rejected += 1;
    if (this.#errors + this.#problems.length < MAX_ERRORS) this.#problems.push(problem);
  }

  async #writeProblems(): Promise<void> {
    const problems = this.#problems;
    if (problems.length === 0) return;
    this.#problems = [];
    await sql`
      insert into catalog_feed_error (store_id, run_id, number, line, column_name, problem)
      select ${this.#feed.storeId}::uuid, ${this.#feed.runId}::uuid, ${this.#errors}::int + n, line, column_name, problem
      from unnest(
        ${integers(problems.map(({ line }) => line))}::int[],
        ${texts(problems.map(({ column }) => column && storable(column, 255)))}::text[],
        ${texts(problems.map(({ problem }) => storable(problem, 1_000)))}::text[]
      ) with ordinality as w (line, column_name, problem, n)`.execute(this.#db);
    this.#errors += problems.length;
  }

  async #createCategories(path: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const id = categoryIdOf(path.slice(0, depth));
      if (this.#categories.has(id)) continue;
      const { storeId } = this.#feed;
      const parentId = depth === 1 ? null : categoryIdOf(path.slice(0, depth - 1));
      if (!(await findCategory(this.#db, storeId, id))) {
        await upsertCategory(this.#db, storeId, { id, title: path[depth - 1] as string, parentId });
      }
      this.#categories.add(id);
    }
  }
}

function storable(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\0', '\uFFFD').toWellFormed();
}
