import type { RejectionLog } from '../domain/rejections.ts';
import { clip, fieldOf } from '../domain/service-error.ts';
import type { Middleware } from './surface.ts';

/** Records why a request was refused or failed, for the store of its key. */
export function recordRejections(rejections: Pick<RejectionLog, 'add'>): Middleware {
  return async (ctx, next) => {
    await next();
    const { caller, error, requestId, operationId } = ctx.state;
    if (!caller || !error) return;
    const field = fieldOf(error.violations[0]?.path ?? []);
    rejections.add(caller, {
      requestId,
      operation: operationId ?? null,
      status: ctx.status,
      code: error.code,
      field: field && clip(field, 1000),
      message: error.message,
    });
  };
}
