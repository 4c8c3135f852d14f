import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CatalogItemInput, CatalogVariantInput } from '../../generated/native/types.gen.ts';
import type { Client } from '../../src/client/index.ts';
import { NotAFeed } from '../../src/domain/catalog/feeds/not-a-feed.ts';
import { type Product, toProduct } from '../../src/domain/catalog/feeds/product.ts';
import { formatOf, readRecords } from '../../src/domain/catalog/feeds/read-records.ts';
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

type Known = Extract<Product, { patch: unknown }>;
type Unknown = Exclude<Product, Known>;

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
  const isWhole = batch.nameless === 0;
  const hidden = syncId !== undefined && isWhole ? await complete(client, syncId) : 0;
  if (syncId !== undefined && !isWhole) {
    output.say(
      `Nothing was hidden: of ${batch.nameless.toLocaleString('en')} products it is not known which they are.`,
    );
  }
  return await report(batch, given, hidden, output);
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

function toInput({ patch, categories }: Known): CatalogItemInput {
  const { id, fields, variants } = patch;
  return {
    id,
    ...(fields as Omit<CatalogItemInput, 'id'>),
    ...(categories.length > 0 && { categories: categories.map(categoryId) }),
    ...(variants && { variants: variants.map((one) => ({ id: one.id, ...one.fields }) as CatalogVariantInput) }),
  };
}

/** A category that has no id is called as the way to it. */
function categoryId(path: readonly string[]): string {
  return path.join(' > ').slice(0, 255);
}

/** Items that are written together: the products of one item are one of them. */
class Batch {
  readonly counts = { created: 0, updated: 0, unchanged: 0 };
  readonly problems: Problem[] = [];
  refused = 0;
  /** Products that can't be read, and do not say which they are. */
  nameless = 0;
  readonly #client: Client;
  readonly #isBackfill: boolean;
  readonly #syncId: string | undefined;
  readonly #items = new Map<string, { line: number; input: CatalogItemInput; isLeft?: boolean }>();
  readonly #categories = new Set<string>();
  #characters = 0;

  constructor(client: Client, isBackfill: boolean, syncId: string | undefined) {
    this.#client = client;
    this.#isBackfill = isBackfill;
    this.#syncId = syncId;
  }

  async add(line: number, product: Known): Promise<void> {
    for (const path of product.categories) await this.#createCategories(path);
    const input = toInput(product);
    this.#characters += JSON.stringify(input).length;
    const before = this.#items.get(input.id)?.input;
    this.#items.set(input.id, { line, input: before ? together(before, input) : input });
    if (this.#items.size >= PORTION || this.#characters > MAX_CHARACTERS) await this.write();
  }

  /** Lists a product that can't be read. The shop has its item all the same, which stays as it is. */
  async leave(line: number, { column, problem, itemId }: Unknown): Promise<void> {
    this.refuse(line, column, problem);
    if (itemId === undefined) this.nameless += 1;
    else if (this.#syncId !== undefined && !this.#items.has(itemId)) {
      this.#items.set(itemId, { line, input: { id: itemId }, isLeft: true });
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
      items: all.map(({ input }) => ({ ...input, backfill: this.#isBackfill })),
      on_invalid: 'skip',
      ...(this.#syncId !== undefined && { sync_id: this.#syncId }),
    });
    for (const item of items.filter(({ index }) => !all[index]?.isLeft)) {
      if (item.status !== 'rejected') {
        this.counts[item.status as keyof Batch['counts']] += 1;
        continue;
      }
      const { field, message } = item.error;
      const column = (field ?? '').replace(/^items\[\d+\]\.?/, '') || null;
      this.refuse(all[item.index]?.line ?? 0, column, message.replace(/^items\[\d+\]\.?/, ''));
    }
  }

  async #createCategories(path: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const id = categoryId(path.slice(0, depth));
      if (this.#categories.has(id)) continue;
      this.#categories.add(id);
      const parent = depth === 1 ? null : categoryId(path.slice(0, depth - 1));
      await this.#client.upsertCatalogCategory({ id, title: path[depth - 1] as string, parent_id: parent });
    }
  }
}

/** Of an item that comes twice the last counts; its variants come one after the other. */
function together(before: CatalogItemInput, input: CatalogItemInput): CatalogItemInput {
  const variants = new Map([...(before.variants ?? []), ...(input.variants ?? [])].map((one) => [one.id, one]));
  return { ...before, ...input, ...(variants.size > 0 && { variants: [...variants.values()] }) };
}
