import { Parser } from 'htmlparser2';
import { NotAFeed } from './not-a-feed.ts';
import type { FeedRecord } from './product.ts';
import type { ReadRecord } from './read-record.ts';

/** Elements of RSS, of Atom and of RDF that are products, and those that may be around them. */
const PRODUCTS = new Set(['item', 'entry']);
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf', 'channel']);
/** Characters of one product, and elements within another. */
const [MAX_PRODUCT, MAX_DEPTH] = [1024 * 1024, 50];

/**
 * Reads the products of Google's feeds: RSS 2.0, Atom. An entity of the file's own is never expanded: a file that declares
 * one is refused. Throws `NotAFeed` if it is none, or ends too early.
 */
export async function* readXml(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadRecord> {
  const open: string[] = [];
  const ready: ReadRecord[] = [];
  let product: Record<string, string | string[]> | undefined;
  let [text, size, line, begins, isOver] = ['', 0, 1, 1, false];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length === 0 && !ROOTS.has(name.toLowerCase()))
          throw new NotAFeed(`is ${name}, and no feed of products`);
        if (open.length >= MAX_DEPTH) throw new NotAFeed('is nested too deeply');
        if (PRODUCTS.has(name) && !product) [product, size, begins] = [{}, 0, line];
        // Atom has links as attributes.
        else if (product && name === 'link' && attributes.href) product.link = attributes.href;
        open.push(name);
        text = '';
      },
      ontext(more) {
        size += more.length;
        if (product && size > MAX_PRODUCT) throw new NotAFeed('has a product of more than 1 MB');
        if (product) text += more;
      },
      onclosetag(name, isImplied) {
        if (isImplied && !isOver) throw new NotAFeed('ends too early, or is not well-formed');
        open.pop();
        if (product && PRODUCTS.has(name)) {
          ready.push({ line: begins, record: product as FeedRecord });
          product = undefined;
        } else if (product && text.trim() !== '') {
          const before = product[name];
          product[name] = before === undefined ? text.trim() : [...[before].flat(), text.trim()];
        }
        text = '';
        if (open.length === 0) isOver = true;
      },
      onprocessinginstruction(name) {
        if (/^!(?:doctype|entity)/i.test(name)) throw new NotAFeed('declares entities or types of its own');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const more = decoder.decode(chunk, { stream: true });
    parser.write(more);
    line += more.split('\n').length - 1;
    yield* ready.splice(0);
  }
  if (!isOver) throw new NotAFeed('ends too early');
}
