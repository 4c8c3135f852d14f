import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { detectFormat } from '../../src/backup/backup.ts';
import { eventJobDocument, profileJobDocument } from '../compat/documents.ts';
import { runJob } from '../compat/steps.ts';
import { contentOf, expectRefusal, succeed } from '../support/backup.ts';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { holdTable } from '../support/obstacles.ts';
import { type PgBouncer, PREPARED, startPgBouncer } from '../support/pgbouncer.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

/** Connections to Postgres, of which the two services open 30 to the pooler, and more for jobs and large requests. */
const POOL_SIZE = 4;

/** The least: one holds the lock while another migrates. */
const SMALLEST_POOL = 2;

const visit = (n: number) => ({ event_type: 'visit', profile: { email: `ada${n}@example.com` }, properties: { n } });
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

for (const prepared of PREPARED) {
  describe(`Behind PgBouncer in transaction mode, which keeps ${prepared || 'no'} prepared statements,`, () => {
    let database: TestDatabase;
    let pooler: PgBouncer;
    let services: TestService[];
    let clients: [Client, Client];
    let key: { key: string; storeId: string };

    before(async function () {
      database = await createDatabase();
      pooler = await startPgBouncer(this, database.url, { poolSize: POOL_SIZE, prepared });
      const env = { DATABASE_URL: pooler.url };
      services = await Promise.all([TestService.start(env, database), TestService.start(env, database)]);
    });
    beforeEach(async () => {
      const [one, other] = services as [TestService, TestService];
      key = await one.newKey();
      clients = [await one.client(key), await other.client(key)];
    });
    after(async () => {
      await Promise.all((services ?? []).map((service) => service.stopService()));
      await pooler?.stop();
      await database.drop();
    });

    const client = (n: number) => clients[n % 2] as Client;
    const count = async (path: string, list: string) => {
      const { body } = await client(0).get(path, { expect: 200 });
      return body[list].length;
    };

    it('events are recorded, by two services at once', async () => {
      await Promise.all(range(80).map((n) => client(n).post('/v1/events', visit(n), { expect: 201 })));
      expect(await count('/v1/events?limit=100', 'events')).to.equal(80);
      const connections = await database.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'footfall'`,
      );
      expect(connections[0]?.n).to.be.at.most(POOL_SIZE);
    });

    it('fifty requests with one key record one event', async () => {
      const event = { ...visit(1), idempotency_key: 'order 1' };
      const answers = await Promise.all(range(50).map((n) => client(n).post('/v1/events', event, { expect: 201 })));
      expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
      expect(answers.filter(({ headers }) => !headers['idempotency-replayed'])).to.have.length(1);
    });

    it('bulk requests, also large ones, and upserts of one profile hold', async () => {
      const events = range(1_000).map((n) => ({ ...visit(n % 50), idempotency_key: String(n) }));
      const [first, second] = await Promise.all([0, 1].map((n) => client(n).post('/v1/events/bulk', { events })));
      expect([first?.status, second?.status]).to.deep.equal([201, 201]);
      expect(first?.body.created + second?.body.created).to.equal(1_000);
      const upsert = (n: number) => ({ identifiers: { external_id: 'ada' }, attributes: { [`a${n}`]: n } });
      await Promise.all(range(40).map((n) => client(n).post('/v1/profiles/upsert', upsert(n))));
      const { body } = await client(1).post('/v1/profiles/upsert', upsert(40), { expect: 200 });
      expect(Object.keys(body.attributes)).to.have.length(41);
    });

    it('bulk jobs of both kinds are completed', async () => {
      const profiles = range(1_000).map((n) => ({ external_id: `c${n}` }));
      const events = range(1_000).map((n) => ({ profile: { external_id: `c${n}` }, events: [{ metric: 'Visited' }] }));
      const [one, other] = await Promise.all([
        runJob(client(0), profileJobDocument(profiles)),
        runJob(client(1), eventJobDocument(events)),
      ]);
      expect(one.attributes).to.include({ status: 'complete', completed_count: 1_000, failed_count: 0 });
      expect(other.attributes).to.include({ status: 'complete', completed_count: 1_000, failed_count: 0 });
    });

    it('a stream tells what the other service records', async () => {
      const stream = await EventStream.open((services[0] as TestService).url, key.key);
      const answers = await Promise.all(range(20).map((n) => client(1).post('/v1/events', visit(n), { expect: 201 })));
      await until(() => stream.eventIds.length >= 20, 'all have come');
      expect(stream.eventIds).to.have.members(answers.map(({ body }) => body.id));
      stream.close();
    });

    it('keys are created, listed and revoked', async () => {
      const created = { name: 'Shop', scopes: ['events:read'] };
      const { body } = await client(0).post('/v1/api-keys', created, { expect: 201 });
      await client(1).as(body.key).get('/v1/events', { expect: 200 });
      await client(1).send('DELETE', `/v1/api-keys/${body.api_key.id}`, undefined, { expect: 200 });
      await until(async () => (await client(0).as(body.key).get('/v1/events')).status === 401, 'it is refused');
    });

    it('what waits for a lock gives up', async () => {
      await client(0).post('/v1/events', visit(1), { expect: 201 });
      const release = await holdTable(database, 'event');
      try {
        await client(0).post('/v1/events', visit(2), { expect: 500 });
        await until(async () => !(await database.isWaiting()), 'nothing waits any more');
      } finally {
        await release();
      }
      await client(0).post('/v1/events', visit(2), { expect: 201 });
    });

    it("nothing is left on Postgres's connections", async () => {
      const lent = await Promise.all(
        range(POOL_SIZE).map(async () => {
          const connection = new pg.Client({ connectionString: pooler.url });
          await connection.connect();
          // A transaction keeps it, so that each is another one.
          await connection.query('begin');
          return connection;
        }),
      );
      try {
        for (const connection of lent) {
          const { rows } = await connection.query(`
            select (select array_agg(name::text) from pg_settings where source = 'session' and name <> 'application_name'
                and name not in ('client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')) as set,
              array(select pg_listening_channels()) as channels,
              array(select name::text from pg_prepared_statements where name !~ '^PGBOUNCER') as prepared`);
          expect(rows).to.deep.equal([{ set: null, channels: [], prepared: [] }]);
        }
      } finally {
        await Promise.all(lent.map((connection) => connection.end()));
      }
    });

    it('the service goes on once the pooler has been restarted', async () => {
      const stream = await EventStream.open((services[0] as TestService).url, key.key);
      await client(0).post('/v1/events', visit(0), { expect: 201 });
      await pooler.restart();
      const event = { ...visit(1), idempotency_key: 'after' };
      await until(async () => (await client(0).post('/v1/events', event)).status === 201, 'it records again');
      await until(async () => (await client(1).get('/v1/events')).status === 200, 'the other one reads again');
      expect(await count('/v1/events', 'events')).to.equal(2);
      await until(() => stream.eventIds.length >= 2, 'the stream goes on');
      expect(stream.eventIds).to.have.length(2);
      stream.close();
      const job = await runJob(client(0), profileJobDocument([{ external_id: 'c1' }]));
      expect(job.attributes).to.include({ status: 'complete', completed_count: 1 });
    });
  });
}

describe('An empty database behind PgBouncer', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let [database, target]: TestDatabase[] = [];
  let [pooler, other]: PgBouncer[] = [];

  before(async function () {
    folder = await temporaryFolder();
    [database, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
    pooler = await startPgBouncer(this, database.url, { poolSize: SMALLEST_POOL });
    other = await startPgBouncer(this, target.url, { poolSize: SMALLEST_POOL });
  });
  after(async () => {
    await pooler?.stop();
    await other?.stop();
    await database?.drop();
    await target?.drop();
    await folder.remove();
  });

  it('is migrated by one of several services that start at once', async () => {
    const env = { DATABASE_URL: pooler?.url };
    const services = await Promise.all(range(4).map(() => TestService.start(env, database)));
    const client = await (services[0] as TestService).client();
    await client.post('/v1/events', visit(1), { expect: 201 });
    await Promise.all(services.map((service) => service.stopService()));
  });

  it("is backed up and restored, in the service's own format", async () => {
    const file = join(folder.path, 'backup');
    await succeed('backup', file, { DATABASE_URL: pooler?.url as string });
    expect(await detectFormat(file)).to.include({ format: 'own' });
    await succeed('restore', file, { DATABASE_URL: other?.url as string });
    const [before, after] = [await contentOf(database as TestDatabase), await contentOf(target as TestDatabase)];
    expect(after.event).to.have.length(1).and.to.deep.equal(before.event);
  });

  it('is not restored by pg_restore, whose settings would stay with others', async () => {
    const file = join(folder.path, 'dump');
    writeFileSync(file, 'PGDMP and more');
    await (target as TestDatabase).query('drop schema public cascade; create schema public');
    const through = { ...(target as TestDatabase), url: other?.url as string };
    await expectRefusal(file, through, {}, /pg_restore needs the server itself/);
  });
});
