import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/orm.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const COUNT = 60;

describe('The orders of a store', () => {
  let database: TestDatabase;
  /** Reads none itself. */
  let service: TestService;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' }, database);
  });
  after(() => service.stop());

  it('are each made once, by several processes, one of which was killed meanwhile', async () => {
    const client = (await service.client()).as((await service.newKey({ storeId: await service.newStore() })).key);
    const profile = { external_id: 'ada' };
    const events = Array.from({ length: COUNT }, (_, i) => [
      { event_type: 'placed_order', profile, properties: { order_id: `A-${i}`, value: 1, currency: 'EUR' } },
      { event_type: 'refunded_order', profile, properties: { order_id: `A-${i}`, value: 0.25 } },
    ]).flat();
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const env = { DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' };
    const lock = await openDatabase(database.url, 1, {});
    await lock.sql.transaction().execute(async (tx) => {
      await sql`lock table order_quarter in share mode`.execute(tx);
      const killed = new ServiceProcess(env);
      await until(async () => {
        const waiting = await database.query(`
          select from pg_locks where not granted and relation = 'order_quarter'::regclass`);
        return waiting.length > 0;
      }, 'a process writes sums');
      killed.signal('SIGKILL');
      await killed.ended;
    });
    await lock.close();
    const processes = [new ServiceProcess(env), new ServiceProcess(env)];
    await until(async () => {
      const { body } = await client.get('/v1/reports/revenue', { expect: 200 });
      return body.totals.revenue[0]?.order_count === COUNT && body.is_complete;
    }, 'all orders are read');
    const { body } = await client.get('/v1/reports/revenue', { expect: 200 });
    expect(body.totals.revenue).to.deep.equal([
      {
        ...{ currency: 'EUR', order_count: COUNT, cancelled_count: 0, gross_amount: '60', refunded_amount: '15' },
        ...{ net_amount: '45', average_amount: '1' },
      },
    ]);
    await Promise.all(processes.map((process) => process.stop()));
  });
});
