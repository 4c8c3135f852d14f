import type { Caller } from '../domain/api-keys/api-keys.ts';
import type { ErrorCode, Violation } from '../domain/service-error.ts';
import type { BatchSource } from '../domain/write/batch-observer.ts';
import type { LoggedError } from '../process/log.ts';

/** Large requests that a process works on at the same time. */
export const MAX_AT_A_TIME = 3;

/** What the thread for large requests opens its database and contracts by. */
export interface LargeRequestsSetup {
  databaseUrl: string;
  compatAuthSchemes: readonly string[];
}

/** A request that is authenticated and counted, and whose operation is known. */
export interface LargeRequest {
  surface: string;
  operationId: string;
  requestId: string;
  caller: Caller;
  origin: string;
  /** Milliseconds that it may wait for the database. */
  budget: number;
  path: Record<string, string>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  /** Undefined where the operation takes none. */
  body: Uint8Array<ArrayBuffer> | undefined;
}

/** Its answer, written down. */
export interface LargeReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  isRepeatable: boolean;
  /** What the process has to know of it where the request was refused, or failed. */
  error: Refusal | undefined;
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The first of those that the answer lists. */
  violation: Violation | undefined;
  retryAfter: number | undefined;
  cause: LoggedError | undefined;
}

/** A batch that the thread has written, for the metrics. */
export interface BatchWritten {
  source: BatchSource;
  items: number;
  seconds: number;
}
