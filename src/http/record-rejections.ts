import type { RejectionLog } from '../domain/rejections.ts';
import { clip, fieldOf } from '../domain/service-error.ts';
import { MemoryWindow } from '../rate-limit/memory-window.ts';
import { STATUS_OF_CODE } from './status.ts';
import type { Middleware } from './surface.ts';

/** Refusals of pages and apps that each process records for a store in a minute; others would soon push out the rest. */
const MAX_OF_CLIENTS = 10;

/** Records why a request was refused or failed, for the store of its key. */
export function recordRejections(rejections: Pick<RejectionLog, 'add'>): Middleware {
  const ofClients = new MemoryWindow();
  return async (ctx, next) => {
    await next();
    const { caller, error, requestId, operationId } = ctx.state;
    if (!caller || !error) return;
    const isClientRefusal = ctx.state.client !== undefined && STATUS_OF_CODE[error.code] < 500;
    if (isClientRefusal && !ofClients.admit(caller.storeId, MAX_OF_CLIENTS).admitted) return;
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
