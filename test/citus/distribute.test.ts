import { expect } from 'chai';
import { distribute as distributeTables } from '../../src/db/citus/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openOrm } from '../../src/db/orm.ts';
import { addCitus, createOnNodes, expectCluster } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';
import { nameOf, storedKeys } from './stage.ts';

/** The last migration before any that replaces a constraint. */
const EARLY = '0013-reading-jobs';

describe('npm run distribute (CITUS_URL)', () => {
  let cluster: string;
  let database: TestDatabase;

  before(async function () {
    cluster = expectCluster(this);
    database = await createOnNodes(cluster, `moving_${process.pid}`);
  });
  after(() => database?.drop());

  const distribute = () =>
    new Command(process.execPath, [builtProgram('scripts/distribute.ts')], { DATABASE_URL: database.url }).ended;
  const count = async (what: string) =>
    (await database.query<{ n: string }>(`select count(*) as n from ${what}`))[0]?.n;

  it('spreads the data of an installation over the nodes, with nothing lost', async function () {
    this.timeout(180_000);
    const plain = await TestService.start({}, database);
    const { key, storeId } = await plain.newKey();
    const store = { id: storeId, client: new Client(plain.url, key) };
    const event = (n: number) => ({
      event_type: 'x',
      profile: { email: `${n}@example.com` },
      idempotency_key: String(n),
    });
    await store.client.post(
      '/v1/events/bulk',
      { events: Array.from({ length: 300 }, (_, n) => event(n)) },
      { expect: 201 },
    );
    const before = (await store.client.get('/v1/profiles?limit=100', { expect: 200 })).body;
    const refused = await distribute();
    expect(refused).to.include({ code: 1, stderr: 'A service is using the database; stop it first.\n' });
    await plain.stopService();

    await addCitus(cluster, nameOf(database));
    // A start leaves it as it is.
    await (await TestService.start({}, database)).stopService();
    expect(await count('pg_dist_partition')).to.equal('0');

    const { code, stderr } = await distribute();
    expect(stderr).to.match(/Distributed: event\n.*The data is distributed/s);
    expect(code).to.equal(0);
    const again = await distribute();
    expect(again).to.include({ code: 0, stderr: 'The data is distributed; start the service.\n' });

    const service = await TestService.start({}, database);
    try {
      const client = new Client(service.url, key);
      expect(await storedKeys({ id: storeId, client })).to.have.members(
        Array.from({ length: 300 }, (_, n) => String(n)),
      );
      expect((await client.get('/v1/profiles?limit=100', { expect: 200 })).body).to.deep.equal(before);
      const replay = await client.post('/v1/events', event(7), { expect: 201 });
      expect(replay.headers['idempotency-replayed']).to.equal('true');
      await client.post('/v1/events', event(300), { expect: 201 });
    } finally {
      await service.stopService();
    }
  });

  it('gathers on the coordinator what each node had a copy of in earlier versions', async () => {
    const service = await TestService.start();
    try {
      const { key } = await service.newKey();
      for (const table of ['store', 'api_key'])
        await service.database.query(`select create_reference_table('${table}')`);
      await service.stopService();
      await migrate(service.database.url);
      const ofAll = await service.database.query(`select from pg_dist_partition where partmethod <> 'h'`);
      expect(ofAll).to.deep.equal([]);
      const again = await TestService.start({}, service.database);
      await new Client(again.url, key).get('/v1/events', { expect: 200 });
      await again.stopService();
    } finally {
      await service.database.drop();
    }
  });

  it('is followed by later migrations, which make the same constraints as on one server', async function () {
    this.timeout(180_000);
    const early = await createOnNodes(cluster, `early_${process.pid}`);
    const undivided = await createUndividedDatabase();
    try {
      await addCitus(cluster, nameOf(early));
      const { orm, sql, close } = await openOrm(early.url, 1, {});
      await orm.migrator.up({ to: EARLY });
      await distributeTables(sql);
      await close();
      expect(await migrate(early.url)).to.include({ isDistributed: true });
      expect(await constraintsOf(early)).to.deep.equal(await constraintsOf(undivided));
    } finally {
      await early.drop();
      await undivided.drop();
    }
  });
});

async function constraintsOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ constraint: string }>(`
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as constraint
    from pg_constraint c join pg_class t on t.oid = conrelid
    where t.relnamespace = 'public'::regnamespace and not relispartition
    order by 1`);
  return rows.map(({ constraint }) => constraint);
}
