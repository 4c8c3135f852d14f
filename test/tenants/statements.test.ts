import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { succeed } from '../support/backup.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { StatementTap } from '../support/statement-tap.ts';
import { doEverything } from './repertoire.ts';
import { openTables } from './statement-plan.ts';

/** What concerns several stores: why, and how its statement is told from others. */
const OF_SEVERAL_STORES: Record<string, RegExp> = {
  'a backup is one of all stores': /^copy|^lock table event in access share/,
  'a partition has a month of all stores': /^(?:create|alter|drop) table/,
  'counts of a month go with its partition': /^delete from "event_(?:day|count_new)" where "month" = \$1/,
  'keys of a month go with it, in a pass over the pages of their table': /^\s*delete from idempotency_key\s+where ctid/,
  'counts are summed up once a second, of whichever stores have new ones': /hashtext\('footfall\.event_count'\)/,
  'one poll asks for all stores whose automations have something to do': /^\s*with due as \(/,
  'metrics of automations are those of all stores': /as active\s+from automation a\s/,
  'counts of automations are summed up once a second, of whichever stores have new ones':
    /hashtext\('footfall\.automation_count'\)/,
  'stores are looked for of whose automations something is too old; it is deleted store by store':
    /^\s*with recursive having_some \(store_id\)/,
  'stores are looked for at a start whose automations have lost their place in the feed': /^\s*with unread as/,
  'one poll asks for all stores that have somebody to erase or to merge':
    /from erasure where due_at <= now\(\)\s+union\s+select store_id from profile_merge where due_at <= now\(\)$/,
  'what merged customers had before is forgotten once it is old':
    /^\s*update profile_merge set before = null\s+where before is not null and created_at/,
  'identifiers that are no longer suppressed are forgotten once an hour':
    /^delete from suppressed_identifier where until/,
  'readiness says whether erasures are to be done again in any store': /^\s*select from erasure_gap limit 1$/,
  'one poll asks for all stores that have jobs which are due': /^\s*with recursive "unfinished" as/,
  'jobs that have expired are looked for; they are deleted store by store':
    /^\s*select store_id, id from import_job where expires_at/,
  'imports of customers that have expired are looked for; they are deleted one by one':
    /^\s*select store_id, id from customer_import where expires_at/,
  'metrics of jobs are those of all stores': /as "oldestSeconds"\s+from import_job where/,
  'one poll asks for all stores that have streams': /\) as heads,/,
  'stores are looked for whose readers have fallen behind':
    /^\s*select distinct r\.store_id as "storeId" from feed_reader/,
  'answers to requests with a key are deleted once a minute, of whichever stores':
    /^delete from kept_answer where created_at/,
  'stores are looked for of which profiles have just changed; what is superseded is deleted store by store':
    /^\s*with recursive having_some \(id\)/,
  'some superseded changes of profiles are deleted now and then, on random pages of their table':
    /from profile_update tablesample system/,
  'old entries of the feed are deleted once a minute, of whichever stores':
    /^\s*delete from addition a\s+where added_at/,
  'stores are looked for whose segments have something to do': /^\s*select store_id as "storeId" from segment_store t/,
  'stores are looked for that have segments; old changes are deleted store by store':
    /^\s*select store_id as "storeId" from segment_store order by random\(\)/,
  'stores are looked for whose segments are to be compared this night; they are compared one by one':
    /^\s*select store_id as "storeId" from segment_store\s+where compare_left/,
  'metrics of segments are those of all stores': /^\s*with counted as \(\s*select exists/,
  'deliveries are written where they were found, for one store, by the same statement':
    /update webhook_delivery\s+(?:d\s+)?set.*\bctid = (?:any|found)/s,
  'messages are written where they were found, for one store, by the same statement':
    /update message m\s+(?:--[^\n]*\s+)?set.*\bm\.ctid = [ds]\.place/s,
  'what is known of the catalog is changed where the same statement has found it, by the store and its id':
    /(?:update "?catalog_\w+"? t\s+set.*\bt\.ctid = \w+\.place|delete from catalog_\w+\s+where ctid = any)/s,
  'secrets of endpoints are encrypted that stand in clear, of whichever stores':
    /^\s*select store_id as "storeId", id, secret, previous_secrets as "previousSecrets" from webhook_endpoint\s+where starts_with/,
  'campaigns are looked for that something is to be done for, of whichever stores':
    /^\s*select store_id as "storeId", id from \(\s*select store_id, id, row_number\(\) over \(partition by store_id order by due_at\) as place\s+from campaign where due_at/,
  'campaigns are looked for whose messages are to be counted, of whichever stores':
    /^\s*select store_id as "storeId", id from \(\s*select store_id, campaign_id as id, row_number\(\) over \(partition by store_id order by due_at\) as place\s+from campaign_count where due_at/,
  'endpoints are looked for that have deliveries which are due, of whichever stores':
    /^\s*with recursive "waiting" as \(\s*\(\s*select store_id, "endpoint_id"/,
  'senders are looked for that have messages which are due, of whichever stores':
    /^\s*with recursive "waiting" as \(\s*\(\s*select store_id, "sender_id"/,
  'stores are looked for that have messages, or outboxes that keep some; what is too old is deleted store by store':
    /^\s*select store_id as "storeId" from (?:outbox_)?message where store_id > /,
  'stores are looked for that have opens and clicks; they are judged store by store':
    /^\s*select store_id as "storeId" from message_hit\s+where judged_at is null and store_id > /,
  'stores are looked for that have opens, clicks and orders, have been told of messages, have asked customers to confirm, have a catalog or those who wait for its items, keep a history, or have an audit log; old ones are deleted store by store':
    /^\s*select store_id as "storeId" from "(?:audit_entry|message_hit|message_touch|attribution|feedback|hook_proof|soft_bounce|counted_webhook|list_confirmation|item_activity|item_day|recommendation|profile_history|catalog_(?:change|subscription|sync|sync_item|feed_run|feed_error|feed_part))"\s+where store_id > /,
  'stores are looked for that have changes from which orders are to be credited':
    /^\s*select (?:distinct )?r\.store_id as "storeId" from feed_reader r\s/,
  'stores are looked for in which somebody has ordered, and whose orders are not followed yet':
    /^\s*with recursive one as \(\s*\(select store_id from event_day /,
  'metrics of orders are those of all stores':
    /^\s*select coalesce\(max\(extract\(epoch from now\(\) - unread\)\), 0\)/,
  'metrics of splits are those of all stores': /^select count\(\*\)::float8 as count from identifier_split/,
  'metrics of webhooks are those of all stores': /^\s*with recursive "queues" as \(/,
  'metrics of messages are those of all stores': /^\s*with recursive "senders" as \(/,
  'members of lists that are gone are deleted list by list, of whichever store; the oldest is looked for':
    /^\s*select store_id as "storeId", list_id as "listId", reached from list_deletion/,
  'codes of pools that are gone are deleted pool by pool, of whichever store; the oldest is looked for':
    /^\s*select store_id as "storeId", pool_id as "poolId" from coupon_pool_deletion/,
  'counts of coupons are summed up once a second, of whichever stores have new ones':
    /hashtext\('footfall\.coupon_count'\)/,
  'metrics of feeds are those of all stores': /^\s*select count\(\*\) filter \(where f\.failures >= /,
  'metrics of coupons are those of all stores': /^\s*select count\(\*\)::float8 as low\s+from coupon_pool/,
  'stores are looked for that have feeds to be read, and a store reads one at a time':
    /^\s*with recursive "head" as \(\s*\(\s*select store_id, due_at from catalog_feed/,
  'stores are looked for that have a catalog or coupons which nobody follows yet':
    /^\s*select distinct c\.store_id as "storeId" from (?:catalog_count|coupon_pool) c/,
  'what is recommended is found out that took too long, one of a store at a time':
    /^\s*select distinct on \(store_id\) store_id as "storeId", kind, place from recommendation\s+where due_at <= /,
  'stores are looked for whose RFM segments are to be made anew; a store at a time':
    /^\s*update rfm_segment set due_at = now\(\) \+ make_interval\(hours/,
  'stores are looked at in turn for what their people are to be told':
    /^\s*update notification_settings set check_at = now\(\) \+ /,
  'what somebody was to be told is given up where that was interrupted, of whichever stores':
    /^\s*update notification set status = case when endpoint_id is null then 'unknown'/,
  'stores are looked for that have deliveries; old ones are deleted store by store':
    /^\s*select store_id as "storeId" from webhook_delivery\s+where store_id > /,
};

describe('Statements', () => {
  let database: TestDatabase;
  let tap: StatementTap;
  let client: pg.Client;
  let tables: string[];

  before(async () => {
    const folder = await temporaryFolder();
    database = await createUndividedDatabase();
    tap = await StatementTap.start(database.url);
    await doEverything(tap.url, database);
    await succeed('backup', join(folder.path, 'backup'), { DATABASE_URL: tap.url, PATH: '' });
    await folder.remove();
    const rows = await database.query<{ name: string }>(`
      select relname as name from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in (
          'api_key', 'membership', 'invitation', 'person_session', 'password_reset', 'provider_sign_in', 'person_identity',
          'identity_provider'
        )
        and exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id')`);
    tables = rows.map(({ name }) => name);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
  });
  after(async () => {
    await client?.end();
    await tap?.stop();
    await database.drop();
  });

  it('concern one store each, but for those that are listed with their reason', async () => {
    const needed = new Set<string>();
    const unlisted: string[] = [];
    for (const statement of tap.statements.values()) {
      const open = await openTables(client, statement, tables);
      if (open.length === 0) continue;
      const [reason] = Object.entries(OF_SEVERAL_STORES).find(([, text]) => text.test(statement.text)) ?? [];
      if (reason === undefined) unlisted.push(`${open.join(', ')}: ${statement.text.replace(/\s+/g, ' ')}`);
      else needed.add(reason);
    }
    expect(unlisted).to.deep.equal([]);
    expect(Object.keys(OF_SEVERAL_STORES), 'what no statement needs any more').to.have.members([...needed]);
  });
});
