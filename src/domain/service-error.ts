/** The machine-readable error codes that clients see. Source: specification, section 7. */
export const ERROR_CODES = [
  'validation_error',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limit_exceeded',
  'database_error',
  'upstream_error',
  'internal_error',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One thing wrong with a request. */
export interface Violation {
  /** Keys and indices from the root of the body; empty for the body as a whole. */
  path: readonly (string | number)[];
  /** A sentence without its subject, the field: "must be a string". */
  problem: string;
  /** The malformed e-mail address, for a response that has to repeat it; never for the log. */
  address?: string;
}

interface Details {
  /** For `validation_error`: at least one. */
  violations?: readonly Violation[];
  /** Seconds after which a retry may succeed. */
  retryAfter?: number;
  /** For the log, never for the client. */
  cause?: unknown;
  /** The response body, if it is already serialised. */
  rendered?: Uint8Array;
}

/** An error for the client: `message` is public, `cause` is not. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  readonly retryAfter: number | undefined;
  readonly rendered: Uint8Array | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.violations = details.violations ?? [];
    this.retryAfter = details.retryAfter;
    this.rendered = details.rendered;
  }
}

/** Seconds after which a request refused under overload may be retried. */
const RETRY_AFTER_OVERLOAD = 1;

/** Returns an `upstream_error` for what may well succeed a moment later. */
export function overloaded(message = 'The service is overloaded; try again later'): ServiceError {
  return new ServiceError('upstream_error', message, { retryAfter: RETRY_AFTER_OVERLOAD });
}

/** `['events', 3, 'profile']` → `events[3].profile`; null for the root. */
export function fieldOf(path: Violation['path']): string | null {
  if (path.length === 0) return null;
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');
}

/** Returns a `validation_error` for the given violations, with a message. */
export function invalid(...violations: [Violation, ...Violation[]]): ServiceError {
  return invalidAll(violations);
}

/** The same for a non-empty list, which may be longer than an argument list can be. */
export function invalidAll(violations: readonly Violation[]): ServiceError {
  return new ServiceError('validation_error', describe(violations[0] as Violation), { violations });
}

/** "profile.email must be an e-mail address"; long field names are clipped to keep the message readable. */
export function describe({ path, problem }: Violation): string {
  return `${clip(fieldOf(path) ?? 'The body', 200)} ${problem}`;
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`.toWellFormed();
}
