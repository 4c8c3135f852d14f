import { expect } from 'chai';
import { execute, expectCluster } from '../support/citus.ts';
import { Metrics } from '../support/metrics.ts';
import { AS_PROMISED, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import {
  EventSender,
  loseNode,
  moveStore,
  type PlacedStore,
  placeOf,
  returnNode,
  splitStores,
  storeBeside,
  storedKeys,
  storesApart,
  urlOn,
} from './stage.ts';

/** As fast as the senders of the tests can. */
const UNLIMITED = { RATE_LIMIT_TIERS: 'standard=1000000,partner=1000000' };

describe('On a Citus cluster (CITUS_URL), a store', () => {
  let service: TestService;

  before(async function () {
    this.timeout(120_000);
    expectCluster(this);
    service = await TestService.start({ ...AS_PROMISED, ...UNLIMITED });
  });
  after(() => service?.stop());

  it('has all of its rows on one node', async () => {
    const tables = await service.database.query<{ name: string; colocationid: number }>(
      `select logicalrelid::text as name, colocationid from pg_dist_partition where partmethod = 'h'`,
    );
    expect(tables.map(({ name }) => name)).to.include.members(['event', 'profile', 'addition', 'import_job']);
    expect(new Set(tables.map(({ colocationid }) => colocationid)).size).to.equal(1);
    const rest = await service.database.query<{ name: string }>(
      `select logicalrelid::text as name from pg_dist_partition where partmethod <> 'h' order by 1`,
    );
    expect(rest).to.deep.equal([]);
  });

  it('goes on while the node of another is lost, which has all that was acknowledged when it is back', async () => {
    const [lost, other] = await storesApart(service);
    const node = await placeOf(service, lost.id);
    const senders = { lost: new EventSender(lost, 'lost'), other: new EventSender(other, 'other') };
    const both = () => senders.lost.acknowledged.length > 100 && senders.other.acknowledged.length > 100;
    await until(async () => both(), 'both stores are written to');
    await loseNode(service.database, node);
    const before = senders.other.acknowledged.length;
    const goesOn = () => senders.other.acknowledged.length > before + 300 && senders.lost.refused.length > 20;
    await until(async () => goesOn(), 'one goes on, and the other does not');
    const health = await other.client.get('/health/ready', { expect: 200 });
    expect(health.body).to.include({ status: 'ready', database: 'partly down' });
    await returnNode(service.database, node);
    const back = senders.lost.acknowledged.length;
    await until(async () => senders.lost.acknowledged.length > back + 20, 'its store is written to again');
    await Promise.all([senders.lost.stop(), senders.other.stop()]);
    expect(senders.other.refused).to.deep.equal([]);
    expect(new Set(senders.lost.refused)).to.deep.equal(new Set([500]));
    for (const [store, sender] of [[lost, senders.lost] as const, [other, senders.other] as const]) {
      const stored = await storedKeys(store);
      expect(stored).to.include.members(sender.acknowledged);
      expect(stored.length).to.equal(new Set(stored).size);
    }
  });

  it('is in the metrics while the node of another is lost, which the metrics count', async () => {
    const stores = await storesApart(service);
    const segment = { name: 'Visitors', definition: { event: { type: 'visit' } } };
    for (const { client } of stores) await client.post('/v1/segments', segment, { expect: 201 });
    const measured = async () => {
      const metrics = await Metrics.of(service.url);
      return ['up', 'nodes_down']
        .map((name) => metrics.sum(`footfall_database_${name}`))
        .concat(metrics.sum('footfall_segments'));
    };
    const untilMeasured = (...expected: number[]) =>
      until(async () => String(await measured()) === String(expected), `the metrics are ${expected}`);
    await untilMeasured(1, 0, 2);
    const node = await placeOf(service, stores[0].id);
    await loseNode(service.database, node);
    try {
      await untilMeasured(1, 1, 1);
    } finally {
      await returnNode(service.database, node);
    }
    await untilMeasured(1, 0, 2);
  });

  it('has its keys created and revoked while the node of another is lost', async () => {
    const [lost, other] = await storesApart(service);
    const node = await placeOf(service, lost.id);
    await loseNode(service.database, node);
    try {
      const { body } = await other.client.post(
        '/v1/api-keys',
        { name: 'New', scopes: ['events:read'] },
        { expect: 201 },
      );
      await other.client.as(body.key).get('/v1/events', { expect: 200 });
      await other.client.send('DELETE', `/v1/api-keys/${body.api_key.id}`, undefined, { expect: 200 });
    } finally {
      await returnNode(service.database, node);
    }
  });

  it('is answered 500 when its node can not commit', async () => {
    const [store] = await storesApart(service);
    const node = await placeOf(service, store.id);
    const url = urlOn(service.database, node);
    const [shard] = await service.database.query<{ name: string }>(
      `select 'event_' || get_shard_id_for_distribution_column('event', '${store.id}'::uuid) as name`,
    );
    await execute(
      url,
      `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;
       create function fail() returns trigger language plpgsql as $$ begin raise 'no commit'; end $$;
       create constraint trigger fail after insert on ${shard?.name} deferrable initially deferred
         for each row execute function fail()`,
    );
    const event = (key: string) => ({ event_type: 'x', profile: { email: 'a@example.com' }, idempotency_key: key });
    await store.client.post('/v1/events', event('single'), { expect: 500 });
    await store.client.post('/v1/events/bulk', { events: [event('a'), event('b')] }, { expect: 500 });
    expect(await storedKeys(store)).to.deep.equal([]);
    await execute(
      url,
      `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on; drop function fail() cascade`,
    );
    await store.client.post('/v1/events', event('single'), { expect: 201 });
  });

  it('is moved to another node while it is written to, and nothing is lost, whoever reads it', async () => {
    const [moved, other] = await storesApart(service);
    const second = await TestService.start({ ...AS_PROMISED, ...UNLIMITED }, service.database);
    try {
      const reader = { id: moved.id, client: await second.client({ storeId: moved.id }) };
      await storedKeys(reader);
      const sender = new EventSender(moved, 'moved');
      await until(async () => sender.acknowledged.length > 100, 'it is written to');
      await moveStore(service, moved.id, other.id);
      const { length } = sender.acknowledged;
      await until(async () => sender.acknowledged.length > length + 100, 'it is written to where it is now');
      await sender.stop();
      const [stored, read] = [await storedKeys(moved), await storedKeys(reader)];
      expect(stored).to.include.members(sender.acknowledged);
      expect(read).to.have.members(stored);
      expect((await placeOf(service, moved.id)).port).to.equal((await placeOf(service, other.id)).port);
    } finally {
      await second.stopService();
    }
  });

  it('is parted from another one while both are written to, and nothing is lost, whoever reads it', async () => {
    const [one, elsewhere] = await storesApart(service);
    const both = [one, await storeBeside(service, one.id)] as const;
    const second = await TestService.start({ ...AS_PROMISED, ...UNLIMITED }, service.database);
    try {
      const readers = await Promise.all(
        both.map(async ({ id }) => ({ id, client: await second.client({ storeId: id }) })),
      );
      for (const reader of readers) await storedKeys(reader);
      const senders = both.map((store) => new EventSender(store, store.id));
      const before = senders.map(() => 0);
      const goOn = () => senders.every(({ acknowledged }, n) => acknowledged.length > (before[n] as number) + 100);
      await until(goOn, 'they are written to');
      await splitStores(service, [both[0].id, both[1].id], await placeOf(service, elsewhere.id));
      for (const [n, { acknowledged }] of senders.entries()) before[n] = acknowledged.length;
      await until(goOn, 'they are written to where they are now');
      for (const [n, sender] of senders.entries()) {
        await sender.stop();
        const [stored, read] = [await storedKeys(both[n] as PlacedStore), await storedKeys(readers[n] as PlacedStore)];
        expect(stored).to.include.members(sender.acknowledged);
        expect(read).to.have.members(stored);
      }
      const ports = await Promise.all(both.map(async ({ id }) => (await placeOf(service, id)).port));
      expect(new Set(ports).size).to.equal(2);
    } finally {
      await second.stopService();
    }
  });

  it('that is new is found on shards that were split since the process saw them', async () => {
    const [one, elsewhere] = await storesApart(service);
    await storedKeys(one);
    const beside = await storeBeside(service, one.id);
    await splitStores(service, [one.id, beside.id], await placeOf(service, elsewhere.id));
    const event = { event_type: 'x', profile: { email: 'a@example.com' } };
    for (const { client } of [beside, await storeBeside(service, one.id)]) {
      await client.post('/v1/events', event, { expect: 201 });
    }
  });
});
