import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { invalid, ServiceError } from '../domain/errors.ts';
import { parseJson } from '../domain/unstorable.ts';
import type { Ctx } from './surface.ts';

/** Bytes, after decompression. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

interface ReadError extends Error {
  type?: string;
  code?: string;
}

/**
 * Reads a JSON body of one of the media types. koa-bodyparser limits, decompresses and collects it, as bytes; we
 * decode and parse, so that broken UTF-8 is refused rather than replaced, and no digit is lost in silence.
 */
export function jsonBody(types: readonly string[]): (ctx: Ctx) => Promise<unknown> {
  const collect = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [...types] },
    textLimit: `${MAX_BODY_BYTES}b`,
    // Without an encoding it collects bytes; its type declarations do not know the option.
    ...{ encoding: null },
    onerror: (error) => {
      throw toServiceError(error as ReadError);
    },
  });
  return async (ctx) => {
    if (!ctx.is([...types])) {
      // Null where there is no body at all.
      if (ctx.is([...types]) === null) throw invalid({ path: [], problem: 'is required' });
      throw new ServiceError('validation_error', `The Content-Type must be ${types.join(' or ')}`);
    }
    await collect(ctx as unknown as Parameters<typeof collect>[0], async () => {});
    const bytes: unknown = ctx.request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid({ path: [], problem: 'is required' });
    if (!isUtf8(bytes)) throw new ServiceError('validation_error', 'The body is not valid UTF-8');
    try {
      return parseJson(bytes.toString());
    } catch {
      // Not the parser's message: it quotes the body.
      throw new ServiceError('validation_error', 'The body is not valid JSON');
    }
  };
}

/** The error carries what was read of the body: it must not get into the log, so it is not kept as a cause. */
function toServiceError({ type, code, message }: ReadError): ServiceError {
  switch (type) {
    case 'entity.too.large':
      return new ServiceError('validation_error', 'The body is larger than 5 MB');
    case 'request.aborted':
    case 'request.size.invalid':
      return new ServiceError('validation_error', 'The body is not as long as its Content-Length');
    default:
  }
  if (message.startsWith('Unsupported Content-Encoding')) {
    return new ServiceError('validation_error', 'The Content-Encoding must be gzip, deflate or br');
  }
  // What is left comes from the decompressors.
  return new ServiceError('validation_error', `The body could not be decompressed${code ? ` (${code})` : ''}`);
}
