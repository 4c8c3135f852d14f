import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CatalogItemInput, CatalogVariantInput } from '../../generated/native/types.gen.ts';
import type { Client } from '../../src/client/index.ts';
import { categoryIdOf, joinProducts } from '../../src/domain/catalog/feeds/join-products.ts';
import { needsConfirmation } from '../../src/domain/catalog/feeds/needs-confirmation.ts';
import { NotAFeed } from '../../src/domain/catalog/feeds/not-a-feed.ts';
import { type KnownProduct, type Product, toProduct } from '../../src/domain/catalog/feeds/product.ts';
import { formatOf, readRecords } from '../../src/domain/catalog/feeds/read-records.ts';
import { SeenIds } from '../../src/domain/catalog/feeds/seen-ids.ts';
import { printable } from '../../src/domain/printable.ts';
import { UsageError } from '../keys/arguments.ts';
import type { Arguments } from './arguments.ts';
import { writeErrors } from './errors-file.ts';
import type { Output } from './run.ts';

/** Items of a request, and characters of them: a body has 5 MB. */
const [PORTION, MAX_CHARACTERS] = [500, 1_000_000];
/** Products that a preview shows, and errors that are listed. */
const [PREVIEWED, MAX_ERRORS] = [20, 10_000];

interface Problem {
  line: number;
  column: string | null;
  value: null;
  message: string;
}

/**
 * Writes what a file says of the catalog, and with `--full` hides what it does not have, once all of it is read. What is so
 * already is not written, so the same command goes on after an interruption. Returns whether all products were written.
 */
