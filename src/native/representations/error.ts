import type { ErrorResponse, RateLimitError } from '../../../generated/native/types.gen.ts';
import { clip, describe, fieldOf, type ServiceError, type Violation } from '../../domain/service-error.ts';

/** Returns the error body of the native surface; `field` is that of the first violation, null if there is none. */
export function renderError(error: ServiceError, requestId: string): ErrorResponse | RateLimitError {
  const { code, message } = error;
  if (code === 'rate_limit_exceeded') return { error: { code, message, request_id: requestId } };
  const { violations } = error;
  const errors = violations.length > 1 ? violations.slice(0, MAX_ERRORS).map(renderViolation) : undefined;
  const field = shownField(violations[0]?.path ?? []);
  return { error: { code, message, field, ...(errors && { errors }), request_id: requestId } };
}

/** What is wrong with a request may be one thing in each of thousands of items. */
const MAX_ERRORS = 100;

function renderViolation(violation: Violation): { field: string | null; message: string } {
  return { field: shownField(violation.path), message: clip(describe(violation), 1000) };
}

function shownField(path: Violation['path']): string | null {
  const field = fieldOf(path);
  return field && clip(field, 1000);
}
