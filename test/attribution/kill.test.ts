import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/orm.ts';
import { Shop } from '../messages/support/shop.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Earnings } from './support/earnings.ts';

const ADA = 'ada@shop.example';
const COUNT = 60;

describe('Orders of a store', () => {
  let database: TestDatabase;
  /** Credits nothing itself. */
  let service: TestService;
  let earnings: Earnings;

  before(async () => {
    database = await createUndividedDatabase();
    const sending = await TestService.start({}, database);
    const clicked = await Earnings.open(sending);
    await clicked.shop.customer(ADA);
    await clicked.click(await clicked.send(ADA));
    await sending.stopService();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' }, database);
    const { key, storeId } = { key: (await service.newKey({ storeId: clicked.shop.storeId })).key, ...clicked.shop };
    earnings = new Earnings(service, Shop.of(database, (await service.client()).as(key), storeId));
  });
  after(() => service.stop());

  it('are each credited once, by several processes, one of which was killed meanwhile', async () => {
    for (let i = 0; i < COUNT; i += 1) {
      await earnings.order(ADA, { order_id: `A-${i}`, value: 1, currency: 'EUR' });
      await earnings.refund(ADA, { order_id: `A-${i}`, value: 0.25 });
    }
    const env = { DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' };
    const lock = await openDatabase(database.url, 1, {});
    await lock.sql.transaction().execute(async (tx) => {
      await sql`lock table attribution in share mode`.execute(tx);
      const killed = new ServiceProcess(env);
      await until(async () => {
        const waiting = await database.query(`
          select from pg_locks where not granted and relation = 'attribution'::regclass`);
        return waiting.length > 0;
      }, 'a process writes orders');
      killed.signal('SIGKILL');
      await killed.ended;
    });
    await lock.close();
    const processes = [new ServiceProcess(env), new ServiceProcess(env)];
    expect(await earnings.earned()).to.deep.equal([`${COUNT} of ${COUNT * 0.75} EUR less ${COUNT * 0.25}`]);
    await Promise.all(processes.map((process) => process.stop()));
  });
});