export async function importCatalog(client: Client, given: Arguments, output: Output): Promise<boolean> {
  const format = formatOf(await beginningOf(given.file));
  if (!format) throw new UsageError('The file is empty, or a page of HTML: it is no list of products');
  const syncId = given.isFull && !given.isDryRun ? (await client.startCatalogSync({})).id : undefined;
  const batch = new Batch(client, given.isBackfill, syncId);
  let read = 0;
  try {
    for await (const one of readRecords(createReadStream(given.file), format)) {
      read += 1;
      const product: Product =
        'record' in one ? toProduct(one.record, given.currency) : { column: null, problem: one.problem };
      if (given.isDryRun) {
        if (read > PREVIEWED) break;
        const what =
          'patch' in product ? JSON.stringify(toInput(product)) : `${product.column ?? 'it'} ${product.problem}`;
        output.say(`  line ${one.line}: ${printable(what)}`);
      } else if ('patch' in product) await batch.add(one.line, product);
      else await batch.leave(one.line, product);
      if (read % 1_000 === 0) output.progress(0, `${read.toLocaleString('en')} products read`);
    }
    await batch.write();
  } catch (error) {
    if (error instanceof NotAFeed) throw new UsageError(`The file ${error.message}; nothing was hidden`);
    throw error;
  }
  if (given.isDryRun) {
    output.say('Nothing was written.');
    return true;
  }
  if (read === 0) throw new UsageError('The file has no products; nothing was hidden');
  if (syncId === undefined) return await report(batch, given, 0, output);
  if (batch.nameless > 0) {
    const count = batch.nameless.toLocaleString('en');
    output.say(`Nothing was hidden: of ${count} products it is not known which they are.`);
    return await report(batch, given, 0, output);
  }
  if (!given.hidesMissing) await expectFewMissing(client, batch.seen);
  return await report(batch, given, await complete(client, syncId), output);
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Throws a `UsageError` where a load would hide so much that the file may not have all that the store sells. */
async function expectFewMissing(client: Client, seen: SeenIds): Promise<void> {
  const [published, found] = [{ status: 'published', limit: 100 } as const, { missing: 0, all: 0 }];
  let cursor: string | null | undefined;
  do {
    const page = await client.listCatalogItems({ ...published, ...(cursor && { cursor }) });
    const items = page.items.filter(({ feed_id: feedId }) => feedId === null);
    found.all += items.length;
    found.missing += items.filter(({ id }) => !seen.has(id)).length;
    cursor = page.next_cursor;
  } while (cursor);
  if (!needsConfirmation(found)) return;
  const [missing, all] = [found.missing.toLocaleString('en'), found.all.toLocaleString('en')];
  throw new UsageError(
    `${missing} of ${all} items are not in the file. The others are written, and nothing was hidden: with --hide-missing, those are`,
  );
}

async function complete(client: Client, id: string): Promise<number> {
  for (;;) {
    const { status, hidden_count: hidden } = await client.completeCatalogSync({ id });
    if (status !== 'hiding') return hidden;
  }
}

async function report({ counts, problems, refused }: Batch, given: Arguments, hidden: number, output: Output) {
  const count = (n: number) => n.toLocaleString('en');
  output.say(
    `Items created: ${count(counts.created)}, updated: ${count(counts.updated)}, unchanged: ${count(counts.unchanged)}, hidden: ${count(hidden)}; products not written: ${count(refused)}`,
  );
  if (refused === 0) return true;
  async function* listed() {
    yield { errors: problems };
  }
  await writeErrors(given.errors, listed());
  output.say(
    `${problems.length < refused ? `The first ${count(problems.length)} of them` : 'They'} are in ${given.errors}`,
  );
  return false;
}

function toInput({ patch, categories }: KnownProduct): CatalogItemInput {
  const { id, fields, variants } = patch;
  return {
    id,
    ...(fields as Omit<CatalogItemInput, 'id'>),
    ...(categories.length > 0 && { categories: categories.map(categoryIdOf) }),
    ...(variants && { variants: variants.map((one) => ({ id: one.id, ...one.fields }) as CatalogVariantInput) }),
  };
}

/** Items that are written together: the products of one item are one of them. */
class Batch {
  readonly counts = { created: 0, updated: 0, unchanged: 0 };
  readonly problems: Problem[] = [];
  /** Items that have been written. */
  readonly seen = new SeenIds();
  refused = 0;
  /** Products that can't be read, and do not say which they are. */
  nameless = 0;
  readonly #client: Client;
  readonly #isBackfill: boolean;
  readonly #syncId: string | undefined;
  readonly #items = new Map<string, { line: number; product: KnownProduct; isLeft?: boolean }>();
  readonly #categories = new Set<string>();
  #characters = 0;

  constructor(client: Client, isBackfill: boolean, syncId: string | undefined) {
    this.#client = client;
    this.#isBackfill = isBackfill;
    this.#syncId = syncId;
  }

  async add(line: number, product: KnownProduct): Promise<void> {
    for (const path of product.categories) await this.#createCategories(path);
    const { id } = product.patch;
    this.#characters += JSON.stringify(product).length;
    const before = this.#items.get(id)?.product;
    this.#items.set(id, { line, product: before ? joinProducts(before, product) : product });
    if (this.#items.size >= PORTION || this.#characters > MAX_CHARACTERS) await this.write();
  }

  /** Lists a product that can't be read. The shop has its item all the same, which stays as it is. */
  async leave(line: number, { column, problem, itemId }: Exclude<Product, KnownProduct>): Promise<void> {
    this.refuse(line, column, problem);
    if (itemId === undefined) this.nameless += 1;
    else if (this.#syncId !== undefined && !this.#items.has(itemId)) {
      this.#items.set(itemId, { line, product: { patch: { id: itemId, fields: {} }, categories: [] }, isLeft: true });
      if (this.#items.size >= PORTION) await this.write();
    }
  }

  refuse(line: number, column: string | null, message: string): void {
    this.refused += 1;
    if (this.problems.length < MAX_ERRORS) this.problems.push({ line, column, value: null, message });
  }

  async write(): Promise<void> {
    const all = [...this.#items.values()];
    this.#items.clear();
    this.#characters = 0;
    if (all.length === 0) return;
    const { items } = await this.#client.upsertCatalogItemsBulk({
      items: all.map(({ product }) => ({ ...toInput(product), backfill: this.#isBackfill })),
      on_invalid: 'skip',
      ...(this.#syncId !== undefined && { sync_id: this.#syncId }),
    });
    for (const item of items) {
      const { line = 0, isLeft = false } = all[item.index] ?? {};
      if (item.status !== 'rejected') {
        this.seen.add(item.id);
        if (!isLeft) this.counts[item.status as keyof Batch['counts']] += 1;
        continue;
      }
      if (isLeft) continue;
      const { field, message } = item.error;
      const column = (field ?? '').replace(/^items\[\d+\]\.?/, '') || null;
      this.refuse(line, column, message.replace(/^items\[\d+\]\.?/, ''));
    }
  }

  async #createCategories(path: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const id = categoryIdOf(path.slice(0, depth));
      if (this.#categories.has(id)) continue;
      this.#categories.add(id);
      const parent = depth === 1 ? null : categoryIdOf(path.slice(0, depth - 1));
      await this.#client.upsertCatalogCategory({ id, title: path[depth - 1] as string, parent_id: parent });
    }
  }
}
