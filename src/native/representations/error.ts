import type { ErrorResponse, RateLimitError } from '../../../generated/native/types.gen.ts';
import { clip, fieldOf, type ServiceError } from '../../domain/service-error.ts';

/** Returns the error body of the native surface; `field` is that of the first violation, null if there is none. */
export function renderError(error: ServiceError, requestId: string): ErrorResponse | RateLimitError {
  const { code, message } = error;
  if (code === 'rate_limit_exceeded') return { error: { code, message, request_id: requestId } };
  const field = fieldOf(error.violations[0]?.path ?? []);
  return { error: { code, message, field: field && clip(field, 1000), request_id: requestId } };
}
