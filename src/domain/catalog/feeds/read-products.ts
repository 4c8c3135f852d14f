import { NotAFeed } from './not-a-feed.ts';
import { type Product, toProduct } from './product.ts';
import { type FeedFormat, formatOf, readRecords } from './read-records.ts';

/** Bytes by which it is decided what a file is. */
const BEGINNING = 4_096;

/** A product of a file, with the line on which it begins. */
export type ReadProduct = { line: number } & Product;

/** Reads the products of a file. Throws `NotAFeed` if it is none, or ends too early. */
export async function* readProducts(
  chunks: AsyncIterable<Buffer>,
  { format, currency }: { format: FeedFormat | null; currency: string | null },
): AsyncIterable<ReadProduct> {
  const { records } = await openRecords(chunks, format);
  for await (const one of records) {
    if ('problem' in one) yield { line: one.line, column: null, problem: one.problem };
    else yield { line: one.line, ...toProduct(one.record, currency ?? undefined) };
  }
}

/** Tells what a file is, unless that is given, and reads its records. Throws `NotAFeed` if it is none. */
export async function openRecords(chunks: AsyncIterable<Buffer>, given: FeedFormat | null) {
  const { beginning, all } = await splitBeginning(chunks);
  if (beginning.trim() === '') throw new NotAFeed('is empty');
  const looksLike = formatOf(beginning);
  if (!looksLike) throw new NotAFeed('is a page of HTML');
  const format = given ?? looksLike;
  return { format, records: readRecords(all, format) };
}

/** Reads how a file begins, and returns all of it beside. */
async function splitBeginning(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < BEGINNING) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const beginning = Buffer.concat(first);
  async function* all() {
    try {
      yield beginning;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { beginning: beginning.toString('utf8', 0, BEGINNING), all: all() };
}
