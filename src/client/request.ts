import { errorOf, FootfallError } from './error.ts';

export interface Route {
  method: string;
  path: string;
}

/** Puts each argument of an operation into its place: the path, then the body of a write or the query of anything else. */
export function requestOf(baseUrl: string, { method, path }: Route, args: object): { url: URL; body?: string } {
  const rest: Record<string, unknown> = { ...args };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled);
  if (method !== 'GET' && method !== 'DELETE') return { url, body: JSON.stringify(rest) };
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return { url };
}

/** Sends a request, and reads its answer; throws a `FootfallError` where that is an error, or there is none. */
export async function send<T>(
  fetch: typeof globalThis.fetch,
  url: URL,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    const response = await fetch(url, init);
    if (!response.ok) throw errorOf(response, await response.text());
    return await read(response);
  } catch (error) {
    if (error instanceof FootfallError) throw error;
    throw new FootfallError(`${init.method} ${url.pathname}: no response`, { code: 'no_answer', cause: error });
  }
}
