import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import bodyParser from 'koa-bodyparser';
import { MAX_BODY_BYTES } from '../bounds.ts';
import { invalid, ServiceError } from '../domain/errors.ts';
import { parseJson } from '../domain/unstorable.ts';
import type { BodyRoom } from './load.ts';
import type { Ctx } from './surface.ts';

interface ReadError extends Error {
  type?: string;
  code?: string;
}

/** What decodes a body, by its Content-Encoding. */
const DECODERS: Record<string, () => Duplex> = {
  identity: () => new PassThrough(),
  gzip: createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** Collects a JSON body of one of the media types, as far as it may be long. */
export function jsonBody(types: readonly string[]): (ctx: Ctx, room: BodyRoom) => Promise<Buffer> {
  const collect = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [...types] },
    textLimit: `${MAX_BODY_BYTES}b`,
    // Without an encoding koa-bodyparser collects bytes; its type declarations do not know the option.
    ...{ encoding: null },
    onerror: (error) => {
      throw toServiceError(error as ReadError);
    },
  });
  return async (ctx, room) => {
    if (!ctx.is([...types])) {
      // Null where there is no body at all.
      if (ctx.is([...types]) === null) throw invalid({ path: [], problem: 'is required' });
      throw new ServiceError('validation_error', `The Content-Type must be ${types.join(' or ')}`);
    }
    try {
      const source = { request: ctx.request, req: open(ctx.req, room) };
      await collect(source as unknown as Parameters<typeof collect>[0], async () => {});
    } catch (error) {
      // What is left of the body is dropped: the next request on the connection would wait behind it for ever.
      ctx.req.unpipe().resume();
      throw error;
    }
    const bytes: unknown = ctx.request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid({ path: [], problem: 'is required' });
    return bytes;
  };
}

/** Decodes and parses here, so that broken UTF-8 is refused rather than replaced, and no digit is lost in silence. */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ServiceError('validation_error', 'The body is not valid UTF-8');
  try {
    return parseJson(bytes.toString());
  } catch {
    // Not the parser's message: it quotes the body.
    throw new ServiceError('validation_error', 'The body is not valid JSON');
  }
}

/** A body as a stream of decoded bytes, which ends with an error where there is no room for it. */
function open(request: IncomingMessage, room: BodyRoom): NodeJS.ReadableStream {
  const { 'content-encoding': coding = 'identity', 'content-length': length } = request.headers;
  const encoding = coding.trim().toLowerCase();
  if (encoding === 'identity' && length !== undefined) {
    room.take(Math.min(Number(length), MAX_BODY_BYTES));
    return request;
  }
  // How long it is shows only as it comes.
  const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decode) throw new ServiceError('validation_error', 'The Content-Encoding must be gzip, deflate or br');
  const decoder = decode();
  decoder.on('data', ({ length }: Buffer) => {
    try {
      room.take(length);
    } catch (error) {
      decoder.destroy(error as Error);
    }
  });
  // A pipe does not pass on that its source is cut off.
  request.once('close', () => request.complete || decoder.destroy(new ServiceError('validation_error', CUT_OFF)));
  return Object.assign(request.pipe(decoder), { headers: {} });
}

const CUT_OFF = 'The body is not as long as its Content-Length';

/** The error carries what was read of the body: it must not get into the log, so it is not kept as a cause. */
function toServiceError(error: ReadError): ServiceError {
  if (error instanceof ServiceError) return error;
  switch (error.type) {
    case 'entity.too.large':
      return new ServiceError('validation_error', 'The body is larger than 5 MB');
    case 'request.aborted':
    case 'request.size.invalid':
      return new ServiceError('validation_error', CUT_OFF);
    default:
  }
  // What is left comes from the decompressors.
  const { code } = error;
  return new ServiceError('validation_error', `The body could not be decompressed${code ? ` (${code})` : ''}`);
}
