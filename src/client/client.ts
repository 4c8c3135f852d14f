import type { Operations } from '../../generated/native/operations.gen.ts';
import { routes } from '../../generated/native/routes.gen.ts';
import { madeRepeatable } from './repeatable.ts';
import { requestOf, send } from './request.ts';
import { type Patience, retrying } from './retry.ts';
import { messages, type StreamMessage } from './stream.ts';

export interface Options extends Partial<Patience> {
  /** Where the service is: `https://footfall.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Instead of the platform's own `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Gives the call up: it throws the signal's reason. */
  signal?: AbortSignal;
}

type Id = keyof Operations;
type Nothing = Record<never, never>;
type Part<Request, Name extends string> = Name extends keyof Request
  ? [Exclude<Request[Name], undefined>] extends [never]
    ? Nothing
    : Exclude<Request[Name], undefined>
  : Nothing;

/** What an operation is called with: the fields of its body or query, and the parameters of its path, in one object. */
export type Arguments<I extends Id> = Part<Operations[I]['request'], 'body'> &
  Part<Operations[I]['request'], 'query'> &
  Part<Operations[I]['request'], 'path'>;

/** The body of its answer. */
export type Result<I extends Id> = Operations[I]['responses'][keyof Operations[I]['responses']];

type Returned<I extends Id> = Result<I> extends string ? AsyncGenerator<StreamMessage, never> : Promise<Result<I>>;

type Call<I extends Id> =
  Nothing extends Arguments<I>
    ? (args?: Arguments<I>, options?: CallOptions) => Returned<I>
    : (args: Arguments<I>, options?: CallOptions) => Returned<I>;

/** A method for each operation. All of them throw a `FootfallError`. */
export type Client = { readonly [I in Id]: Call<I> };

const DEFAULTS: Patience = {
  maxAttempts: 5,
  // Longer than the longest `Retry-After`, 60 seconds.
  timeoutMs: 90_000,
  attemptTimeoutMs: 30_000,
};
/** Once a stream has begun, it connects again for as long as it takes. */
const PERSEVERANCE = { maxAttempts: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY };

/**
 * A client of the service. Between calls it holds no connection and no timer: there is nothing to close. Throws a
 * `TypeError` that names the option where an address or a key can't be one.
 */
export function createClient(options: Options): Client {
  const { baseUrl, apiKey, fetch = globalThis.fetch, ...patience } = checked(options);
  const limits = { ...DEFAULTS, ...patience };
  const headers = new Headers({ Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' });

  const call = async (id: Id, given: object, signal: AbortSignal | undefined) => {
    const { repeatable, args } = madeRepeatable(id, routes[id].method, given);
    const { url, body } = requestOf(baseUrl, routes[id], args);
    const init = { method: routes[id].method, headers, ...(body && { body }) };
    const read = (response: Response): Promise<unknown> => (routes[id].file ? response.blob() : response.json());
    return retrying((signal) => send(fetch, url, { ...init, signal }, read), limits, repeatable, signal);
  };

  const stream = (id: Id, args: object, signal: AbortSignal | undefined) => {
    const { method } = routes[id];
    const { url } = requestOf(baseUrl, routes[id], args);
    const connect = (lastEventId: string | undefined) => {
      const resumed = new Headers(headers);
      if (lastEventId) resumed.set('Last-Event-ID', lastEventId);
      const read = async (response: Response) => response;
      const attempt = (signal: AbortSignal) => send(fetch, url, { method, headers: resumed, signal }, read);
      return retrying(attempt, lastEventId ? { ...limits, ...PERSEVERANCE } : limits, true, signal);
    };
    return messages(connect, limits.attemptTimeoutMs, signal);
  };

  const ids = Object.keys(routes) as Id[];
  const methods = ids.map((id) => {
    const invoke = routes[id].stream ? stream : call;
    return [id, (args: object = {}, { signal }: CallOptions = {}) => invoke(id, args, signal)];
  });
  return Object.fromEntries(methods) as Client;
}

/** Callers in JavaScript, or with an environment variable that isn't set, learn it here and not in the first call. */
function checked(options: Options): Options {
  const { baseUrl, apiKey }: { baseUrl?: unknown; apiKey?: unknown } = options ?? {};
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError('createClient: baseUrl must be the address of the service, as https://footfall.example.com');
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('createClient: apiKey must be an API key of the store, as ffk_…');
  }
  return options;
}
