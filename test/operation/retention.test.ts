import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/orm.ts';
import { maintainPartitions } from '../../src/db/partition-maintenance.ts';
import { createPartitions } from '../../src/db/partitions.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Retention', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const OLD = '015b0000-0000-7000-8000-000000000001';
  const MARCH = `create table if not exists event_2017_03 partition of event
    for values from ('015a872a-9800-0000-0000-000000000000') to ('015b26cf-bc00-0000-0000-000000000000')`;

  /** Moves an event, with its key, to a month long past, as if it had been received then. */
  async function age(id: string): Promise<void> {
    await service.database.query(MARCH);
    await service.database.query(`update event set id = '${OLD}' where id = '${id}'`);
    await service.database.query(`update idempotency_key set event_id = '${OLD}' where event_id = '${id}'`);
    const isCounted = () => service.database.query("select 1 from event_day where event_type = 'old'");
    await until(async () => (await isCounted()).length > 0, 'its count is summed up');
    await service.database.query("update event_day set month = '2017-03-01T00:00Z' where event_type = 'old'");
  }

  it('drops whole months older than EVENT_RETENTION_DAYS, with their keys and counts, and nothing else', async () => {
    const client = await service.client();
    const event = (key: string) => ({ event_type: key, profile: { external_id: 'c1' }, idempotency_key: key });
    const old = await client.post('/v1/events', event('old'), { expect: 201 });
    const recent = await client.post('/v1/events', event('recent'), { expect: 201 });
    await age(old.body.id);

    const second = await TestService.start({ EVENT_RETENTION_DAYS: '30' }, service.database);
    await second.stopService();

    const left = await service.database.query<{ id: string }>('select id from event');
    expect(left).to.deep.equal([{ id: recent.body.id }]);
    const { series } = (await client.get('/v1/events/stats', { expect: 200 })).body;
    expect(series.map(({ event_type }: { event_type: string }) => event_type)).to.deep.equal(['recent']);
    const again = await client.post('/v1/events', event('old'), { expect: 201 });
    expect(again.headers).not.to.have.property('idempotency-replayed');
    const replay = await client.post('/v1/events', event('recent'), { expect: 201 });
    expect(replay.headers['idempotency-replayed']).to.equal('true');
  });

  it('keeps keys and counts where a month can not be dropped now, and drops it later', async () => {
    const client = await service.client();
    const event = { event_type: 'old', profile: { external_id: 'c1' }, idempotency_key: 'locked' };
    const { body } = await client.post('/v1/events', event, { expect: 201 });
    const { address, query } = service.database;
    const old = body.id.replace(/^.{13}/, OLD.slice(0, 13));
    await query(MARCH);
    await query(`update event set id = '${old}' where id = '${body.id}'`);
    await query(`update idempotency_key set event_id = '${old}' where event_id = '${body.id}'`);
    const reader = await openDatabase(address, 1);
    try {
      await reader.sql.transaction().execute(async (tx) => {
        await sql`lock table event in access share mode`.execute(tx);
        const outcome = await maintainPartitions(address, 30).catch((error) => error.code);
        expect(outcome).to.equal('55P03');
      });
      const replay = await client.post('/v1/events', event, { expect: 201 });
      expect([replay.headers['idempotency-replayed'], replay.body.id]).to.deep.equal(['true', old]);
      // One that was killed after that.
      await query('alter table event detach partition event_2017_03');
      expect(await maintainPartitions(address, 30)).to.deep.equal(['event_2017_03']);
      expect(await maintainPartitions(address, 30)).to.deep.equal([]);
    } finally {
      await reader.close();
    }
    const again = await client.post('/v1/events', event, { expect: 201 });
    expect(again.headers).not.to.have.property('idempotency-replayed');
  });

  it('creates no month that it would drop again', async () => {
    const { database } = service;
    const { sql: db, close } = await openDatabase(database.address, 1);
    const months = async (retentionDays: number) => {
      await createPartitions(db, { retentionDays, now: new Date('2040-12-31T06:00:00Z') });
      const tables = await database.query<{ name: string }>(
        "select relname as name from pg_class where relname ~ '^event_20(40|41)_..$' order by 1",
      );
      return tables.map(({ name }) => name);
    };
    try {
      expect(await months(30)).to.deep.equal(['event_2040_12', 'event_2041_01', 'event_2041_02']);
      expect(await months(31)).to.include('event_2040_11');
    } finally {
      for (const name of await months(0)) await database.query(`drop table ${name}`);
      await close();
    }
  });

  it('frees all idempotency keys of dropped events, however many, and no others', async () => {
    const storeId = await service.newStore();
    await service.database.query(MARCH);
    const recent = crypto.randomUUID().replace(/^.{8}/, 'ffffffff');
    await service.database.query(
      `insert into idempotency_key (store_id, scope, key, event_id)
       select '${storeId}', '', i, case when i % 2 = 0 then '${OLD}' else '${recent}' end::uuid
       from generate_series(1, 80000) i`,
    );

    const second = await TestService.start({ EVENT_RETENTION_DAYS: '30' }, service.database);
    await second.stopService();

    const left = await service.database.query(
      `select event_id, count(*)::int as keys from idempotency_key where store_id = '${storeId}' group by 1`,
    );
    expect(left).to.deep.equal([{ event_id: recent, keys: 40_000 }]);
  });
});
