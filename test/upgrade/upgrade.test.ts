import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { profileJobDocument } from '../compat/documents.ts';
import { followJob } from '../compat/steps.ts';
import { succeed } from '../support/backup.ts';
import { clusterUrl } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { runKeys, ServiceProcess, temporaryFolder, until } from '../support/process.ts';
import { aDayLater, createFormerDatabase, migrationsOf, partitionOf, ROWS, STORE, statusesOf } from './stage.ts';

/** Makes the schema that of the version before the names of customers were written with their attributes. */
const GENERATED_NAMES = `
  create function lower_name(text) returns text language sql immutable strict parallel safe as 'select lower($1)';
  alter table profile drop column full_name, drop column last_name;
  alter table profile
    add column full_name text collate "C" generated always as (nullif(left(lower_name(btrim(
      coalesce(btrim(attributes ->> 'first_name'), '') || ' ' || coalesce(btrim(attributes ->> 'last_name'), ''))), 100), '')) stored,
    add column last_name text collate "C" generated always as (
      nullif(left(lower_name(btrim(attributes ->> 'last_name')), 100), '')) stored;
  create index profile_full_name on profile (store_id, full_name, id) where full_name is not null;
  create index profile_last_name on profile (store_id, last_name, id) where last_name is not null;
  delete from background_migration where name like 'customers_by_name%';
  delete from migration where name = '0036-written-names';`;

/** Makes the schema that of the version before messages. */
const WITHOUT_MESSAGES = `
  drop table template, template_version, drawn_key, sender, message_settings, message, message_hit, outbox_message,
    suppressed_address, image, list_confirmation, campaign, campaign_count, campaign_link, feedback, hook_proof, soft_bounce, message_touch, attribution,
    coupon_pool, coupon_code, coupon_count_new, coupon_count, coupon_pool_deletion,
    catalog_item, catalog_variant, catalog_word, catalog_category, catalog_item_category, catalog_change, catalog_count,
    catalog_sync, catalog_sync_item, catalog_feed, catalog_feed_run, catalog_feed_error, catalog_feed_part, item_activity, item_day,
    recommendation, catalog_subscription, automation_audience, automation_occurrence, profile_history, profile_note,
    person, membership, invitation, person_session, sign_in_failure, second_factor, recovery_code, password_reset,
    identity_provider, person_identity, provider_sign_in,
    audit_entry, counted_webhook, notification_settings, rfm_segment, attention_item, notification,
    order_settings, order_note, store_order, order_quarter, customer_value;
  drop index automation_run_failed_at;
  delete from background_migration where name in ('webhook_secrets_sealed', 'segment_causes', 'failed_runs', 'room_for_positions',
    'audit_by_actor_and_operation');
  alter table addition reset (fillfactor);
  alter table automation_run drop column coupon, drop column results, drop column goal_at;
  alter table webhook_endpoint drop column secret_headers;
  alter table webhook_delivery drop column request;
  drop table erasure, erasure_gap, suppressed_identifier, suppression_key;
  drop index profile_identifier_of_profile;
  delete from background_migration where name = 'identifiers_by_profile';
  drop table profile_merge, profile_alias;
  alter table store drop column image_token, drop column display_name, drop column time_zone, drop column currency,
    drop column website_url, drop column history_days, drop column requires_second_factor, drop column key_sign_in;
  alter table api_key drop column created_by_kind, drop column created_by, drop column created_by_name;
  alter table automation_hold drop column reason, drop column held_by_kind, drop column held_by;
  alter table addition drop column channel, drop column from_client;
  alter table list drop column topic, drop column public_name, drop column double_opt_in, drop column confirmation_template_id;
  delete from migration where name >= '0040';`;

/** Makes the schema that of the version before pages of profiles kept room. */
const WITHOUT_ROOM = `${WITHOUT_MESSAGES}
  alter table profile reset (fillfactor);
  delete from background_migration where name = 'room_for_updates';
  delete from migration where name = '0039-room-for-updates';`;

/** Makes the schema that of the version before jobs were looked for, which had a queue in a schema of its own. */
const WITH_QUEUE = `${WITHOUT_ROOM}
  create schema graphile_worker;
  create table graphile_worker._private_tasks (id int primary key, identifier text unique);
  insert into graphile_worker._private_tasks values (1, 'import');
  drop index import_job_due;
  create index import_job_open on import_job (touched_at) where status <> 'complete';
  delete from background_migration where name in ('jobs_due', 'job_queue_former');
  delete from migration where name = '0038-jobs-due';`;

/** Makes the schema that of the version before changes of profiles had a journal. */
const WITHOUT_JOURNAL = `${WITH_QUEUE}
  drop table profile_update;
  create index profile_updated on profile (store_id, updated_at, id) where updated_at > timestamptz '-infinity';
  delete from background_migration where name in ('profile_updates', 'profiles_by_update_former');
  delete from migration where name = '0037-profile-updates';`;

