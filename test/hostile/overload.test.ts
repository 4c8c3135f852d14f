import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { eventDocument } from '../compat/documents.ts';
import type { Client, Response } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { open } from '../support/raw.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'seen', profile: { email: 'a@example.com' } };
const MAX_REQUESTS = 20;

/** A body of so many megabytes. */
const heavy = (megabytes: number) => ({
  events: Array.from({ length: megabytes * 10 }, () => ({ ...EVENT, properties: { text: 'x'.repeat(100_000) } })),
});

describe('Work beyond the capacity of a process', () => {
  let service: TestService;
  let client: Client;
  let key: string;

  beforeEach(async () => {
    const env = {
      MAX_REQUESTS: String(MAX_REQUESTS),
      MAX_BODY_MEMORY: '5',
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
    };
    service = await TestService.start(env);
    client = await service.client();
    ({ key } = await service.newKey());
    await client.post('/v1/events', EVENT, { expect: 201 });
  });
  afterEach(() => service.stop());

  /** Does something while no event can be written; what waits for that goes on afterwards. */
  async function whileWritesWait(act: () => Promise<void>): Promise<void> {
    const release = await holdTable(service.database, 'event', 'share');
    try {
      await act();
    } finally {
      await release();
    }
  }

  const statusOf = ({ status }: Response) => status;
  const stored = async () => (await service.database.query('select id from event')).length;

  for (const [surface, path, body, status, accepted] of [
    ['native', '/v1/events', EVENT, 502, 201],
    [
      'compatibility',
      '/compat/v1/events',
      eventDocument({ metric: 'Seen', profile: { email: 'a@example.com' } }),
      503,
      202,
    ],
  ] as const) {
    it(`is refused at once with ${status} and Retry-After on the ${surface} surface, while accepted requests wait`, async () => {
      const before = await stored();
      const answers: Promise<Response>[] = [];
      const refused: Response<any>[] = [];
      await whileWritesWait(async () => {
        for (let i = 0; i < 100; i += 1) {
          const answer = client.post(path, body);
          answers.push(answer);
          void answer.then((response) => response.status === status && refused.push(response));
        }
        await until(() => refused.length >= 100 - MAX_REQUESTS, 'what is too much is refused');
      });
      const statuses = (await Promise.all(answers)).map(statusOf);
      expect(statuses.filter((other) => other === accepted)).to.have.length.within(1, MAX_REQUESTS);
      expect(new Set(statuses)).to.deep.equal(new Set([accepted, status]));
      for (const { headers, body: document } of refused) {
        expect(headers['retry-after']).to.equal('1');
        expect(JSON.stringify(document)).to.include('upstream_error').and.include('overloaded');
      }
      expect(await stored()).to.equal(before + statuses.filter((other) => other === accepted).length);
      await client.post(path, body, { expect: accepted });
    });
  }

  it('is refused if bodies would exceed their memory, even without a Content-Length', async () => {
    const bodies = [heavy(3), gzipSync(JSON.stringify(heavy(3)))];
    // Of two that have nearly arrived, one is let in and one refused.
    const slow = await Promise.all([1, 2].map(() => open(service.url)));
    for (const socket of slow) {
      socket.write(`POST /v1/events/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`);
      socket.write('Content-Type: application/json\r\nContent-Length: 3000000\r\n\r\n');
      socket.write('{'.repeat(2_900_000));
    }
    await Promise.race(slow.map((socket) => once(socket, 'data')));
    await client.post('/v1/events/bulk', heavy(3), { expect: 502 });
    for (const body of bodies) expect(await sendChunked(body)).to.equal('502 upstream_error');
    // There is still room for small ones.
    await client.post('/v1/events', EVENT, { expect: 201 });
    for (const socket of slow) socket.destroy();
    await until(
      async () => (await client.post('/v1/events/bulk', heavy(3))).status === 201,
      'the memory is free again',
    );
    for (const body of bodies) expect(await sendChunked(body)).to.equal('201 undefined');
  });

  /** Sends a body in chunks; the status and the code of the error. */
  async function sendChunked(body: object | Buffer): Promise<string> {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Encoding': Buffer.isBuffer(body) ? 'gzip' : 'identity',
    };
    const sending = request(`${service.url}/v1/events/bulk`, { method: 'POST', headers });
    sending.write(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    sending.end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    const answer = (await json(response)) as { error?: { code: string } };
    return `${response.statusCode} ${answer.error?.code}`;
  }
});
