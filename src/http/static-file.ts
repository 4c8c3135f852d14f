import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

type Content = Buffer | string;

/** Created when the file is first requested. */
interface Representation {
  content: Buffer;
  hash: string;
  gzipped?: Promise<Buffer>;
}

const compress = promisify(gzip);

/** A file that is the same for all clients, served from memory with an ETag, and gzipped if the client accepts that. */
export class StaticFile {
  readonly #type: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #load: () => Content;
  #loaded: Representation | undefined;

  /**
   * `type` is a media type or a file extension; `headers` replace those that data is served with. A `content` function
   * is called once, when the file is first requested.
   */
  constructor(type: string, content: Content | (() => Content), headers: Readonly<Record<string, string>> = {}) {
    this.#type = type;
    // Not personal: may be cached, but has to be revalidated.
    this.#headers = { 'Cache-Control': 'no-cache', ...headers };
    this.#load = typeof content === 'function' ? content : () => content;
  }

  /** Responds with 200, or 304 if the client has the current version. */
  async serve(ctx: Pick<Context, 'acceptsEncodings' | 'body' | 'get' | 'set' | 'status' | 'type'>): Promise<void> {
    this.#loaded ??= createRepresentation(this.#load());
    const file = this.#loaded;
    const gzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    ctx.status = 200;
    ctx.set(this.#headers);
    ctx.set('Vary', 'Accept-Encoding');
    // The same content in other bytes is only weakly equal.
    ctx.set('ETag', gzipped ? `W/"${file.hash}"` : `"${file.hash}"`);
    // Not koa's `fresh`, which heeds the `Cache-Control: no-cache` that fetch adds to such a request.
    if (ctx.get('If-None-Match').includes(`"${file.hash}"`)) {
      ctx.status = 304;
      return;
    }
    ctx.type = this.#type;
    if (gzipped) {
      file.gzipped ??= compress(file.content);
      ctx.set('Content-Encoding', 'gzip');
    }
    ctx.body = gzipped ? await file.gzipped : file.content;
  }
}

function createRepresentation(content: Content): Representation {
  return {
    content: typeof content === 'string' ? Buffer.from(content) : content,
    hash: createHash('sha256').update(content).digest('base64url').slice(0, 22),
  };
}
