import { invalid, ServiceError } from '../domain/service-error.ts';
import { BodyStream, CUT_OFF, tooLarge } from './body-stream.ts';
import type { BodyBudget } from './load-shedder.ts';
import type { Ctx } from './surface.ts';

/** Reads a body of whatever media type, up to a number of bytes. Throws `validation_error` for none, and for one that is cut off. */
export async function readBytes(ctx: Ctx, budget: BodyBudget, maxBytes: number): Promise<Buffer> {
  const { req } = ctx;
  try {
    const stream = new BodyStream(req, budget, maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream.source) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk as Buffer);
    }
    stream.check();
    if (size === 0) throw invalid({ path: [], problem: 'is required' });
    return Buffer.concat(chunks);
  } catch (error) {
    // The next request on the connection would wait behind the rest of the body.
    req.unpipe().resume();
    if (error instanceof ServiceError) throw error;
    const { code = '' } = error as { code?: string };
    const isCut = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
    throw new ServiceError('validation_error', isCut ? CUT_OFF : `The body could not be decompressed (${code})`);
  }
}
