import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { exchange, open, receive } from '../support/raw.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';

const EVENT = { event_type: 'seen', profile: { email: 'a@example.com' } };
const BODY = JSON.stringify(EVENT);
/** Seconds in which headers, and whole requests, have to arrive. */
const HEADERS_TIMEOUT = 1;
const REQUEST_TIMEOUT = 2;
const MAX_CONNECTIONS = 300;

describe('Slow clients', () => {
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start({
      HEADERS_TIMEOUT: String(HEADERS_TIMEOUT),
      REQUEST_TIMEOUT: String(REQUEST_TIMEOUT),
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      MAX_CONNECTIONS_PER_ADDRESS: String(MAX_CONNECTIONS),
      MAX_BODY_MEMORY: '5',
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
    });
    client = await service.client();
    ({ key } = await service.newKey());
  });
  afterEach(() => client.post('/v1/events', EVENT, { expect: 201 }));
  after(() => service.stop());

  const head = (path: string, ...headers: string[]) => [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
  ];
  const declaring = (length: number, ...headers: string[]) =>
    `${head('/v1/events', `Content-Length: ${length}`, ...headers).join('\r\n')}\r\n\r\n`;

  /** Sends a byte now and then until the connection ends; what came back. */
  async function trickle(first: string, rest: Buffer | string) {
    const socket = await open(service.url);
    socket.write(first);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent < rest.length && socket.writable) socket.write(Buffer.from(rest).subarray(sent, sent + 1));
      sent += 1;
    }, 100);
    try {
      return await receive(socket);
    } finally {
      clearInterval(timer);
    }
  }

  async function expectRefusal(slow: ReturnType<typeof trickle>, surface: 'native' | 'compat'): Promise<void> {
    const { answers, closed } = await slow;
    expect(closed).to.equal(true);
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    expect((await loadSpec(surface)).errorProblems(answers[0] as never)).to.deep.equal([]);
    expect(JSON.stringify(answers[0]?.body)).to.include('did not arrive in time');
  }

  it('are refused if their headers trickle', () => expectRefusal(trickle('POST /v1/ev', 'x'.repeat(200)), 'native'));

  it('are refused by the right surface if their body trickles', async () => {
    const compat = `${head('/compat/v1/events', 'Content-Length: 200').join('\r\n')}\r\n\r\n`;
    const chunked = `${head('/v1/events', 'Transfer-Encoding: chunked').join('\r\n')}\r\n\r\n`;
    await Promise.all([
      expectRefusal(trickle(declaring(200), 'x'.repeat(200)), 'native'),
      expectRefusal(trickle(declaring(200, 'Content-Encoding: gzip'), gzipSync('x'.repeat(200))), 'native'),
      expectRefusal(trickle(compat, 'x'.repeat(200)), 'compat'),
      expectRefusal(trickle(chunked, '1\r\nx\r\n'.repeat(50)), 'native'),
    ]);
  });

  it('free the memory of a body if they disconnect in the middle of it', async () => {
    for (const headers of [[], ['Content-Encoding: gzip'], ['Content-Encoding: br']]) {
      for (let i = 0; i < 5; i += 1) {
        const socket = await open(service.url);
        socket.write(declaring(4_000_000, ...headers));
        socket.write(gzipSync(BODY).subarray(0, 20));
        socket.resetAndDestroy();
      }
    }
    // There is room for one body of 4 MB only.
    const large = { ...EVENT, properties: Object.fromEntries(numbered(41, (i) => [`p${i}`, 'x'.repeat(100_000)])) };
    await until(async () => (await client.post('/v1/events', large)).status === 201, 'the memory is free again');
  });

  it('are disconnected if silent or half-way, while others are served', async () => {
    const sockets = await Promise.all(numbered(200, () => open(service.url)));
    sockets.forEach((socket, i) => {
      if (i % 2) socket.write('POST /v1/events HTTP/1.1\r\nHost: x\r\nX-Half: ');
      socket.resume();
    });
    await client.post('/v1/events', EVENT, { expect: 201 });
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  });

  it('are disconnected if there are too many', async () => {
    const sockets: Socket[] = [];
    const isFull = () => sockets.some((socket) => socket.closed);
    while (!isFull() && sockets.length < 2 * MAX_CONNECTIONS) sockets.push((await open(service.url)).resume());
    await until(isFull, 'one is turned away');
    for (const socket of sockets) socket.destroy();
    await until(
      async () => (await fetch(`${service.url}/health/live`).catch(() => undefined))?.ok === true,
      'it serves',
    );
  });

  it('get all responses in order if they pipeline a thousand requests', async () => {
    const requests = numbered(1_000, (i) => {
      const body = JSON.stringify({ ...EVENT, idempotency_key: `k${i}` });
      return `${declaring(body.length)}${body}`;
    });
    const { answers } = await exchange(service.url, requests.join(''), { count: 1_000 });
    expect(answers.map(({ body }) => body.idempotency_key)).to.deep.equal(numbered(1_000, (i) => `k${i}`));
  });

  it('take no memory if they pipeline requests without reading', async () => {
    const before = process.memoryUsage.rss();
    const socket = await open(service.url);
    socket.pause();
    // Answered in full, these would be 600 MB.
    socket.write('GET /openapi/compat.yaml HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000));
    for (let i = 0; i < 20; i += 1) await client.post('/v1/events', EVENT, { expect: 201 });
    expect(process.memoryUsage.rss() - before).to.be.below(200 * 1024 * 1024);
    socket.destroy();
  });

  it('may have less time for a whole request than for its headers', async () => {
    const hasty = await TestService.start({ HEADERS_TIMEOUT: '10', REQUEST_TIMEOUT: '5' }, service.database);
    try {
      await (await hasty.client()).post('/v1/events', EVENT, { expect: 201 });
    } finally {
      await hasty.stopService();
    }
  });
});

function numbered<T>(count: number, item: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => item(i));
}
