import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { deleteOldDeliveries } from '../../src/domain/webhooks/deliveries/delete-old.ts';
import { lowestIdAt } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('Old deliveries of webhooks', () => {
  let database: TestDatabase;
  /** Sends and deletes nothing itself. */
  let service: TestService;
  let own: Database;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...RECEIVABLE, AUTOMATION_CONCURRENCY: '0' }, database);
    own = await openDatabase(database.url, 1);
  });
  after(async () => {
    await own.close();
    await service.stop();
  });

  function insertOld(merchant: Merchant, endpointId: string, days: number, count: number, due = 'null') {
    const prefix = lowestIdAt(new Date(Date.now() - days * DAY_MS)).slice(0, 14);
    return merchant.query(`
      insert into webhook_delivery (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at,
        attempt, claim, created_at)
      select $store, ('${prefix}7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${endpointId}', false, 'test', '', 'held',
        ${due}, 0, 0, now()
      from generate_series(1, ${count}) as n
      returning id`);
  }

  it('that somebody is just replaying stay, and hold up none of the others', async () => {
    const merchant = await Merchant.open(service);
    const { id } = await merchant.endpoint('http://127.0.0.1:9/');
    const [{ id: replayed }] = await insertOld(merchant, id, 31, 3);
    const left = () => merchant.query('select id from webhook_delivery where store_id = $store');
    const other = await openDatabase(database.url, 1);
    await other.sql.transaction().execute(async (tx) => {
      await sql`
        update webhook_delivery set status = 'pending', due_at = now()
        where store_id = ${merchant.storeId} and id = ${replayed}`.execute(tx);
      await deleteOldDeliveries(own.sql, Number.POSITIVE_INFINITY);
      expect(await left()).to.deep.equal([{ id: replayed }]);
    });
    await other.close();
    await deleteOldDeliveries(own.sql, Number.POSITIVE_INFINITY);
    expect(await left()).to.deep.equal([{ id: replayed }]);
  });

  it('are deleted with their attempts, however many came together; others stay', async () => {
    const merchant = await Merchant.open(service);
    const { id } = await merchant.endpoint('http://127.0.0.1:9/');
    const kept = await merchant.queue(id, 2);
    const insert = (days: number, count: number, due: string) => insertOld(merchant, id, days, count, due);
    await insert(31, 2_500, 'null');
    await insert(29, 3, 'null');
    await insert(40, 1, 'now()');
    await merchant.query(`
      insert into webhook_attempt (store_id, delivery_id, number, at, ms)
      select store_id, id, 1, now(), 1 from webhook_delivery where store_id = $store`);
    await deleteOldDeliveries(own.sql, Number.POSITIVE_INFINITY);
    const count = async (table: string) =>
      Number((await merchant.query(`select count(*) as n from ${table} where store_id = $store`))[0].n);
    expect([await count('webhook_delivery'), await count('webhook_attempt')]).to.deep.equal(
      Array(2).fill(kept.length + 3 + 1),
    );
  });
});
