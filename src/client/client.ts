import type { Operations } from '../../generated/native/operations.gen.ts';
import { routes } from '../../generated/native/routes.gen.ts';
import { errorOf, FootfallError } from './error.ts';
import { madeRepeatable } from './repeatable.ts';
import { type Patience, retrying } from './retry.ts';

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

export type Result<I extends Id> = Operations[I]['responses'][keyof Operations[I]['responses']];

type Call<I extends Id> =
  Nothing extends Arguments<I>
    ? (args?: Arguments<I>, options?: CallOptions) => Promise<Result<I>>
    : (args: Arguments<I>, options?: CallOptions) => Promise<Result<I>>;

/** A method for each operation. All of them throw a `FootfallError`. */
export type Client = { readonly [I in Id]: Call<I> };

const DEFAULTS: Patience = {
  maxAttempts: 5,
  // Longer than the longest `Retry-After`, 60 seconds.
  timeoutMs: 90_000,
  attemptTimeoutMs: 30_000,
};

/** A client of the service. It holds no connection and no timer: there is nothing to close. */
export function createClient({ baseUrl, apiKey, fetch = globalThis.fetch, ...patience }: Options): Client {
  const headers = new Headers({ Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' });
  const limits = { ...DEFAULTS, ...patience };
  const call = (id: Id) => (given: object | undefined, options?: CallOptions) => {
    const { method, path } = routes[id];
    const { repeatable, args } = madeRepeatable(id, method, given ?? {});
    const { url, body } = address(baseUrl, method, path, args);
    const init = { method, headers, ...(body && { body }) };
    return retrying((signal) => answer(fetch, url, { ...init, signal }), limits, repeatable, options?.signal);
  };
  const ids = Object.keys(routes) as Id[];
  return Object.fromEntries(ids.map((id) => [id, call(id)])) as unknown as Client;
}

/** Puts each argument into its place: the path, then the body of a write or the query of anything else. */
function address(baseUrl: string, method: string, path: string, args: object): { url: URL; body?: string } {
  const rest: Record<string, unknown> = { ...args };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled);
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return { url, body: JSON.stringify(rest) };
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return { url };
}

async function answer(fetch: typeof globalThis.fetch, url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init);
    const body = await response.text();
    if (!response.ok) throw errorOf(response, body);
    return body === '' ? undefined : JSON.parse(body);
  } catch (error) {
    if (error instanceof FootfallError) throw error;
    throw new FootfallError(`${init.method} ${url.pathname} was not answered`, { code: 'no_answer', cause: error });
  }
}
