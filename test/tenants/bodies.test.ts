import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { exchange, open } from '../support/raw.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'seen', profile: { email: 'ada@example.com' } };
const MEGABYTE = 1_000_000;
/** Connections whose bodies, as they are announced, are more than a process has room for. */
const CONNECTIONS = 30;

/** A body of so many megabytes. */
const heavy = (megabytes: number) => ({
  events: Array.from({ length: megabytes * 10 }, () => ({ ...EVENT, properties: { text: 'x'.repeat(100_000) } })),
});

describe('Bodies of one store, next to another store', () => {
  let service: TestService;
  let attacker: string;
  let victim: Client;
  const sockets: Socket[] = [];

  before(async () => {
    service = await TestService.start();
    attacker = (await service.newKey()).key;
    victim = await service.client();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(() => service.stop());

  const head = (...more: string[]) =>
    ['POST /v1/events/bulk HTTP/1.1', 'Host: x', `Authorization: Bearer ${attacker}`, 'Content-Type: application/json']
      .concat(more, '', '')
      .join('\r\n');

  /** Announces 5 MB on many connections, and sends a part of them. */
  async function announce(bytes: number): Promise<void> {
    for (let i = 0; i < CONNECTIONS; i += 1) {
      const socket = await open(service.url);
      sockets.push(socket);
      socket.resume();
      socket.write(head('Content-Length: 5000000') + ' '.repeat(bytes));
    }
    await sleep(100);
  }

  it('take no memory while they are only announced', async () => {
    await announce(1);
    await victim.post('/v1/events/bulk', heavy(4), { expect: 201 });
  });

  it('take at most a share of the memory if they stop half-way', async () => {
    await announce(4 * MEGABYTE);
    await victim.post('/v1/events/bulk', heavy(4), { expect: 201 });
    await victim.post('/v1/events', EVENT, { expect: 201 });
    const refusal = await exchange(service.url, head('Content-Length: 4000000') + ' '.repeat(4 * MEGABYTE));
    expect(refusal.answers[0]?.status).to.equal(502);
    expect(refusal.answers[0]?.headers['retry-after']).to.equal('1');
  });

  it('are cut off if they arrive in thousands of chunks', async () => {
    const socket = await open(service.url);
    sockets.push(socket);
    socket.setNoDelay(true);
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(head('Content-Length: 60000'));
    for (let i = 0; i < 20_000 && !socket.destroyed; i += 1) {
      socket.write(' ');
      await new Promise(setImmediate);
    }
    await closed;
  });

  it('are refused if they decompress to too much or to nothing', async () => {
    const inflated = Buffer.from(`{"events":[${JSON.stringify(EVENT)}]${' '.repeat(5 * MEGABYTE)}}`);
    const body = brotliCompressSync(inflated);
    const { answers } = await exchange(
      service.url,
      Buffer.concat([Buffer.from(head('Content-Encoding: br', `Content-Length: ${body.length}`)), body]),
    );
    expect(answers[0]?.status).to.equal(400);
    expect(answers[0]?.body.error).to.include({ code: 'validation_error', field: null });

    // A gzip header, and then blocks that are stored and empty.
    const empty = Buffer.concat([
      gzipSync('').subarray(0, 10),
      ...Array(1_200_000).fill(Buffer.from([0, 0, 0, 255, 255])),
    ]);
    const endless = await exchange(
      service.url,
      Buffer.concat([Buffer.from(head('Content-Encoding: gzip', `Content-Length: ${empty.length}`)), empty]),
    );
    expect(endless.answers[0]?.status).to.equal(400);
  });
});

describe('Bodies that are slow to parse', () => {
  let database: Awaited<ReturnType<typeof TestService.start>>['database'];
  let service: ServiceProcess;
  let url: string;
  let keys: TestService;

  before(async () => {
    keys = await TestService.start();
    database = keys.database;
    service = new ServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
    url = await service.url();
  });
  after(async () => {
    await service.stop();
    await keys.stop();
  });

  const BODIES = {
    'a million empty objects': `{"events":[${'{},'.repeat(1_600_000)}{}]}`,
    'NUL characters': `{"events":["${'\\u0000'.repeat(100)}"${',"\\u0000"'.repeat(400_000)}]}`,
    'numbers that would lose digits': `{"events":[${'12345678901234567,'.repeat(250_000)}1]}`,
  };

  for (const [what, body] of Object.entries(BODIES)) {
    it(`of ${what} delay nobody, however well they compress`, async () => {
      const { key } = await keys.newKey();
      const bytes = gzipSync(body);
      let isAnswered = false;
      const attack = fetch(`${url}/v1/events/bulk`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: bytes,
      }).finally(() => {
        isAnswered = true;
      });
      let alive = 0;
      await until(async () => {
        await fetch(`${url}/health/live`);
        if (!isAnswered) alive += 1;
        return isAnswered;
      }, 'the body is refused');
      expect((await attack).status).to.equal(400);
      expect(alive, 'looks at a process that lives while it parses').to.be.above(1);
    });
  }
});
