import type { Caller } from '../domain/caller.ts';
import type { ErrorCode, Violation } from '../domain/service-error.ts';
import type { LoggedError } from '../process/log.ts';
import type { Deadline } from './deadline.ts';

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

/** What large requests are handed to, so that they do not hold up the others. */
export interface LargeRequestHandler {
  /** Takes over the body. Throws what the request is refused for, with the response rendered. */
  perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply>;
}
