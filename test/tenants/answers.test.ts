import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { exchange, open } from '../support/raw.ts';
import { readAll } from '../support/reading.ts';
import { TestService } from '../support/service.ts';
import { storeGiantProfiles, storeGiants } from './giants.ts';

const EVENT = { event_type: 'seen', profile: { email: 'ada@example.com' } };
const MEGABYTE = 1024 * 1024;
/** Megabytes that a process may grow by, whatever one store asks for and does not read. */
const MAX_GROWTH = 400;

describe('Responses that one store does not read, next to another store', () => {
  let keys: TestService;
  let service: ServiceProcess;
  let url: string;
  let attacker: { key: string; storeId: string };
  let victim: Client;
  const sockets: Socket[] = [];

  before(async () => {
    keys = await TestService.start();
    service = new ServiceProcess({ DATABASE_URL: keys.database.url, LOG_LEVEL: 'warn' });
    url = await service.url();
    attacker = await keys.newKey();
    victim = new Client(url, (await keys.newKey()).key);
    await storeGiants(keys.database, attacker.storeId, 100);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    await service.stop();
    await keys.stop();
  });

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker.key}\r\n\r\n`;

  /** Opens a connection that asks, and reads nothing. */
  async function sendUnread(text: string): Promise<void> {
    const socket = await open(url);
    sockets.push(socket);
    socket.pause();
    socket.write(text);
  }

  const metric = async (name: string, labels = {}) => (await Metrics.of(url)).sum(name, labels) ?? 0;
  const megabytes = async () => (await metric('process_resident_memory_bytes')) / MEGABYTE;
  const lists = () => metric('footfall_requests_total', { operation: 'listEvents', status: '200' });

  it('take a share of the memory, and further requests are refused', async () => {
    const before = await megabytes();
    let most = before;
    for (let i = 0; i < 25; i += 1) await sendUnread(get('/v1/events?limit=100'));
    for (let i = 0; i < 30; i += 1) {
      await sleep(100);
      most = Math.max(most, await megabytes());
      await victim.post('/v1/events', EVENT, { expect: 201 });
      await victim.get('/v1/events', { expect: 200 });
    }
    expect(most - before).to.be.below(MAX_GROWTH);
    let refused: Awaited<ReturnType<typeof exchange>>['answers'][number] | undefined;
    await until(async () => {
      [refused] = (await exchange(url, get('/v1/events'))).answers;
      return refused?.status === 502;
    }, 'their share is taken');
    expect(refused?.headers['retry-after']).to.equal('1');
    expect(refused?.body.error.code).to.equal('upstream_error');

    for (const socket of sockets.splice(0)) socket.destroy();
    const client = new Client(url, attacker.key);
    await until(async () => (await client.get('/v1/events')).status === 200, 'the memory is free again');
  });

  it('for previously recorded events are not read from the database', async () => {
    const client = new Client(url, attacker.key);
    const manyOf = (keyOf: (i: number) => string) => ({
      events: Array.from({ length: 1_000 }, (_, i) => ({ ...EVENT, idempotency_key: keyOf(i) })),
    });
    // The first large request starts the thread for them, which takes memory of its own.
    await victim.post(
      '/v1/events/bulk',
      manyOf((i) => `small${i}`),
      { expect: 201 },
    );
    const before = await megabytes();
    const events = manyOf((i) => `giant${(i % 100) + 1}`);
    const { body } = await client.post('/v1/events/bulk', events, { expect: 201 });
    expect(body).to.include({ created: 0, duplicates: 1_000 });
    expect(await megabytes()).to.be.below(before + 100);

    for (let i = 1; i <= 60; i += 1) {
      const text = JSON.stringify({ ...EVENT, idempotency_key: `giant${i}` });
      await sendUnread(
        `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
    }
    let most = before;
    for (let i = 0; i < 30; i += 1) {
      await sleep(100);
      most = Math.max(most, await megabytes());
      await victim.post('/v1/events', EVENT, { expect: 201 });
    }
    expect(most - before).to.be.below(MAX_GROWTH);
    for (const socket of sockets.splice(0)) socket.destroy();
    const one = { ...EVENT, idempotency_key: 'giant7' };
    await until(async () => (await client.post('/v1/events', one)).status === 201, 'the memory is free again');
    const { headers, body: event } = await client.post('/v1/events', one, { expect: 201 });
    expect(headers['idempotency-replayed']).to.equal('true');
    expect(Object.keys(event.properties)).to.have.length(49);
  });

  it('to upserts take a share too, and profiles too large to change stay in the database', async () => {
    const store = await keys.newKey();
    const client = new Client(url, store.key);
    const emails = await storeGiantProfiles(keys.database, store.storeId, 60);
    // To learn another identifier leaves the attributes as they are.
    const events = emails.map((email) => ({ event_type: 'seen', profile: { email, external_id: `id of ${email}` } }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const before = await megabytes();
    let most = before;
    const upserts = emails.map((email) => ({ identifiers: { email }, attributes: { seen: true } }));
    const answers = upserts.map((upsert) => client.post('/v1/profiles/upsert', upsert));
    for (let i = 0; i < 30; i += 1) {
      await sleep(100);
      most = Math.max(most, await megabytes());
      await victim.post('/v1/events', EVENT, { expect: 201 });
    }
    expect(most - before).to.be.below(MAX_GROWTH);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([200, 502]).to.include.members([...new Set(statuses)]);
    expect(statuses).to.include(200);
    const { body } = await client.post('/v1/profiles/upsert', upserts[0], { expect: 200 });
    expect(body.identifiers).to.deep.include({ external_id: 'id of giant1@example.com' });
    expect(Object.keys(body.attributes)).to.have.length(50);
  });

  it("are not prepared while the connection's previous response is unread", async () => {
    const before = await lists();
    await sendUnread(get('/v1/events?limit=100').repeat(200));
    await until(async () => (await lists()) > before, 'the first is answered');
    await sleep(1_000);
    expect((await lists()) - before).to.equal(1);
  });

  it("can't be requested endlessly behind a stream, which sends too little to slow the client down", async () => {
    const before = await megabytes();
    const socket = await open(url);
    sockets.push(socket);
    socket.write(get('/v1/events/stream'));
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    for (let i = 0; i < 200 && socket.writable; i += 1) {
      if (!socket.write(get('/v1/events').repeat(500)))
        await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
    await closed;
    expect((await megabytes()) - before).to.be.below(MAX_GROWTH / 4);
    await victim.get('/v1/events', { expect: 200 });
  });

  it('end after a megabyte and an item, and leave nothing out', async () => {
    const store = await keys.newKey();
    await storeGiants(keys.database, store.storeId, 7);
    const client = new Client(url, store.key);
    await client.post('/v1/events', EVENT, { expect: 201 });
    const sizes: number[] = [];
    const shown = await readAll(client, '/v1/events?limit=100', 'events', (page) => {
      sizes.push(JSON.stringify(page).length);
    });
    expect(shown).to.have.length(8);
    expect(Math.max(...sizes)).to.be.below(6 * MEGABYTE);
  });

  it('have full pages if well-compressed items are small', async () => {
    const store = await keys.newKey();
    await keys.database.query(`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select '${store.storeId}', uuidv7(), '${store.storeId}', 'visit', json_build_object('text', repeat('ab ', 2000)),
        now() - n * interval '1 s', now()
      from generate_series(1, 100) n`);
    const { body } = await new Client(url, store.key).get('/v1/events?limit=100', { expect: 200 });
    expect(body.events).to.have.length(100);
    expect(body.next_cursor).to.equal(null);
  });
});
