import type { IncomingMessage } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { ServiceError } from '../domain/service-error.ts';
import { freeNow } from '../process/free-now.ts';
import { LARGE_BODY_BYTES, MAX_BODY_BYTES, MAX_COMPRESSION, MAX_SMALL_BODY_CHUNKS } from '../process/limits.ts';
import type { BodyBudget } from './load-shedder.ts';

/** Decoders of a body, by Content-Encoding. */
const DECODERS: Record<string, () => Duplex> = {
  identity: () => new PassThrough(),
  gzip: createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** Minimum bytes counted for a chunk: one with a single byte is an object too. */
const MIN_CHUNK_BYTES = 128;
/** Decoded bytes above which the compression ratio is limited. */
const RATIO_CHECKED_BYTES = 1024 * 1024;

export const CUT_OFF = 'The body is shorter than its Content-Length';

/** The body of a request. It takes memory as it arrives, not as its Content-Length announces. */
export class BodyStream {
  /** Decoded bytes; ends with an error if the memory budget is exhausted. */
  readonly source: NodeJS.ReadableStream;
  /** Whether `source` is a stream other than the request itself. */
  readonly isPiped: boolean;
  readonly #bodyBudget: BodyBudget;
  readonly #maxBytes: number;
  /** Those of a piped body; where it is compressed, they are parts of buffers that are shared, and not freed. */
  readonly #decodedChunks: Buffer[] = [];
  #received = 0;
  #chunks = 0;
  #decoded = 0;
  #refusal: unknown;

  /** Throws if the announced length is too large or the Content-Encoding is unknown. */
  constructor(request: IncomingMessage, bodyBudget: BodyBudget, maxBytes: number) {
    this.#bodyBudget = bodyBudget;
    this.#maxBytes = maxBytes;
    const { 'content-encoding': coding = 'identity', 'content-length': length } = request.headers;
    const encoding = coding.trim().toLowerCase();
    const isPlain = encoding === 'identity';
    if (isPlain && Number(length) > maxBytes) throw tooLarge(maxBytes);
    this.isPiped = !isPlain || !(Number(length) <= LARGE_BODY_BYTES);
    this.source = this.isPiped ? this.#pipeToDecoder(request, encoding) : this.#countChunks(request);
  }

  /** Throws what was wrong with the body, once it has arrived. */
  check(): void {
    if (this.#refusal) throw this.#refusal;
    if (this.#decoded > RATIO_CHECKED_BYTES && this.#decoded > MAX_COMPRESSION * this.#received) {
      throw new ServiceError(
        'validation_error',
        `The body is compressed to less than 1/${MAX_COMPRESSION} of its size`,
      );
    }
  }

  /** Frees the chunks, once their bytes are elsewhere. */
  freeChunks(): void {
    for (const chunk of this.#decodedChunks.splice(0)) freeNow(chunk);
  }

  /** Reads without a stream in between, which would be a tenth of the cost of a small request. */
  #countChunks(request: IncomingMessage): NodeJS.ReadableStream {
    return request.on('data', (chunk: Buffer) => {
      this.#chunks += 1;
      // No client sends so many by accident.
      if (this.#chunks > MAX_SMALL_BODY_CHUNKS) request.destroy();
      this.#takeBudget(chunk.length);
    });
  }

  #pipeToDecoder(request: IncomingMessage, encoding: string): NodeJS.ReadableStream {
    const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
    if (!decode) throw new ServiceError('validation_error', 'The Content-Encoding must be gzip, deflate or br');
    const decoder = decode();
    request.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      // Compressed data may be endless and yet decode to nothing.
      if (this.#received > MAX_BODY_BYTES) decoder.destroy(tooLarge(this.#maxBytes));
    });
    decoder.on('data', (chunk: Buffer) => {
      this.#decoded += chunk.length;
      this.#decodedChunks.push(chunk);
      this.#takeBudget(chunk.length);
      if (this.#refusal) decoder.destroy(this.#refusal as Error);
    });
    // A pipe does not forward that its source was cut off.
    request.once('close', () => request.complete || decoder.destroy(new ServiceError('validation_error', CUT_OFF)));
    return Object.assign(request.pipe(decoder), { headers: {} });
  }

  #takeBudget(bytes: number): void {
    try {
      this.#bodyBudget.take(Math.max(bytes, MIN_CHUNK_BYTES));
    } catch (error) {
      this.#refusal ??= error;
    }
  }
}

export function tooLarge(maxBytes: number): ServiceError {
  const size = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KB` : `${maxBytes / 1024 / 1024} MB`;
  return new ServiceError('validation_error', `The body is larger than ${size}`);
}
