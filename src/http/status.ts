import type { ErrorCode } from '../domain/service-error.ts';

/** HTTP status by error code. Source: specification, section 7. */
export const STATUS_OF_CODE: Readonly<Record<ErrorCode, number>> = {
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  rate_limit_exceeded: 429,
  database_error: 500,
  upstream_error: 502,
  internal_error: 500,
};
