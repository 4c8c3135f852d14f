import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { Metrics } from '../support/metrics.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { open as openSocket } from '../support/raw.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const visit = { event_type: 'visit', profile: { external_id: 'ada' } };

const MEGABYTE = 1024 * 1024;
/** Megabytes that a process may grow by, whatever one store follows and does not read. */
const MAX_GROWTH = 200;

describe('Streams of one store, next to another store', () => {
  let keys: TestService;
  let service: ServiceProcess;
  let url: string;
  let attacker: { id: string; key: string; storeId: string };
  let victim: string;
  const streams: EventStream[] = [];
  const sockets: Socket[] = [];
  let leaving: AbortController;

  before(async () => {
    keys = await TestService.start();
    service = new ServiceProcess({ DATABASE_URL: keys.database.url, LOG_LEVEL: 'warn' });
    url = await service.url();
  });
  beforeEach(async () => {
    leaving = new AbortController();
    attacker = await keys.newKey();
    victim = (await keys.newKey()).key;
  });
  afterEach(() => {
    leaving.abort();
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const stream of streams.splice(0)) stream.close();
  });
  after(async () => {
    await service.stop();
    await keys.stop();
  });

  const open = async (key: string, lastId?: string): Promise<EventStream> => {
    const stream = await EventStream.open(url, key, lastId);
    streams.push(stream);
    return stream;
  };

  const megabytes = async () => {
    return ((await Metrics.of(url)).sum('process_resident_memory_bytes', {}) ?? 0) / MEGABYTE;
  };

  /** Events of 4.9 MB that take little room in the database, as `json` of a letter that is repeated does. */
  async function storeGiants(storeId: string, count: number): Promise<void> {
    await keys.database.query(`
      with stored as (
        insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
        select '${storeId}', uuidv7(), '${storeId}', 'giant', properties, now(), now()
        from generate_series(1, ${count}) n,
          (select json_object_agg('p' || i, repeat('x', 100000)) as properties from generate_series(1, 49) i) p
        returning id
      )
      insert into addition (store_id, first_id, last_id, kind, ids)
      select '${storeId}', (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], 'event',
        array_agg(id order by id)
      from stored`);
  }

  /** The id of a message before anything that is stored from now on. */
  async function latestMessageId(): Promise<string> {
    const stream = await EventStream.open(url, attacker.key);
    stream.close();
    return stream.lastId;
  }

  /** Opens a stream that resumes after a message, and counts what it is told: of giants, nothing else is kept. */
  async function count(key: string, lastId: string): Promise<{ events: number; hasEnded: boolean }> {
    const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': lastId };
    const { body } = await fetch(`${url}/v1/events/stream`, { headers, signal: leaving.signal });
    const told = { events: 0, hasEnded: false };
    const read = async () => {
      let line = '';
      for await (const part of body as ReadableStream<Uint8Array>) {
        const lines = (line + Buffer.from(part).toString('latin1')).split('\n');
        told.events += lines.filter((each) => each === 'event: event').length;
        line = (lines.at(-1) as string).slice(-20);
      }
    };
    read()
      .catch(() => {})
      .finally(() => {
        told.hasEnded = true;
      });
    return told;
  }

  /** Opens a stream, and reads nothing of it. */
  async function openUnread(key: string, lastId: string): Promise<Socket> {
    const socket = await openSocket(url);
    sockets.push(socket);
    socket.pause();
    const head = ['GET /v1/events/stream HTTP/1.1', 'Host: x', 'Connection: close', `Authorization: Bearer ${key}`];
    socket.write(head.concat(`Last-Event-ID: ${lastId}`, '', '').join('\r\n'));
    return socket;
  }

  /** Whether the other store is told what it records, as it records it. */
  async function checkVictim(events: number): Promise<void> {
    const stream = await open(victim);
    const client = new Client(url, victim);
    const ids: string[] = [];
    for (let n = 0; n < events; n += 1) {
      ids.push(...(await record(client, visit)));
      await until(() => stream.eventIds.length === ids.length, 'the other store is told');
    }
    expect(stream.eventIds).to.deep.equal(ids);
  }

  it('are limited to 50 per key and 100 per store, and free their slots when they end', async () => {
    const own = [attacker.key];
    for (let n = 0; n < 2; n += 1) own.push((await keys.newKey({ storeId: attacker.storeId })).key);
    const [first, second, third] = own as [string, string, string];
    for (const key of [first, second]) {
      await Promise.all(Array.from({ length: 50 }, () => open(key)));
      const refused = await new Client(url, key).get('/v1/events/stream', { expect: 429 });
      expect(refused.body.error.code).to.equal('rate_limit_exceeded');
      expect(refused.body.error.message).to.include('The key already has 50 open streams');
      expect(refused.headers['retry-after']).to.equal('15');
    }
    const refused = await new Client(url, third).get('/v1/events/stream', { expect: 429 });
    expect(refused.body.error.message).to.include('The store already has 100 open streams');

    const stream = await open(victim);
    const ids = await record(new Client(url, victim), visit);
    await until(() => stream.messages.length > 0, 'the other store is told');
    expect(stream.eventIds).to.deep.equal(ids);

    for (const each of streams.slice(0, 100)) each.close();
    const status = async () => {
      const leaving = new AbortController();
      const headers = { Authorization: `Bearer ${third}` };
      const answer = await fetch(`${url}/v1/events/stream`, { headers, signal: leaving.signal });
      leaving.abort();
      return answer.status;
    };
    await until(async () => (await status()) === 200, 'there are places again');
  });

  it('that nobody reads take a share of the memory, and end when their key is revoked', async () => {
    const lastId = await latestMessageId();
    const { key: second } = await keys.newKey({ storeId: attacker.storeId });
    await storeGiants(attacker.storeId, 30);
    const before = await megabytes();
    const ignored: Socket[] = [];
    for (let n = 0; n < 99; n += 1) ignored.push(await openUnread(n < 49 ? attacker.key : second, lastId));
    await checkVictim(8);
    expect((await megabytes()) - before).to.be.below(MAX_GROWTH);

    await keys.keys.revoke(attacker.id);
    const ended = Promise.all(ignored.slice(0, 5).map((socket) => once(socket, 'close')));
    for (const socket of ignored.slice(0, 5)) socket.resume();
    await ended;
    expect(ignored.slice(49).some(({ closed }) => closed)).to.equal(false);
  });

  it('that are resumed before more than one text can hold receive it in parts', async () => {
    const lastId = await latestMessageId();
    await storeGiants(attacker.storeId, 115);
    const told = await count(attacker.key, lastId);
    await checkVictim(8);
    await until(() => told.events >= 5, 'they are told');
    expect(told.hasEnded).to.equal(false);
  });
});
