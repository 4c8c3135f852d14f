import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FeedUnavailable, type OpenedFeed, type OpenFeed } from '../domain/catalog/feeds/fetch.ts';
import type { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { problemOfUrl } from '../domain/webhooks/endpoints/url.ts';
import { Agents } from './agents.ts';
import { RefusedAddress, type Resolve, resolveByServers } from './checked-lookup.ts';
import { errorOf } from './errors.ts';

/** Bytes of a file, inflated; of the headers of an answer; and redirects. */
const [MAX_BYTES, MAX_HEADERS, MAX_REDIRECTS] = [500 * 1000 * 1000, 16 * 1024, 3];
/** Milliseconds without a byte. */
const SILENCE_MS = 30_000;
/** Interim answers (1xx): each is parsed, and keeps the silence away. */
const MAX_INTERIM = 100;
/** Characters of what a server calls a file. */
const MAX_VALIDATOR = 1_000;

const WORDS: Readonly<Partial<Record<ReturnType<typeof errorOf>, string>>> = {
  address_refused: 'The URL leads to an address that is not permitted',
  name_not_found: 'The name of the server is not known',
  connection_refused: 'The server refuses connections',
  connect_timeout: 'The server can not be reached',
  timeout: 'The server sends nothing for 30 seconds',
  tls_failed: 'The certificate of the server is not valid',
  malformed_answer: 'The server answers with something that is not HTTP',
};

export interface FeedServerOptions {
  networks: Networks;
  /** Whether `http` is allowed beside `https`. */
  allowHttp: boolean;
  resolve?: Resolve;
  maxBytes?: number;
}

/** Asks servers for files, none of which is trusted: each redirect leads to an address that is checked anew. */
export class FeedServers {
  readonly #agents: Agents;
  readonly #options: FeedServerOptions;

  constructor(options: FeedServerOptions) {
    this.#agents = new Agents(options.networks, options.resolve ?? resolveByServers());
    this.#options = options;
  }

  close(): void {
    this.#agents.close();
  }

  readonly open: OpenFeed = async ({ feedId, url: text, known, signal }): Promise<OpenedFeed> => {
    let url = new URL(text);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await this.#ask(feedId, url, known, signal);
      const { statusCode: status = 0, headers } = answer;
      if (status === 200) {
        return { ...validatorsOf(headers), chunks: inflated(answer, this.#options.maxBytes ?? MAX_BYTES) };
      }
      answer.destroy();
      if (status === 304 && known) return 'unchanged';
      const target = [301, 302, 303, 307, 308].includes(status) && URL.parse(headers.location ?? '', url);
      if (!target) throw new FeedUnavailable(`The server answers with ${status}`);
      const problem = problemOfUrl(target.href, this.#options);
      if (problem) throw new FeedUnavailable(`The server redirects to a URL that ${problem}`);
      url = target;
    }
    throw new FeedUnavailable(`The server redirects more than ${MAX_REDIRECTS} times`);
  };

  #ask(
    feedId: string,
    url: URL,
    known: { etag: string | null; lastModified: string | null } | undefined,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    try {
      // The rules may have changed since the URL was accepted.
      if (problemOfUrl(url.href, this.#options)) throw new RefusedAddress('Not permitted');
      const { request } = url.protocol === 'https:' ? https : http;
      const sent = request(url, {
        agent: this.#agents.of(feedId, url),
        headers: {
          'user-agent': 'Footfall-Feeds/1',
          accept: '*/*',
          'accept-encoding': 'gzip, identity;q=0.5',
          ...(known?.etag && { 'if-none-match': known.etag }),
          ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
        },
        maxHeaderSize: MAX_HEADERS,
        signal,
      });
      const silent = () => sent.destroy(new FeedUnavailable(WORDS.timeout));
      sent.setTimeout(SILENCE_MS, silent);
      sent.once('response', resolve);
      let interim = 0;
      sent.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM) sent.destroy(new FeedUnavailable(WORDS.malformed_answer));
      });
      sent.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new FeedUnavailable(WORDS.malformed_answer));
      });
      sent.on('error', (error) => reject(unavailable(error)));
      sent.end();
    } catch (error) {
      reject(unavailable(error));
    }
    return promise;
  }
}

function validatorsOf({ etag, 'last-modified': modified }: http.IncomingHttpHeaders) {
  const kept = (text: string | undefined) => (text !== undefined && text.length <= MAX_VALIDATOR ? text : null);
  return { etag: kept(etag), lastModified: kept(modified) };
}

/** The bytes of an answer, inflated if they are a gzip file, or sent as one. */
async function* inflated(answer: http.IncomingMessage, maxBytes: number): AsyncIterable<Buffer> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  try {
    if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
      throw new FeedUnavailable('The server sends the file in an encoding other than gzip');
    }
    let bytes = 0;
    for await (const chunk of await gunzipped(bounded(answer, maxBytes))) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw unavailable(error);
  } finally {
    answer.destroy();
  }
}

async function* bounded(answer: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** A gzip file is told by its first two bytes, whatever the server says of it. */
async function gunzipped(chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  let first = Buffer.alloc(0);
  while (first.length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  async function* all() {
    yield first;
    yield* chunks;
  }
  if (first[0] !== 0x1f || first[1] !== 0x8b) return all();
  const gunzip = createGunzip();
  // What goes wrong with the one ends the other, whose reader hears of it.
  pipeline(Readable.from(all()), gunzip, () => undefined);
  return gunzip;
}

function tooLarge(maxBytes: number): FeedUnavailable {
  return new FeedUnavailable(`The file has more than ${maxBytes / 1_000_000} MB`);
}

function unavailable(error: unknown): unknown {
  if (error instanceof FeedUnavailable || !(error instanceof Error)) return error;
  if (error.name === 'AbortError') return error;
  const { code = '' } = error as { code?: string };
  if (code.startsWith('Z_')) {
    return new FeedUnavailable(code === 'Z_BUF_ERROR' ? 'The file ends too early' : 'The file is no valid gzip file');
  }
  const reason = errorOf(error);
  if (reason === 'connection_closed') return new FeedUnavailable('The server ends before all of the file has come');
  return new FeedUnavailable(WORDS[reason] ?? 'The server can not be reached');
}
