import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { freeze } from '../support/freeze.ts';
import type { InstalledPostgres } from '../support/installed-postgres.ts';
import { Metrics } from '../support/metrics.ts';
import { createUndividedDatabase, databaseAt, type TestDatabase } from '../support/postgres.ts';
import { AS_PROMISED, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { startToolsPostgres, type ToolsPostgres } from '../support/tools-postgres.ts';

const visit = (n: number) => ({ event_type: 'visit', profile: { external_id: `c${n}` }, properties: { n } });
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('A replica for reading', () => {
  let primary: ToolsPostgres;
  let standby: InstalledPostgres;
  let database: TestDatabase;
  let replica: TestDatabase;
  let services: TestService[];
  let clients: Client[];

  before(async function () {
    primary = await startToolsPostgres(this);
    database = await primary.createEmptyDatabase();
    standby = await primary.startStandby();
    replica = databaseAt(standby.urlOf(new URL(database.url).pathname.slice(1)));
    const env = { ...AS_PROMISED, DATABASE_REPLICA_URL: replica.url };
    services = [await TestService.start(env, database), await TestService.start(env, database)];
  });
  beforeEach(async () => {
    const key = await (services[0] as TestService).newKey();
    clients = await Promise.all(services.map((service) => service.client(key)));
    await until(() => isUsed(0), 'the first uses it');
    await until(() => isUsed(1), 'the second uses it');
  });
  after(async () => {
    await Promise.all((services ?? []).map((service) => service.stopService()));
    await standby?.stop();
    await primary?.stop();
  });

  const client = (n: number) => clients[n % 2] as Client;
  const isUsed = async (n: number) =>
    (await Metrics.of((services[n] as TestService).url)).sum('footfall_replica_up') === 1;

  /** Queries of tables that the standby has been asked. */
  const asked = async () => {
    const [row] = await replica.query<{ n: number }>(
      `select sum(idx_scan + seq_scan)::int as n from pg_stat_user_tables where relname ~ '^event_\\d'`,
    );
    return row?.n ?? 0;
  };

  /** Writes through one service, and reads each time through the other what has just been written. */
  async function writeAndRead(count: number): Promise<void> {
    for (const n of range(count)) {
      const { body } = await client(n).post('/v1/events', visit(n), { expect: 201 });
      const list = await client(n + 1).get('/v1/events?limit=1', { expect: 200 });
      expect(list.body.events[0].id).to.equal(body.id);
    }
    const { body } = await client(count).get('/v1/events/stats?interval=day', { expect: 200 });
    expect(JSON.stringify(body)).to.include(`${count}`);
  }

  it('answers lists, which show what the other service has just recorded', async () => {
    const before = await asked();
    await writeAndRead(30);
    await until(async () => (await asked()) > before, 'it has been asked');
  });

  it('is not asked while it is behind, and asked again once it has caught up', async () => {
    await replica.query('select pg_wal_replay_pause()');
    try {
      await writeAndRead(5);
      expect(await isUsed(0)).to.equal(false);
      const metrics = await Metrics.of((services[0] as TestService).url);
      await until(
        async () => ((await Metrics.of((services[0] as TestService).url)).sum('footfall_replica_lag_seconds') ?? 0) > 0,
        'its lag is shown',
      );
      expect(metrics.sum('footfall_replica_up')).to.equal(0);
    } finally {
      await replica.query('select pg_wal_replay_resume()');
    }
    await until(() => isUsed(0), 'it is used again');
    await writeAndRead(5);
  });

  it('may stand still, and go on', async () => {
    const thaw = await freeze({ url: standby.urlOf('postgres'), pid: standby.pid });
    try {
      await writeAndRead(5);
      await until(async () => !(await isUsed(0)), 'it is not used');
    } finally {
      thaw();
    }
    await until(() => isUsed(0), 'it is used again');
  });

  it('may cancel a query, which the primary then answers', async () => {
    await writeAndRead(1);
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'footfall' and state = 'active' and query ~ 'event'`;
    const reads = Promise.all(range(40).map((n) => client(n).get('/v1/events', { expect: 200 })));
    for (const _ of range(10)) await replica.query(cancel);
    await reads;
  });

  it('may be gone for good', async () => {
    process.kill(standby.pid, 'SIGKILL');
    await writeAndRead(5);
    await until(async () => !(await isUsed(0)), 'it is not used');
    expect((await client(0).get('/health/ready')).status).to.equal(200);
  });
});

describe('A database that is no standby', () => {
  it('is not read from', async () => {
    // A cluster has none at all: a service would not start with one.
    const service = await TestService.start({}, await createUndividedDatabase());
    const other = await TestService.start({ DATABASE_REPLICA_URL: service.database.url }, service.database);
    const one = await other.client();
    const { body } = await one.post('/v1/events', visit(1), { expect: 201 });
    expect((await one.get('/v1/events', { expect: 200 })).body.events[0].id).to.equal(body.id);
    expect((await Metrics.of(other.url)).sum('footfall_replica_up')).to.equal(0);
    await other.stopService();
    await service.stop();
  });
});
