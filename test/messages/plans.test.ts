import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { askToConfirm } from '../../src/domain/confirmations/ask.ts';
import { readUnconfirmed } from '../../src/domain/confirmations/unconfirmed.ts';
import { beginMessages } from '../../src/domain/messages/sending/begin.ts';
import { claimMessages } from '../../src/domain/messages/sending/claim.ts';
import { findDueSenders } from '../../src/domain/messages/sending/find-due.ts';
import { recordSettled } from '../../src/domain/messages/sending/record.ts';
import { expectFewBlocks, expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

/** Messages that are due, that wait, and that were sent; each to a customer who has one of each. */
const EACH = 60_000;
/** Messages that are claimed at once. */
const CLAIMED = 3;
/** Messages that others have under way meanwhile. */
const UNDER_WAY = 80;
const TABLES = [
  'sender',
  'message',
  'consent',
  'suppressed_address',
  'profile',
  'profile_identifier',
  'list_confirmation',
];
const LIST = '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03';
const digestOf = (address: string) => createHash('sha256').update(address).digest();
const CAPS = { most: { count: 3, withinMs: 7 * 86_400_000 }, gapMs: 1 };

describe('Statements of messages, beside very many that wait', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let shop: Shop;
  let senderId: string;
  const opened: Database[] = [];
  let asked = 0;

  before(async () => {
    database = await createUndividedDatabase();
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', MESSAGE_CONCURRENCY: '0' };
    service = await TestService.start(env, database);
    shop = await Shop.open(service);
    senderId = await shop.relay(9, { max_concurrent: 100 });
    for (const name of TABLES) await shop.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await shop.query('analyze');
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  async function sendSome(db: Sql): Promise<void> {
    const { storeId } = shop;
    const claim = await claimMessages(db, storeId, senderId, CLAIMED, { caps: CAPS, digestOf });
    const messages = claim?.messages ?? [];
    await beginMessages(db, storeId, messages, digestOf);
    const result = { outcome: 'accepted', response: '250 Taken' } as const;
    const settled = messages.map((message) => ({ message, at: Date.now(), result }));
    await recordSettled(db, storeId, senderId, settled, { digestOf, versions: new VersionCache(), tellsOfSent: false });
  }

  /** Each time another customer, of a list that all others were asked about. */
  async function askSomebody(db: Sql): Promise<void> {
    const { storeId } = shop;
    const { rows } = await sql<{ id: string }>`
      select id from profile where store_id = ${storeId} order by store_id, id offset ${asked++} limit 1`.execute(db);
    const profileId = rows[0]?.id ?? LIST;
    const list = { id: LIST, name: LIST, sourceId: null, isDoubleOptIn: true, otherNames: [] };
    const change = { channel: 'email', kind: 'subscribed', changedAt: new Date(), isNow: true, source: null } as const;
    await askToConfirm(db, storeId, [{ ...change, profileId, list }]);
    await readUnconfirmed(db, storeId, profileId);
  }

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'find senders that something is due for': findDueSenders,
    'claim messages, begin them, and record what came of them': sendSome,
    'ask a customer to confirm, and see what they were asked': askSomebody,
  };

  it('touch few rows, with whatever statistics they were planned', async () => {
    await expectFewBlocksAlways(works, {
      open,
      query: (sql) => shop.query(sql),
      rows: rowsOf(shop.storeId, senderId),
      tables: TABLES,
    });
    const sent = await shop.query(`select count(*)::int as n from message where response = '250 Taken'`);
    expect(sent[0].n).to.equal(8 * CLAIMED);
  });

  it('touch few rows also where others have many under way that no statistics know of', async () => {
    await shop.query(`
      update message set status = 'claimed', claim = 1, due_at = now() + interval '1 minute'
      where id = any(array(select id from message where status = 'waiting' order by due_at desc limit ${UNDER_WAY}))`);
    const { sql: db } = await open(SETTINGS_OF_ENGINES);
    await sendSome(db);
    await expectFewBlocks(db, { 'claim, begin, record': sendSome });
  });
});

function rowsOf(storeId: string, senderId: string): string {
  return `
    with customer as materialized (
      select n, uuidv7() as id from generate_series(1, ${EACH}) n
    ), known as (
      insert into profile (store_id, id, email, attributes, created_at, updated_at)
      select '${storeId}', id, format('c%s@example.com', n), '{}', now(), now() from customer
    ), subscribed as (
      insert into consent (store_id, profile_id, channel, status, changed_at)
      select '${storeId}', id, 'email', 'subscribed', now() from customer
    ), asked as (
      insert into list_confirmation (store_id, message_id, profile_id, list_id, asked_at)
      select '${storeId}', uuidv7(), id, '${LIST}', now() - interval '2 hours' from customer
    ), suppressed as (
      insert into suppressed_address (store_id, id, digest, reason, created_at)
      select '${storeId}', uuidv7(), sha256(n::text::bytea), 'hard_bounce', now() from customer
    )
    insert into message (store_id, id, profile_id, sender_id, template_id, template_version, channel, class, source,
      status, context, created_at, due_at, begun_at, finished_at)
    select '${storeId}', uuidv7(), id, '${senderId}', uuidv7(), 1, 'email', 'marketing', 'request', status,
      '{"data":{},"event":null}', now(),
      case status when 'waiting' then now() + later end, begun_at, begun_at
    from customer,
      (values ('waiting', interval '-1 minute', null::timestamptz), ('waiting', interval '1 day', null),
        ('sent', null, now() - interval '1 day')) as kind (status, later, begun_at)`;
}
