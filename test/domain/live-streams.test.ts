import { expect } from 'chai';
import { CompiledQuery } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import { EVENT_STREAM } from '../../src/native/stream-events.ts';
import { LiveStreams } from '../../src/streams/live-streams.ts';
import type { ResumeToken } from '../../src/streams/resume-token.ts';
import type { SendBudget } from '../../src/streams/sender.ts';
import type { Connection } from '../../src/streams/subscriber.ts';
import { Client } from '../support/client.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TcpProxy } from '../support/proxy.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const visit = { event_type: 'visit', profile: { external_id: 'ada' } };
const { signal } = new AbortController();

/** Takes everything at once, unless it is told not to. */
class FakeConnection implements Connection {
  text = '';
  hasEnded = false;
  /** For how long it has taken nothing. */
  quiet = 0;
  #taken: (() => void) | undefined;

  get events(): number {
    return this.text.split('\nevent: event\n').length - 1;
  }

  isReady(): boolean {
    return !this.#taken;
  }

  silence(): number {
    return this.quiet;
  }

  send(text: Buffer, taken?: () => void): void {
    this.text += text;
    if (this.quiet > 0) this.#taken = taken;
    else taken?.();
  }

  end(): void {
    this.hasEnded = true;
  }
}

describe('Live streams', () => {
  let service: TestService;
  let proxy: TcpProxy;
  let database: Database;
  let queries = 0;
  let streams: LiveStreams;
  let failures: [string, string][];
  let stores: { caller: Caller; client: Client }[];
  const unlimited = Number.POSITIVE_INFINITY;
  const memory: SendBudget & { bytesLeft: (storeId: string) => number } = {
    bytesLeft: () => unlimited,
    take: () => {},
    release: () => {},
  };

  before(async () => {
    service = await TestService.start({}, await createUndividedDatabase());
    proxy = await TcpProxy.start(service.database.url);
    database = await openDatabase(proxy.url, 1);
    database.pool.on('connect', (client) => {
      const query = client.query.bind(client);
      client.query = (...args) => {
        queries += 1;
        return query(...args);
      };
    });
  });
  after(async () => {
    await database.close();
    await proxy.stop();
    await service.stop();
  });
  beforeEach(async () => {
    stores = [];
    for (let n = 0; n < 2; n += 1) {
      const { id: keyId, storeId, key } = await service.newKey();
      const caller = {
        actor: { kind: 'key' as const, id: keyId },
        storeId,
        windowId: keyId,
        scopes: new Set<string>(),
        tier: 'standard',
        expiresAt: null,
        country: null,
        keepsHistory: false,
      };
      stores.push({ caller, client: new Client(service.url, key) });
    }
    failures = [];
    memory.bytesLeft = () => unlimited;
    streams = create(EVENT_STREAM);
  });

  const create = (encoder: typeof EVENT_STREAM) => {
    const onFailure = (error: unknown, storeId: string) => failures.push([storeId, (error as Error).message]);
    return new LiveStreams({ stores: database.stores, encoder, memory, onFailure });
  };
  const store = (n: 0 | 1) => stores[n] as { caller: Caller; client: Client };
  const listen = async (n: 0 | 1, from?: ResumeToken): Promise<FakeConnection> => {
    const connection = new FakeConnection();
    await streams.subscribe(store(n).caller, connection, from, signal);
    return connection;
  };
  const now = async (n: 0 | 1): Promise<ResumeToken> => {
    return { since: Date.now(), entry: await assignAllPositions(database.sql, store(n).caller.storeId), items: 0 };
  };

  it('refuses subscriptions that were aborted before they began', async () => {
    const deadline = new AbortController();
    proxy.blackHole();
    const { caller } = store(0);
    const late = Array.from({ length: 50 }, () =>
      streams.subscribe(caller, new FakeConnection(), undefined, deadline.signal),
    );
    deadline.abort();
    proxy.heal();
    for (const { status } of await Promise.allSettled(late)) expect(status).to.equal('rejected');
    await listen(0);
  });

  it("disconnects subscribers that it can't serve, and continues for the others", async () => {
    streams = create({
      ...EVENT_STREAM,
      change: (added, position) => {
        const text = EVENT_STREAM.change(added, position);
        if (text.includes('"broken"')) throw new RangeError('Invalid string length');
        return text;
      },
    });
    const [broken, other] = [await listen(0), await listen(1)];
    await record(store(0).client, { ...visit, event_type: 'broken' });
    await record(store(1).client, visit);
    await streams.tick();
    expect([broken.hasEnded, other.hasEnded, other.events]).to.deep.equal([true, false, 1]);
    expect(failures).to.deep.equal([[store(0).caller.storeId, 'Invalid string length']]);
    await record(store(1).client, visit);
    await streams.tick();
    expect(other.events).to.equal(2);
  });

  it('rejects while the database is down, and disconnects nobody', async () => {
    const connection = await listen(0);
    proxy.cut();
    expect(await streams.tick().catch(() => 'rejected')).to.equal('rejected');
    proxy.heal();
    await record(store(0).client, visit);
    await streams.tick();
    expect([connection.hasEnded, connection.events]).to.deep.equal([false, 1]);
  });

  it('serves ten tokens of a store per tick, however many its clients make up', async () => {
    const start = await now(0);
    await record(store(0).client, visit);
    const made: Awaited<ReturnType<typeof listen>>[] = [];
    for (let n = 0; n < 50; n += 1) made.push(await listen(0, { ...start, since: start.since - n }));
    const other = await listen(1);
    await record(store(1).client, visit);
    queries = 0;
    await streams.tick();
    expect(other.events).to.equal(1);
    // Fewer where they have taken the time of a store in a tick.
    const told = () => made.filter(({ events }) => events === 1).length;
    expect(told()).to.be.within(1, 10);
    // What is new; keys that ended; a transaction that gives positions; for each token the entries after it, events,
    // and whom their customers were merged into.
    expect(queries).to.be.at.most(2 + 4 + 11 * 3);
    for (let n = 0; n < 50 && told() < made.length; n += 1) await streams.tick();
    expect(told()).to.equal(made.length);
    await streams.tick();
    queries = 0;
    await streams.tick();
    expect(queries).to.equal(2);
  });

  it('tells what came after a position that somebody made up, and no item that an entry does not have', async () => {
    const start = await now(0);
    await record(store(0).client, visit);
    const { entry } = await now(0);
    const made = [await listen(0, { ...start, entry: 0 }), await listen(0, { ...start, items: 999_999_999 })];
    await record(store(0).client, visit);
    await streams.tick();
    expect(made.map(({ events }) => events)).to.deep.equal([2, 1]);
    const late = [await listen(0, { ...start, entry: entry + 5 }), await listen(0, { ...start, entry: 10 ** 15 - 1 })];
    for (const { text } of late) expect(text).to.include('event: reset');
  });

  it('sends a reset for a token from the future', async () => {
    const connection = await listen(0, { ...(await now(0)), since: Date.now() + 3_600_000 });
    expect(connection.text).to.include('event: reset');
  });

  it('tells what a process of the version before has written', async () => {
    const { storeId } = store(0).caller;
    const connection = await listen(0);
    const old = [
      `with written as (
        insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
        select '${storeId}', uuidv7(), '${storeId}', 'visit', '{}', now(), now() from generate_series(1, 3)
        returning id
      )
      insert into addition (store_id, first_id, last_id, kind)
      select '${storeId}', (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], 'event' from written`,
      // Of these nothing is left.
      ...Array<string>(210).fill(
        `insert into addition (store_id, first_id, last_id, kind)
         values ('${storeId}', uuidv7(), uuidv7(), 'rejection')`,
      ),
    ];
    for (const statement of old) await database.sql.executeQuery(CompiledQuery.raw(statement));
    await record(store(0).client, visit);
    for (let n = 0; n < 3; n += 1) await streams.tick();
    expect(connection.events).to.equal(4);
  });

  it('sends a store without budget only small texts, and the rest once it has budget', async () => {
    memory.bytesLeft = () => 0;
    const connection = await listen(0);
    await record(store(0).client, visit);
    await streams.tick();
    expect(connection.events).to.equal(1);
    const large = { ...visit, properties: { text: 'x'.repeat(90_000) } };
    await record(store(0).client, large);
    await streams.tick();
    await streams.tick();
    expect([connection.events, connection.hasEnded]).to.deep.equal([1, false]);
    memory.bytesLeft = () => 100_000;
    await streams.tick();
    expect(connection.events).to.equal(2);
  });

  it('sends nothing to a subscriber that has unread data, and disconnects it after a minute', async () => {
    const connection = await listen(0);
    connection.quiet = 1;
    for (let n = 0; n < 3; n += 1) {
      await record(store(0).client, visit);
      await streams.tick();
    }
    expect([connection.events, connection.hasEnded]).to.deep.equal([1, false]);
    connection.quiet = 60_000;
    await streams.tick();
    expect(connection.hasEnded).to.equal(true);
  });
});
