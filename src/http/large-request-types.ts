import type { Caller } from '../domain/caller.ts';
import type { ErrorCode, Violation } from '../domain/service-error.ts';
import type { LoggedError } from '../process/log.ts';
import type { RequestFacts } from './audited.ts';
import type { Deadline } from './deadline.ts';

/** A request that has been authenticated and counted, and whose operation is known. */
export interface LargeRequest {
  surface: string;
  operationId: string;
  requestId: string;
  caller: Caller;
  base: string;
  /** Of an audited one. */
  facts: RequestFacts | undefined;
  /** Milliseconds that it may wait for the database. */
  budget: number;
  path: Record<string, string>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  /** Undefined if the operation takes none. */
  body: Uint8Array<ArrayBuffer> | undefined;
}

/** Its response, serialised. */
export interface LargeReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  isRepeatable: boolean;
  /** Set if the request was refused or failed; for the log and the rejections. */
  error: Refusal | undefined;
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The first violation in the response. */
  violation: Violation | undefined;
  retryAfter: number | undefined;
  cause: LoggedError | undefined;
}

/** Handles large requests, so that they do not delay others. */
export interface LargeRequestHandler {
  /** Takes ownership of the body. If the request is refused, throws the error with the response rendered. */
  perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply>;
}
