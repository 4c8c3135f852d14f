/** Attacks of a careless or hostile store, for `bench-tenants.ts`. Each continues until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** What an attack is made with. */
export interface Attacker {
  url: string;
  key: string;
  /** Requests per second that its key admits. */
  rate: number;
  /** Called after each successful request. */
  onSuccess: () => void;
  ended: AbortSignal;
}

export type Attack = (attacker: Attacker) => Promise<void>;

const MEGABYTE = 1024 * 1024;
/**
 * Not the address of the other store: the connections of an address are limited too. Other systems lack this address.
 */
const localAddress = process.platform === 'linux' ? '127.0.0.2' : undefined;

/** An event of nearly 5 MB, which is sent in a few KB. */
const giant = (email: string) =>
  JSON.stringify({
    event_type: 'giant',
    profile: { email },
    properties: Object.fromEntries(Array.from({ length: 48 }, (_, n) => [`p${n}`, 'x'.repeat(100_000)])),
  });

/** A job of events of one profile, each of which appends to one of its lists. */
const appendingJob = () => {
  const events = Array.from({ length: 1_000 }, (_, n) => {
    const append = { tags: Array.from({ length: 300 }, (_, i) => `tag-${n}-${i}`) };
    const profile = {
      data: { type: 'profile', attributes: { email: 'one@example.com' }, meta: { patch_properties: { append } } },
    };
    const metric = { data: { type: 'metric', attributes: { name: 'Visit' } } };
    const group = { profile, events: { data: [{ type: 'event', attributes: { metric } }] } };
    return { type: 'event-bulk-create', attributes: group };
  });
  return JSON.stringify({
    data: { type: 'event-bulk-create-job', attributes: { 'events-bulk-create': { data: events } } },
  });
};

/** The same bytes used honestly: events of many profiles, in bulk. */
const honestBatch = () =>
  JSON.stringify({
    events: Array.from({ length: 1_000 }, (_, n) => ({
      event_type: 'visit',
      profile: { email: `customer-${n}@example.com` },
      properties: { page: 'x'.repeat(4_000) },
    })),
  });

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'honest bulk requests of 4 MB': (attacker) => {
    const body = gzipSync(honestBatch());
    return repeatAction(attacker, 2, () =>
      send(attacker, 'POST', '/v1/events/bulk', body, { 'Content-Encoding': 'gzip' }),
    );
  },
  'jobs that append to one profile': (attacker) => {
    const body = gzipSync(appendingJob());
    const headers = { 'Content-Encoding': 'gzip' };
    return repeatAction(attacker, 2, () => send(attacker, 'POST', '/compat/v1/event-bulk-create-jobs', body, headers));
  },
  'events of 5 MB': (attacker) => {
    const body = gzipSync(giant('giant@example.com'));
    return repeatAction(attacker, 4, () => send(attacker, 'POST', '/v1/events', body, { 'Content-Encoding': 'gzip' }));
  },
  'lists of them that are not read': async (attacker) => {
    const sockets = await openSockets(attacker, 200, `GET /v1/events?limit=100 HTTP/1.1\r\n${headOf(attacker)}\r\n`);
    await untilEnded(attacker, sockets);
  },
  'streams that are not read': async (attacker) => {
    const sockets = await openSockets(attacker, 50, `GET /v1/events/stream HTTP/1.1\r\n${headOf(attacker)}\r\n`);
    const body = gzipSync(giant('giant@example.com'));
    await repeatAction(attacker, 1, () => send(attacker, 'POST', '/v1/events', body, { 'Content-Encoding': 'gzip' }));
    await untilEnded(attacker, sockets);
  },
  'bodies that never come': async (attacker) => {
    const length = 5 * MEGABYTE - 1;
    const head = `POST /v1/events HTTP/1.1\r\n${headOf(attacker)}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
    await untilEnded(attacker, await openSockets(attacker, 200, head));
  },
  'ten thousand idle connections': async (attacker) => {
    await untilEnded(attacker, await openSockets(attacker, 10_000, ''));
  },
  'gzip that grows a thousandfold': (attacker) => {
    const body = gzipSync(' '.repeat(5 * MEGABYTE - 100));
    return repeatAction(attacker, 8, () => send(attacker, 'POST', '/v1/events', body, { 'Content-Encoding': 'gzip' }));
  },
  'dear statistics and searches': (attacker) => {
    const reads = [
      '/v1/events/stats?interval=hour&from=2026-10-23T00:00:00Z&to=2026-11-22T00:00:00Z',
      '/v1/events/stats?interval=month&from=2016-12-01T00:00:00Z&to=2026-11-22T00:00:00Z',
      '/v1/events?property=p1&property_value=none',
      '/v1/profiles?email_prefix=c',
    ];
    let n = 0;
    return repeatAction(attacker, 12, () => send(attacker, 'GET', reads[n++ % reads.length] as string));
  },
  'keys that nobody knows': (attacker) =>
    repeatAction({ ...attacker, rate: Number.POSITIVE_INFINITY }, 16, () => {
      const key = `ffk_${randomBytes(19).toString('hex')}`;
      return send({ ...attacker, key }, 'GET', '/v1/events');
    }),
  'readiness in a loop': (attacker) =>
    repeatAction({ ...attacker, rate: Number.POSITIVE_INFINITY }, 16, () => send(attacker, 'GET', '/health/ready')),
  'keys made and revoked': (attacker) =>
    repeatAction(attacker, 4, async () => {
      const made = await send(attacker, 'POST', '/v1/api-keys', Buffer.from('{"name":"n","scopes":["events:read"]}'));
      const { id } = JSON.parse(made || '{}');
      if (id) await send(attacker, 'DELETE', `/v1/api-keys/${id}`);
    }),
};

/** Repeats an action, several at a time, no faster than the key admits. */
async function repeatAction(
  { rate, ended }: Attacker,
  concurrency: number,
  act: () => Promise<unknown>,
): Promise<void> {
  const pause = (concurrency / rate) * 1000;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (!ended.aborted) {
        const next = performance.now() + pause;
        await act().catch(() => sleep(50));
        await sleep(Math.max(0, next - performance.now()), undefined, { signal: ended }).catch(() => {});
      }
    }),
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress });

/** Sends a request. Returns the response body if it succeeded. */
async function send(
  { url, key, ended, onSuccess }: Attacker,
  method: string,
  path: string,
  body?: Buffer,
  headers: Record<string, string> = {},
): Promise<string> {
  const request = httpRequest(`${url}${path}`, {
    method,
    agent,
    signal: ended,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if ((response.statusCode ?? 500) >= 300) return '';
  onSuccess();
  return Buffer.concat(chunks).toString();
}

const headOf = ({ url, key }: Attacker) => `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n`;

/** Opens connections that send a text and read nothing. */
async function openSockets({ url, ended }: Attacker, count: number, text: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count && !ended.aborted) {
    const socket = connect({ port: Number(port), host: hostname, localAddress }).pause();
    socket.on('error', () => {});
    socket.once('connect', () => socket.write(text));
    sockets.push(socket);
    if (sockets.length % 50 === 0) await sleep(20);
  }
  return sockets;
}

async function untilEnded({ ended }: Attacker, sockets: Socket[]): Promise<void> {
  if (!ended.aborted) await once(ended, 'abort');
  for (const socket of sockets) socket.destroy();
}
