import { type Delays, toDelays } from '../automations/delays.ts';
import type { Store } from '../automations/stage.ts';
import type { Target } from '../service.ts';

export async function request<Body>(
  { url }: Target,
  { key }: Store,
  path: string,
  body?: object,
  method = 'POST',
): Promise<Body> {
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${url}${path}`, {
    headers,
    ...(body && { method, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} got ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

/** Asks for each path, one after another. */
export async function time(service: Target, store: Store, name: string, paths: readonly string[]): Promise<Delays> {
  const times: number[] = [];
  for (const path of paths) {
    const start = performance.now();
    await request(service, store, path);
    times.push(performance.now() - start);
  }
  return toDelays(name, times);
}
