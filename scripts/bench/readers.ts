import { setTimeout as sleep } from 'node:timers/promises';
import type { Read } from './reads.ts';

interface Target {
  url: string;
  key: string;
}

/** Something that reads until it is told to stop; it fails if the service does. */
export interface Reader {
  /** Responses or messages received. */
  count(): number;
  end(): Promise<void>;
}

/** Opens `ofEach` event streams with each key; resolves once all are open. */
export async function openStreams(url: string, keys: readonly string[], ofEach: number): Promise<Reader> {
  const leaving = new AbortController();
  let messages = 0;
  const follow = async (body: ReadableStream<Uint8Array>) => {
    for await (const chunk of body) messages += Buffer.from(chunk).toString().split('\n\n').length - 1;
  };
  const open = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/events/stream`, { headers, signal: leaving.signal });
    if (!response.ok || !response.body) throw new Error(`A stream was answered with ${response.status}`);
    return response.body;
  };
  const bodies = await Promise.all(keys.flatMap((key) => Array.from({ length: ofEach }, () => open(key))));
  const streams = bodies.map((body) =>
    follow(body).catch((error) => {
      if (!leaving.signal.aborted) throw error;
    }),
  );
  return {
    count: () => messages,
    end: async () => {
      leaving.abort();
      await Promise.all(streams);
    },
  };
}

/** Sends a number of requests per second, of each kind in turn. */
export function readContinuously({ url, key }: Target, reads: readonly Read[], perSecond: number): Reader {
  const headers = { Authorization: `Bearer ${key}` };
  let [ended, answered] = [false, 0];
  const underWay = new Set<Promise<void>>();
  const ask = async (path: string) => {
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    answered += 1;
  };
  const run = async () => {
    for (let n = 0; !ended; n += 1) {
      const request = ask((reads[n % reads.length] as Read)()).finally(() => underWay.delete(request));
      underWay.add(request);
      await sleep(1000 / perSecond);
    }
    await Promise.all(underWay);
  };
  const running = run();
  return {
    count: () => answered,
    end: async () => {
      ended = true;
      await running;
    },
  };
}
