import type { ErrorDetails, RateLimitDetails } from '../../generated/native/types.gen.ts';

/** A code of the service; or `no_answer`, where none came from it: the connection failed, took too long, or a proxy answered. */
export type ErrorCode = ErrorDetails['code'] | RateLimitDetails['code'] | 'no_answer';

interface Details {
  code: ErrorCode;
  status?: number | undefined;
  field?: string | null | undefined;
  errors?: ErrorDetails['errors'];
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A call that failed, for good or after its last attempt. `cause` has the error of the network, if it was one. */
export class FootfallError extends Error {
  override readonly name = 'FootfallError';
  readonly code: ErrorCode;
  /** The HTTP status; `undefined` where nothing answered. */
  readonly status: number | undefined;
  /** The field at fault, as a path from the root of the request: `events[17].profile`. Only of a `validation_error`. */
  readonly field: string | null;
  /** All that is wrong with the request, the first of which `field` and `message` name; empty where it is one thing alone. */
  readonly errors: NonNullable<ErrorDetails['errors']>;
  /** Identifies the request; quote it to support. */
  readonly requestId: string | undefined;
  /** Seconds after which the request may be sent again, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Details) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.field = details.field ?? null;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }

  /** The request was refused before anything was done, so that it may be repeated whatever it does. */
  get refused(): boolean {
    return this.status === 429 || this.code === 'upstream_error';
  }
}

/** The error that an answer tells. Where its body is not the service's, that is `no_answer`. */
export function errorOf({ status, headers }: Response, body: string): FootfallError {
  const error = errorIn(body);
  const retryAfter = Number.parseInt(headers.get('Retry-After') ?? '', 10);
  return new FootfallError(error?.message ?? `Status ${status}, without an answer of the service`, {
    code: error?.code ?? 'no_answer',
    status,
    field: error?.field,
    errors: error?.errors,
    requestId: error?.request_id ?? headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}

function errorIn(body: string): (Omit<ErrorDetails, 'code'> & { code: ErrorCode }) | undefined {
  try {
    return JSON.parse(body).error;
  } catch {
    return undefined;
  }
}
