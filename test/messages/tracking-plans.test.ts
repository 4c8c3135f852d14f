import { sql } from 'kysely';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { insertHits } from '../../src/domain/tracking/insert-hits.ts';
import { judgementOfHits } from '../../src/domain/tracking/judge-hits.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

/** Messages, each of which has a click that was judged, and one that still waits for what follows: both after those that are recorded here. */
const EACH = 60_000;
/** Clicks that come together. */
const CLICKS = 3;
const TABLES = ['message', 'message_hit', 'profile'];

describe('Statements of clicks, beside very many', () => {
  it('touch few rows, with whatever statistics they were planned', async () => {
    const database = await createUndividedDatabase();
    // What it sends and judges is no part of what is measured.
    const service = await TestService.start({ MESSAGE_CONCURRENCY: '0', WORKERS: '1' }, database);
    const opened: Database[] = [];
    try {
      const shop = await Shop.open(service);
      for (const name of TABLES) await shop.query(`alter table ${name} set (autovacuum_enabled = off)`);
      await shop.query('analyze');
      const { storeId } = shop;
      let asked = 0;
      const click = async (db: Sql): Promise<void> => {
        const { rows } = await sql<{ id: string }>`
          select id from message where store_id = ${storeId} order by store_id, id offset ${asked} limit ${CLICKS}`.execute(
          db,
        );
        asked += CLICKS;
        const at = Date.now() - 30_000;
        const ids = rows.length > 0 ? rows.map(({ id }) => id) : [newId()];
        await insertHits(
          db,
          storeId,
          ids.map((messageId) => {
            const url = 'https://shop.example/';
            return { id: newId(), storeId, messageId, at, kind: 'click', link: 1, url, isMachine: false };
          }),
        );
      };
      const judge = async (db: Sql): Promise<void> => {
        await judgementOfHits().run(db, performance.now() + 60_000);
      };
      await expectFewBlocksAlways(
        { 'record clicks': click, 'judge clicks': judge },
        {
          open: async (settings) => {
            const one = await openDatabase(database.url, 2, settings);
            opened.push(one);
            return one;
          },
          query: (statement) => shop.query(statement),
          rows: rowsOf(storeId),
          tables: TABLES,
        },
      );
    } finally {
      for (const one of opened) await one.close();
      await service.stop();
    }
  });
});

describe('Clicks that wait by the clock of the process alone', () => {
  it('are left to the next look', async () => {
    const service = await TestService.start();
    const now = Date.now;
    let database: Database | undefined;
    try {
      const { storeId } = await Shop.open(service);
      // It would judge them itself.
      await service.stopService();
      await service.database.query(
        rowsOf(storeId, 1).replace("interval '1 hour', null", "interval '-10 seconds', null"),
      );
      database = await openDatabase(service.database.address, 2);
      Date.now = () => now() - 60_000;
      // It would go on until then.
      await judgementOfHits().run(database.stores.of(storeId), Number.POSITIVE_INFINITY);
    } finally {
      Date.now = now;
      await database?.close();
      await service.stop();
    }
  });
});

function rowsOf(storeId: string, count = EACH): string {
  return `
    with customer as materialized (
      select n, uuidv7() as id, uuidv7() as message_id from generate_series(1, ${count}) n
    ), known as (
      insert into profile (store_id, id, email, attributes, created_at, updated_at)
      select '${storeId}', id, format('c%s@example.com', n), '{}', now(), now() from customer
    ), sent as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, channel, class, source,
        status, context, created_at, begun_at, finished_at)
      select '${storeId}', message_id, id, uuidv7(), uuidv7(), 1, 'email', 'marketing', 'request', 'sent',
        '{"data":{},"event":null}', now(), now() - interval '1 hour', now() - interval '1 hour' from customer
    )
    insert into message_hit (store_id, message_id, id, hit_at, judged_at, kind, link, url, is_machine)
    select '${storeId}', message_id, uuidv7(), now() + later, judged_at, 'click', 1, 'https://shop.example/', false
    from customer, (values (interval '2 hours', now()), (interval '1 hour', null)) as kind (later, judged_at)`;
}