describe('An upgrade of a filled database', () => {
  let database: TestDatabase;
  let running: ServiceProcess[];
  let urls: string[];
  let obstacles: pg.Client[];

  before(function () {
    // There an index is made on all nodes in one go.
    if (clusterUrl()) this.skip();
  });
  beforeEach(async () => {
    [running, urls, obstacles] = [[], [], []];
    database = await createFormerDatabase();
  });
  afterEach(async () => {
    await Promise.all(obstacles.map((client) => client.end()));
    await Promise.all(running.map((service) => service.stop()));
    await database.drop();
  });

  async function start(): Promise<Client> {
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    running.push(service);
    const url = await service.url();
    urls.push(url);
    const { stdout } = await runKeys(
      [
        'create',
        '--name',
        'upgrade',
        '--scopes',
        'events:read,events:write,profiles:read,profiles:write',
        '--tier',
        'partner',
        '--json',
      ],
      { DATABASE_URL: database.url },
    );
    return new Client(url, JSON.parse(stdout).key);
  }

  /** Holds a lock that lets others read and write; by default one that an index waits for that is made beside them. */
  async function block(table: string, mode = 'row exclusive'): Promise<() => Promise<unknown>> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    obstacles.push(client);
    await client.query(`begin; lock table ${table} in ${mode} mode`);
    return () => client.query('commit');
  }

  const ordersOf = async (client: Client, email: string, query = ''): Promise<string[]> => {
    const { body } = await client.get(`/v1/events?property=order_id&property_value=${email}${query}`, { expect: 200 });
    return body.events.map(({ properties }: any) => properties.order_id);
  };
  const emailsOf = async (client: Client, name: string): Promise<string[]> => {
    const { body } = await client.get(`/v1/profiles?name_prefix=${encodeURIComponent(name)}`, { expect: 200 });
    return body.profiles.map(({ identifiers }: any) => identifiers.email);
  };
  const byUpdate = (client: Client) => client.get('/compat/v1/profiles?sort=-updated&page[size]=2');

  it('serves while what takes long is done in the background, and goes on with it after a kill', async () => {
    const unblock = await block(partitionOf(0));
    const client = await start();
    await until(async () => (await statusesOf(database)).events_by_order === 'running', 'the index is being made');

    expect(await migrationsOf(client)).to.equal('under way');
    const event = {
      event_type: 'placed_order',
      profile: { email: 'new@example.com' },
      properties: { order_id: 'new' },
    };
    await client.post('/v1/events', event, { expect: 201 });
    expect(await ordersOf(client, 'new')).to.deep.equal(['new']);
    const { status, body } = await byUpdate(client);
    expect([status, body.errors[0].code]).to.deep.equal([503, 'upstream_error']);
    await client.get('/v1/profiles?name_prefix=zo', { expect: 502 });
    expect((await Metrics.of(urls[0] as string)).sum('footfall_migrations_pending')).to.equal(11);

    running[0]?.signal('SIGKILL');
    await unblock();
    // Another takes it over once it has not been heard of for a while.
    await database.query(`update background_migration set taken_until = now()`);
    const other = await start();
    await until(async () => (await migrationsOf(other)) === 'complete', 'it is complete');
    expect(await statusesOf(database)).to.deep.equal({
      audit_by_actor_and_operation: 'complete',
      customers_by_name: 'complete',
      customers_by_name_former: 'complete',
      events_by_order: 'complete',
      events_by_order_former: 'complete',
      failed_runs: 'complete',
      identifier_kinds: 'complete',
      identifiers_by_profile: 'complete',
      job_queue_former: 'complete',
      jobs_due: 'complete',
      profile_updates: 'complete',
      profiles_by_update: 'complete',
      profiles_by_update_former: 'complete',
      room_for_positions: 'complete',
      room_for_updates: 'complete',
      segment_causes: 'complete',
      webhook_secrets_sealed: 'complete',
    });
    expect(await ordersOf(other, 'c7@example.com')).to.deep.equal(['c7@example.com']);
    const { body: latest } = await byUpdate(other);
    expect(latest.data.map(({ attributes }: any) => attributes.email)).to.deep.equal([
      'new@example.com',
      'c1@example.com',
    ]);
    expect(await emailsOf(other, 'ZOË ö1234')).to.deep.equal(['c1234@example.com']);
    expect(await emailsOf(other, 'ö77')).to.include.members(['c77@example.com', 'c770@example.com']);
  });

  it('keeps the names that Postgres has generated, and makes those of former writers a day later', async () => {
    await database.drop();
    database = await createDatabase();
    await database.query(GENERATED_NAMES + ROWS);
    const client = await start();
    expect(await statusesOf(database)).to.include({
      customers_by_name: 'complete',
      customers_by_name_former: 'waiting',
    });
    expect(await emailsOf(client, 'zoë ö1234')).to.deep.equal(['c1234@example.com']);
    // As a process of the version before does.
    await database.query(`update profile set attributes = '{"last_name": "Curie"}' where email = 'c5@example.com'`);
    const patch = { identifiers: { email: 'c6@example.com' }, attributes: { first_name: 'Émile' } };
    await client.post('/v1/profiles/upsert', patch, { expect: 200 });
    expect(await emailsOf(client, 'émile Ö6')).to.deep.equal(['c6@example.com']);
    await aDayLater(client, database);
    expect(await emailsOf(client, 'cur')).to.deep.equal(['c5@example.com']);
    expect(await emailsOf(client, 'zoë ö5')).to.not.include('c5@example.com');
    expect(await emailsOf(client, 'émile')).to.deep.equal(['c6@example.com']);
  });

  async function withoutJournal(rows = ROWS): Promise<void> {
    await database.drop();
    database = await createDatabase();
    await database.query(WITHOUT_JOURNAL + rows);
  }
  async function expectOrder(client: Client): Promise<void> {
    const latest: string[] = [];
    for (let search: string | null = '?sort=-updated&page[size]=100'; search !== null; ) {
      const { body }: any = await client.get(`/compat/v1/profiles${search}`, { expect: 200 });
      latest.push(...body.data.map(({ id }: any) => id));
      search = body.links.next && new URL(body.links.next).search;
    }
    const expected = await database.query<{ id: string }>('select id from profile order by updated_at desc, id desc');
    expect(latest).to.deep.equal(expected.map(({ id }) => id));
  }
  const hasUpdateIndex = async () =>
    (await database.query(`select from pg_indexes where indexname = 'profile_updated'`)).length > 0;

  it('lists profiles by the index of their latest change until the journal has all of these', async () => {
    await withoutJournal();
    const client = await start();
    expect(await statusesOf(database)).to.include({ profile_updates: 'waiting', profiles_by_update_former: 'waiting' });
    const change = (name: string) =>
      client.post(
        '/v1/profiles/upsert',
        { identifiers: { email: name }, attributes: { changed: name } },
        { expect: 200 },
      );
    await change('c1500@example.com');
    await change('c5@example.com');
    // As processes of the version before do.
    await database.query(`update profile set updated_at = now() where email in ('c5@example.com', 'c9@example.com')`);
    await expectOrder(client);
    expect(await hasUpdateIndex()).to.equal(true);

    await aDayLater(client, database);
    expect(await hasUpdateIndex()).to.equal(false);
    await expectOrder(client);
    await change('c77@example.com');
    await expectOrder(client);
  });

  it('has the journal wait for processes of the version before also where there are no customers yet', async () => {
    await withoutJournal(`insert into store (id, name) values ('${STORE}', 'default')`);
    await start();
    expect(await statusesOf(database)).to.include({ profile_updates: 'waiting', profiles_by_update_former: 'waiting' });
  });

  it('may be that of a backup that is restored, whether it was made before the upgrade or meanwhile', async () => {
    await withoutJournal();
    const folder = await temporaryFolder();
    const restored: TestDatabase[] = [database];
    try {
      for (const when of ['before', 'meanwhile']) {
        const file = join(folder.path, when);
        await succeed('backup', file, { DATABASE_URL: database.url, PATH: '' });
        database = await createEmptyDatabase();
        restored.push(database);
        await succeed('restore', file, { DATABASE_URL: database.url, PATH: '' });
        const client = await start();
        await until(async () => (await byUpdate(client)).status === 200, 'profiles can be listed');
        expect(await hasUpdateIndex()).to.equal(true);
        await expectOrder(client);
      }
      await aDayLater(new Client(urls.at(-1) as string), database);
      expect(await hasUpdateIndex()).to.equal(false);
    } finally {
      await Promise.all(running.splice(0).map((service) => service.stop()));
      for (const one of restored.slice(0, -1)) await one.drop();
      await folder.remove();
    }
  });

  it('starts while a table is vacuumed, and has new pages of profiles keep room afterwards', async () => {
    await database.drop();
    database = await createDatabase();
    await database.query(WITHOUT_ROOM + ROWS);
    // As a vacuum does.
    const end = await block('profile', 'share update exclusive');
    await start();
    await until(async () => (await statusesOf(database)).room_for_updates === 'running', 'it waits');
    await end();
    await until(async () => (await statusesOf(database)).room_for_updates === 'complete', 'it is done');
    expect(await definitionsOf(database)).to.include('profile: {fillfactor=90}');
  });

  it('keeps what processes of the version before use for a day', async () => {
    await database.query(`
      create index event_order on event (store_id, hashtext(properties ->> 'order_id'), occurred_at, id)
      where properties ->> 'order_id' is not null`);
    const client = await start();
    await until(async () => (await statusesOf(database)).identifier_kinds === 'complete', 'all else is complete');
    expect(await statusesOf(database)).to.include({ events_by_order: 'complete', events_by_order_former: 'waiting' });
    const indexes = () => database.query(`select from pg_indexes where indexname = 'event_order'`);
    expect(await indexes()).to.have.length(1);
    expect(await ordersOf(client, 'c7@example.com')).to.deep.equal(['c7@example.com']);
    await aDayLater(client, database);
    expect(await indexes()).to.have.length(0);
  });

  it('goes on with the jobs of the version before, whose queue goes a day later', async () => {
    await database.drop();
    database = await createDatabase();
    const former = new ServiceProcess({ DATABASE_URL: database.url, WORKER_CONCURRENCY: '0' });
    running.push(former);
    const client = new Client(await former.url(), former.key);
    const job = profileJobDocument([{ external_id: 'ada' }]);
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', job, { expect: 202 });
    await former.stop();
    await database.query(WITH_QUEUE);

    const later = await start();
    await followJob(new Client(urls[0] as string, former.key), body.data.links.self);
    expect(await statusesOf(database)).to.include({ job_queue_former: 'waiting' });
    const queue = () => database.query(`select from pg_namespace where nspname = 'graphile_worker'`);
    expect(await queue()).to.have.length(1);
    await aDayLater(later, database);
    expect(await queue()).to.have.length(0);
  });

  const QUEUE = 'graphile_worker';
  const queues: Record<string, string> = {
    'that we share': `${WITH_QUEUE} insert into ${QUEUE}._private_tasks values (2, 'send_invoice');`,
    'that we had no task in': `${WITH_QUEUE} delete from ${QUEUE}._private_tasks;`,
    'whose tasks are not known': `${WITH_QUEUE} drop table ${QUEUE}._private_tasks;`,
  };
  for (const [which, statements] of Object.entries(queues)) {
    it(`leaves a queue of another application as it is: one ${which}`, async () => {
      await database.drop();
      database = await createDatabase();
      await database.query(`${statements} create table ${QUEUE}.jobs (id int); ${ROWS}`);
      await aDayLater(await start(), database);
      expect(await database.query(`select to_regclass('${QUEUE}.jobs') as jobs`)).to.deep.equal([
        { jobs: `${QUEUE}.jobs` },
      ]);
    });
  }

  it('leaves the queue of another application as it is, where it installs anew', async () => {
    await database.drop();
    database = await createEmptyDatabase();
    await database.query(`create schema ${QUEUE}; create table ${QUEUE}._private_tasks (id int, identifier text)`);
    await start();
    expect(await statusesOf(database)).to.include({ job_queue_former: 'complete' });
    expect(await database.query(`select from pg_namespace where nspname = '${QUEUE}'`)).to.have.length(1);
    expect(await database.query(`select from pg_indexes where indexname = 'import_job_open'`)).to.have.length(0);
  });

  it('ends with the schema of a new installation', async () => {
    await aDayLater(await start(), database);
    const fresh = await createDatabase();
    try {
      expect(await definitionsOf(database)).to.deep.equal(await definitionsOf(fresh));
    } finally {
      await fresh.drop();
    }
  });

  it('lets go of what waits for a lock that others hold, and waits again', async () => {
    // As a backup does, for as long as it runs.
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    obstacles.push(client);
    await client.query('begin; lock table profile in access share mode');
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    running.push(service);
    await until(() => database.isWaiting(), 'the migration waits');
    await until(async () => !(await database.isWaiting()), 'it has let go');
    expect(service.stdout).to.equal('');
    await client.query('commit');
    await service.url();
  });
});

/** Columns, constraints, indexes and settings of all tables, but for those of partitions, whose months differ. */
async function definitionsOf({ query }: TestDatabase): Promise<string[]> {
  const rows = await query<{ definition: string }>(`
    with ours as (
      select oid, relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    )
    select concat_ws(' ', name || ':', attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
      pg_get_expr(adbin, adrelid)) as definition
    from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = ours.oid and adnum = attnum
    union all
    select concat_ws(' ', name || ':', pg_get_constraintdef(c.oid)) from ours join pg_constraint c on conrelid = ours.oid
    where contype <> 'n'
    union all
    select concat_ws(' ', name || ':', pg_get_indexdef(indexrelid), indisvalid) from ours join pg_index on indrelid = ours.oid
    union all
    select concat_ws(' ', name || ':', reloptions::text) from ours join pg_class c using (oid)
    where c.reloptions is not null
    order by 1`);
  return rows.map(({ definition }) => definition);
}
