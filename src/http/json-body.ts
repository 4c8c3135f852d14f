import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { parseLosslessJson } from '../domain/lossless-json.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import { BodyStream, CUT_OFF, tooLarge } from './body-stream.ts';
import type { BodyBudget } from './load-shedder.ts';
import type { Ctx } from './surface.ts';

interface ReadError extends Error {
  type?: string;
  code?: string;
}

/** Reads a JSON body of one of the media types, up to a number of bytes. */
export function jsonBody(
  types: readonly string[],
  maxBytes: number,
): (ctx: Ctx, bodyBudget: BodyBudget) => Promise<Buffer> {
  const collect = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [...types] },
    textLimit: `${maxBytes}b`,
    // Without an encoding koa-bodyparser collects bytes; its type declarations lack the option.
    ...{ encoding: null },
    onerror: (error) => {
      throw bodyError(error as ReadError, maxBytes);
    },
  });
  return async (ctx, bodyBudget) => {
    if (!ctx.is([...types])) {
      // Null if there is no body at all.
      if (ctx.is([...types]) === null) throw invalid({ path: [], problem: 'is required' });
      throw new ServiceError('validation_error', `The Content-Type must be ${types.join(' or ')}`);
    }
    try {
      const stream = new BodyStream(ctx.req, bodyBudget, maxBytes);
      await collect(stream.isPiped ? withRequest(ctx, stream.source) : ctx, async () => {});
      stream.freeChunks();
      stream.check();
    } catch (error) {
      // Drain the rest of the body: the next request on the connection would wait behind it forever.
      ctx.req.unpipe().resume();
      throw error;
    }
    const bytes: unknown = ctx.request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid({ path: [], problem: 'is required' });
    return bytes;
  };
}

/** The same context, whose body is read from another stream. */
function withRequest(ctx: Ctx, req: NodeJS.ReadableStream): Ctx {
  return Object.create(ctx, { req: { value: req } });
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Decodes and parses here, so that invalid UTF-8 is refused rather than replaced, and no digit is lost silently. A byte
 * order mark, which some editors and languages write, is skipped.
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ServiceError('validation_error', 'The body is not valid UTF-8');
  const text = bytes.toString();
  try {
    return parseLosslessJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    // Not the parser's message, which quotes the body.
    throw new ServiceError('validation_error', 'The body is not valid JSON');
  }
}

/** The error carries the part of the body that was read. It must not reach the log, so it is not kept as a cause. */
function bodyError(error: ReadError, maxBytes: number): ServiceError {
  if (error instanceof ServiceError) return error;
  switch (error.type) {
    case 'entity.too.large':
      return tooLarge(maxBytes);
    case 'request.aborted':
    case 'request.size.invalid':
      return new ServiceError('validation_error', CUT_OFF);
    default:
  }
  // The remaining errors come from the decompressors.
  const { code } = error;
  return new ServiceError('validation_error', `The body could not be decompressed${code ? ` (${code})` : ''}`);
}
