/** Milliseconds. */
const TIMEOUT = 30_000;
/** Of requests that outlive their page, browsers allow 64 KB at a time, in bytes. */
const MAX_KEEPALIVE_CHARACTERS = 15_000;

/** Sends a body; returns undefined where there is no response. `outlives`: the request, the page. */
export async function post(url: string, body: string, outlives: boolean): Promise<Response | undefined> {
  const abort = new AbortController();
  const timeout = setTimeout(() => abort.abort(), TIMEOUT);
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      credentials: 'omit',
      keepalive: outlives && body.length < MAX_KEEPALIVE_CHARACTERS,
      signal: abort.signal,
    });
  } catch {
    return undefined;
  } finally {
    clearTimeout(timeout);
  }
}
