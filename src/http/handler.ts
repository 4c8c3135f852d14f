import type { Readable } from 'node:stream';
import type { Caller } from '../domain/caller.ts';
import type { Violation } from '../domain/service-error.ts';

/** A validated request, and who sends it. */
export interface Call<Request> {
  request: Pick<Request, keyof Request & ('body' | 'path' | 'query' | 'headers')>;
  caller: Caller;
  /** Its signal is aborted where nobody waits for the answer any more. */
  deadline: { readonly signal: AbortSignal };
  /** Scheme and host that the client addressed, for links: `https://footfall.example.com`. */
  origin(): string;
  /** What is wrong with the items that the request asked to skip, by their index; see `x-skippable-items`. */
  rejected: ReadonlyMap<number, Violation>;
}

/** What an operation may answer: one of the statuses and bodies of its spec, or a text that comes bit by bit. */
export type Reply<Responses> = {
  [Status in keyof Responses]: Answer<Status, { body: Responses[Status] }> | Streamed<Status, Responses[Status]>;
}[keyof Responses];

type Answer<Status, Content> = {
  status: Status;
  headers?: Record<string, string>;
  /** Whether the request can be sent again, to no other effect: then it may be refused where its answer is too much. */
  isRepeatable?: boolean;
} & Content;
type Streamed<Status, Body> = [Body] extends [string] ? Answer<Status, { stream: Readable }> : never;

/** A handler for every operation of a spec: the compiler reports a missing one, and one too many. */
export type Handlers<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { request: infer Request; responses: infer Responses }
    ? (call: Call<Request>) => Promise<Reply<Responses>>
    : never;
};

/** One handler of such a map. */
export type Handler<Operations, Id extends keyof Operations> = Handlers<Operations>[Id];
