import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

type Content = Buffer | string;

/** Of a file; each is made when it is first asked for. */
interface Representation {
  content: Buffer;
  hash: string;
  gzipped?: Promise<Buffer>;
}

const compress = promisify(gzip);

/** A file that is the same for everybody, served from memory: with an ETag, and gzipped to clients that accept that. */
export class StaticFile {
  readonly #type: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #load: () => Content;
  #loaded: Representation | undefined;

  /**
   * `type` is a media type, or the extension of a file; `headers` replace those that data is served with. A function as
   * `content` is called once, when the file is first asked for.
   */
  constructor(type: string, content: Content | (() => Content), headers: Readonly<Record<string, string>> = {}) {
    this.#type = type;
    // Nobody's data: may be kept, but a new version has to be seen.
    this.#headers = { 'Cache-Control': 'no-cache', ...headers };
    this.#load = typeof content === 'function' ? content : () => content;
  }

  /** Answers 200, or 304 to a client that has it. */
  async serve(ctx: Pick<Context, 'acceptsEncodings' | 'body' | 'get' | 'set' | 'status' | 'type'>): Promise<void> {
    this.#loaded ??= represent(this.#load());
    const file = this.#loaded;
    const gzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    ctx.status = 200;
    ctx.set(this.#headers);
    ctx.set('Vary', 'Accept-Encoding');
    // The same content in other bytes is the same only weakly.
    ctx.set('ETag', gzipped ? `W/"${file.hash}"` : `"${file.hash}"`);
    // Not koa's `fresh`: that heeds the `Cache-Control: no-cache` which fetch adds to such a request.
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

function represent(content: Content): Representation {
  return {
    content: Buffer.from(content),
    hash: createHash('sha256').update(content).digest('base64url').slice(0, 22),
  };
}
