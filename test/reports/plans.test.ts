import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { readOverview } from '../../src/domain/reports/overview/overview.ts';
import { countSentMessages } from '../../src/domain/reports/sent-messages.ts';
import { lowestIdAt } from '../../src/ids/uuid-v7.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Events, customers, runs, messages and quarters of an hour with orders; campaigns, imports, and runs of each of ten feeds. */
const [MANY, SOME] = [60_000, 5_000];
const TABLES = [
  ...[
    'profile',
    'automation',
    'automation_run',
    'message',
    'campaign',
    'campaign_count',
    'customer_import',
    'order_quarter',
  ],
  ...['catalog_feed', 'catalog_feed_run', 'sender', 'webhook_endpoint', 'coupon_pool', 'coupon_count'],
];
const FEED = '01a1f853-7d20-7a61-8e3c-5f90b2d7c4';

describe('Statements of the overview and of counts of messages, in a store that has much and in one that has nothing', () => {
  let database: TestDatabase;
  let storeId: string;
  let emptyStoreId: string;
  const opened: Database[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    const service = await TestService.start({ MESSAGE_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' }, database);
    storeId = await service.newStore();
    emptyStoreId = await service.newStore();
    for (const name of TABLES) await database.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await database.query('analyze');
    // What it does by itself meanwhile would be counted.
    await service.stopService();
  });
  after(async () => {
    for (const one of opened) await one.close();
    await database.drop();
  });

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  async function look(db: Sql): Promise<void> {
    for (const id of [storeId, emptyStoreId]) await readOverview(db, id, new Set(SCOPES));
  }

  /** Of two days with few messages. */
  async function count(db: Sql): Promise<void> {
    const day = Temporal.PlainDate.from('2026-11-01');
    const range = {
      first: day,
      last: day,
      zone: 'Europe/Berlin',
      compare: 'previous_period',
      now: Date.now(),
    } as const;
    for (const id of [storeId, emptyStoreId]) await countSentMessages(db, id, range);
  }

  it('touch few rows, with whatever statistics they were planned', async () => {
    await expectFewBlocksAlways(
      { 'look at what needs somebody, and at first steps': look, 'count messages': count },
      { open, query: (sql) => database.query(sql), rows: rowsOf(storeId), tables: [...TABLES, 'event'] },
    );
  });
});

/** Nothing that was done is a first step but the last of it; nothing has failed of late. */
function rowsOf(storeId: string): string {
  const at = (seconds: string) => `now() - ${seconds} * interval '1 second'`;
  const series = (n: number) => `from generate_series(1, ${n}) n`;
  const dayOfFew = Date.UTC(2026, 10, 1, 12);
  const idOfDay = lowestIdAt(new Date(dayOfFew)).slice(0, 24);
  return `
    insert into profile (store_id, id, email, attributes, created_at, updated_at)
    select '${storeId}', uuidv7(), format('c%s@example.com', n), '{}', now(), now() ${series(MANY)};
    insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
    select '${storeId}', uuidv7(), uuidv7(), 'visit', '{}', ${at('n')}, now() ${series(MANY)};
    insert into automation_run (store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status,
      step_id, seq, consumed, attempts, started_at, ended_at)
    select '${storeId}', uuidv7(), uuidv7(), 1, uuidv7(), uuidv7(), '{}', '{}', 0,
      case when n % 2 = 0 then 'failed' else 'ended' end, 's', 0, '{}', 0, now(), now() - interval '2 days'
    ${series(MANY)};
    insert into message (store_id, id, profile_id, sender_id, template_version, channel, class, source, status, created_at)
    select '${storeId}', uuidv7(), uuidv7(), uuidv7(), 1, 'email', 'marketing', 'request', 'sent', now() ${series(MANY)};
    insert into message (store_id, id, profile_id, sender_id, template_version, channel, class, source, status, created_at)
    select '${storeId}', ('${idOfDay}' || to_char(n, 'FM000000000000'))::uuid, uuidv7(), uuidv7(), 1, 'email', 'marketing', 'request',
      'sent', now()
    ${series(10)};
    insert into campaign (store_id, id, name, channel, status, revision, created_at, updated_at)
    select '${storeId}', uuidv7(), n, 'email', 'draft', 1, now(), now() ${series(SOME)};
    insert into campaign_count (store_id, campaign_id, counts)
    select store_id, id, '{"counts": [{"status": "sent", "count": 6000}]}' from campaign where name::int % 125 = 0;
    insert into customer_import (store_id, id, state, list_ids, created_at, ended_at)
    select '${storeId}', uuidv7(), 'failed', '{}', now(), now() - interval '8 days' ${series(SOME)};
    insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled)
    select '${storeId}', date_bin('15 minutes', now(), 'epoch') - n * interval '15 minutes', 'EUR', 1, 10, 0, 0 ${series(MANY)};
    insert into catalog_feed (store_id, id, name, url, url_shown, every_minutes, failures, created_at, updated_at)
    select '${storeId}', ('${FEED}' || n)::uuid, n, 'u', 'u', 60, 0, now(), now() from generate_series(10, 19) n;
    insert into catalog_feed_run (store_id, id, feed_id, status, started_at)
    select '${storeId}', uuidv7(), ('${FEED}' || 10 + n % 10)::uuid, 'complete', now() ${series(10 * SOME)};
    insert into coupon_pool (store_id, id, name, kind, per, low_below, codes, created_at, updated_at)
    select '${storeId}', uuidv7(), n, 'uploaded', 'customer', 5, 10, now(), now() ${series(20)};
    insert into coupon_count (store_id, pool_id, status, count)
    select '${storeId}', uuidv7(), 'used', 1 ${series(MANY)}`;
}
