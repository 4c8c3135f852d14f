import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Price } from '../prices.ts';
import { checkProduct } from './check-product.ts';
import { FeedUnavailable, type OpenFeed } from './fetch.ts';
import { categoryIdOf } from './join-products.ts';
import { NotAFeed } from './not-a-feed.ts';
import { becomesOf, type ColumnTarget, type FeedRecord, type Product, toProduct } from './product.ts';
import { openRecords } from './read-products.ts';
import type { ReadRecord } from './read-record.ts';
import type { FeedFormat } from './read-records.ts';
import type { FeedError } from './runs.ts';

/** What the beginning of a file would write. */
export interface FeedPreview {
  format: FeedFormat;
  columns: { name: string; becomes: ColumnTarget; sample: string | null }[];
  products: PreviewProduct[];
  /** Whether the file has no more products. */
  isComplete: boolean;
}

export interface PreviewProduct {
  line: number;
  itemId: string | null;
  variantId: string | null;
  title: string | null;
  prices: Record<string, Price> | null;
  stock: number | null;
  categories: string[];
  error: FeedError | null;
}

/** What is previewed: a URL that has been checked, or a text. */
export type PreviewSource = { url: string } | { text: string };

/** Products and columns that are shown, bytes that are read, and milliseconds that a server has. */
const [MAX_PRODUCTS, MAX_COLUMNS, MAX_BYTES, MAX_MS] = [200, 200, 5_000_000, 10_000];
const [MAX_NAME, MAX_SAMPLE] = [255, 200];
const NOTHING = { itemId: null, variantId: null, title: null, prices: null, stock: null, categories: [] };

/**
 * Reads the beginning of a file, and writes nothing. Throws `FeedUnavailable` if it can't be fetched, and `NotAFeed` if it
 * is none.
 */
export async function previewFeed(
  storeId: string,
  source: PreviewSource,
  { format, currency }: { format: FeedFormat | null; currency: string | null },
  open: OpenFeed,
): Promise<FeedPreview> {
  const signal = AbortSignal.timeout(MAX_MS);
  const read: ReadRecord[] = [];
  const cut = { isCut: false };
  let [found, ended] = [format, true];
  try {
    const chunks = 'text' in source ? chunksOf(source.text) : await fetched(storeId, source.url, open, signal);
    const opened = await openRecords(upTo(MAX_BYTES, chunks, cut), format);
    found = opened.format;
    for await (const one of opened.records) {
      // One more tells that there are more.
      if (read.push(one) > MAX_PRODUCTS) break;
    }
    // The last may end where the reading did.
    if (cut.isCut) read.pop();
  } catch (error) {
    // A text is how a file begins, and may end anywhere.
    const isCut = cut.isCut || signal.aborted || ('text' in source && error instanceof NotAFeed);
    ended = false;
    if (signal.aborted && read.length === 0) throw new FeedUnavailable('The server takes longer than 10 seconds');
    if (!isCut || read.length === 0) throw error;
  }
  const shown = read.slice(0, MAX_PRODUCTS);
  if (shown.length === 0)
    throw new NotAFeed(cut.isCut ? 'begins with more than 5 MB of no product' : 'has no products');
  const isComplete = ended && !cut.isCut && read.length <= MAX_PRODUCTS;
  const columns = new Map<string, string | null>();
  const products: PreviewProduct[] = [];
  for (const one of shown) {
    addColumns(columns, one);
    products.push(preview(one, currency ?? undefined));
    // Each may have a megabyte, and others wait meanwhile.
    await nextTurn();
  }
  return { format: found as FeedFormat, columns: columnsOf(columns), products, isComplete };
}

async function fetched(storeId: string, url: string, open: OpenFeed, signal: AbortSignal) {
  const opened = await open({ feedId: `preview ${storeId}`, url, signal });
  if (opened === 'unchanged') throw new FeedUnavailable('The server answers with 304');
  return opened.chunks;
}

async function* chunksOf(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text);
}

/** Ends after so many bytes, and says so. */
async function* upTo(bytes: number, chunks: AsyncIterable<Buffer>, cut: { isCut: boolean }): AsyncIterable<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) {
      cut.isCut = true;
      return;
    }
    yield chunk;
  }
}

/** Notes the columns of a record, each with the first value that it has. */
function addColumns(columns: Map<string, string | null>, read: ReadRecord): void {
  if (!('record' in read)) return;
  for (const [name, value] of Object.entries<unknown>(read.record satisfies FeedRecord)) {
    if (columns.size >= MAX_COLUMNS && !columns.has(name)) continue;
    columns.set(name, columns.get(name) ?? sampleOf(value));
  }
}

function columnsOf(columns: ReadonlyMap<string, string | null>): FeedPreview['columns'] {
  return [...columns].map(([name, sample]) => ({ name: clipped(name, MAX_NAME), becomes: becomesOf(name), sample }));
}

function sampleOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return clipped(typeof value === 'object' ? JSON.stringify(value) : String(value), MAX_SAMPLE);
}

const clipped = (text: string, longest: number) => text.slice(0, longest).toWellFormed();

function preview(read: ReadRecord, currency: string | undefined): PreviewProduct {
  const { line } = read;
  const product: Product =
    'record' in read ? toProduct(read.record, currency) : { column: null, problem: read.problem };
  if (!('patch' in product)) {
    return {
      line,
      ...NOTHING,
      error: { line, column: product.column && clipped(product.column, MAX_NAME), problem: product.problem },
    };
  }
  const violation = checkProduct(product);
  if (violation) {
    return { line, ...NOTHING, error: { line, column: String(violation.path[0]), problem: violation.problem } };
  }
  const { id, fields, variants = [] } = product.patch;
  const [variant] = variants;
  const { prices = null, stock = null } = variant?.fields ?? fields;
  const { title = null } = fields as { title?: string | null };
  const categories = product.categories.map(categoryIdOf);
  return {
    line,
    itemId: id,
    variantId: variant?.id ?? null,
    title,
    prices: prices as PreviewProduct['prices'],
    stock,
    categories,
    error: null,
  };
}
