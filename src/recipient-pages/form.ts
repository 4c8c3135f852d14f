import { ServiceError } from '../domain/service-error.ts';
import { jsonBody } from '../http/json-body.ts';
import type { LoadShedder } from '../http/load-shedder.ts';
import type { Ctx } from '../http/surface.ts';

const TYPE = 'application/x-www-form-urlencoded';
/** Bytes; that of 50 topics is a third of it. */
const MAX_BYTES = 16 * 1024;

const readBytes = jsonBody([TYPE], MAX_BYTES);

/** Reads the fields of a form that a page has sent. Throws `validation_error` if there is none, or if it is too large. */
export async function readForm(
  ctx: Ctx,
  loadShedder: LoadShedder,
  { storeId, messageId }: { storeId: string; messageId: string },
): Promise<URLSearchParams> {
  const budget = loadShedder.clientBodyBudget(storeId, messageId);
  try {
    return new URLSearchParams((await readBytes(ctx, budget)).toString());
  } finally {
    budget.release();
  }
}

/** Whether the sender of a form, rather than the service, is at fault. */
export function isFaultOfForm(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'validation_error';
}
