import type { Readable } from 'node:stream';
import type { Caller } from '../domain/caller.ts';
import type { Violation } from '../domain/service-error.ts';

/** A validated request and its caller. */
export interface Call<Request> {
  request: Pick<Request, keyof Request & ('body' | 'path' | 'query' | 'headers')>;
  caller: Caller;
  /**
   * Its signal is aborted when the client no longer waits for the response. What is awaited with `except` is not the
   * database, and bounds itself.
   */
  deadline: { readonly signal: AbortSignal; except<T>(other: Promise<T>): Promise<T> };
  /** Returns the surface's address as the client used it, for links: `https://footfall.example.com/compat/v1`. */
  base(): string;
  /** Violations of the items that the request asked to skip, by index; see `x-skippable-items`. */
  rejected: ReadonlyMap<number, Violation>;
}

/**
 * The response of an operation: one of the statuses and bodies of its spec, or no body; where there is only one, a stream of the
 * body's bytes may take its place.
 */
export type Reply<Responses> = {
  [Status in keyof Responses]: unknown extends Responses[Status]
    ? Answer<Status, { body?: undefined }>
    : Answer<Status, { body: Responses[Status] }> | Streamed<Status, keyof Responses>;
}[keyof Responses];

type Answer<Status, Content> = {
  status: Status;
  headers?: Record<string, string>;
  /** Whether a retry has no further effect: then the request may be refused if its response is too large. */
  isRepeatable?: boolean;
  /** The id of what it is about, for the audit log, where neither the path nor the body has it. */
  about?: string;
} & Content;

type Streamed<Status, All> = [All] extends [Status] ? Answer<Status, { stream: Readable }> : never;

/** A handler for every operation of a spec: the compiler reports missing and surplus ones. */
export type Handlers<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { request: infer Request; responses: infer Responses }
    ? (call: Call<Request>) => Promise<Reply<Responses>>
    : never;
};

/** The handler of one operation. */
export type Handler<Operations, Id extends keyof Operations> = Handlers<Operations>[Id];
