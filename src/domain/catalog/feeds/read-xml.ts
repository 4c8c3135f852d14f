import { Parser } from 'htmlparser2';
import { NotAFeed } from './not-a-feed.ts';
import type { FeedRecord } from './product.ts';
import type { ReadRecord } from './read-record.ts';

/** Elements of RSS, of Atom and of RDF that are products, and those that may be around them. */
const PRODUCTS = new Set(['item', 'entry']);
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf', 'channel']);
const NAME = /^[A-Za-z][\w:.-]{0,99}$/;
/** Characters of one product, or of a tag or a comment; and elements within another. */
const [MAX_PRODUCT, MAX_DEPTH] = [1024 * 1024, 50];
/** Characters that are parsed at a time. */
const PORTION = 64 * 1024;

/**
 * Reads the products of Google's feeds: RSS 2.0, Atom. An entity of the file's own is never expanded: a file that declares
 * one is refused. Throws `NotAFeed` if it is none, or ends too early.
 */
export async function* readXml(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadRecord> {
  const open: string[] = [];
  const ready: ReadRecord[] = [];
  let product: Record<string, string | string[]> | undefined;
  let [text, size, line, begins, isOver] = ['', 0, 1, 1, false];
  // Whether the parser has told something apart; as long as it does not, it keeps what it was given.
  let [isTold, kept] = [false, 0];
  let openedAt = -1;
  const count = (more: number) => {
    isTold = true;
    size += more;
    if (product && size > MAX_PRODUCT) throw new NotAFeed('has a product of more than 1 MB');
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length === 0 && !ROOTS.has(name.toLowerCase())) {
          // Whoever wrote the file may have called it anything.
          throw new NotAFeed(NAME.test(name) ? `is ${name}, and no feed of products` : 'is no feed of products');
        }
        if (open.length >= MAX_DEPTH) throw new NotAFeed('is nested too deeply');
        if (PRODUCTS.has(name) && !product) [product, size, begins] = [Object.create(null), 0, line];
        // Atom has links as attributes.
        else if (product && name === 'link' && attributes.href) product.link = attributes.href;
        count(name.length);
        open.push(name);
        [text, openedAt] = ['', parser.endIndex];
      },
      ontext(more) {
        count(more.length);
        if (product) text += more;
      },
      oncommentend() {
        isTold = true;
      },
      onclosetag(name, isImplied) {
        // `<a/>` ends where it begins.
        if (isImplied && parser.endIndex !== openedAt) throw new NotAFeed('ends too early, or is not well-formed');
        open.pop();
        if (product && PRODUCTS.has(name)) {
          ready.push({ line: begins, record: product as FeedRecord });
          product = undefined;
        } else if (product && text.trim() !== '') {
          const before = product[name];
          if (Array.isArray(before)) before.push(text.trim());
          else product[name] = before === undefined ? text.trim() : [before, text.trim()];
        }
        text = '';
        if (open.length === 0) isOver = true;
      },
      onprocessinginstruction(name) {
        isTold = true;
        if (/^!(?:doctype|entity)/i.test(name)) throw new NotAFeed('declares entities or types of its own');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const all = decoder.decode(chunk, { stream: true });
    for (let at = 0; at < all.length; at += PORTION) {
      const more = all.slice(at, at + PORTION);
      isTold = false;
      parser.write(more);
      kept = isTold ? 0 : kept + more.length;
      if (kept > MAX_PRODUCT) throw new NotAFeed('has a tag or a comment of more than 1 MB');
      line += more.split('\n').length - 1;
      yield* ready.splice(0);
    }
  }
  if (!isOver) throw new NotAFeed('ends too early');
}
