import { expect } from 'chai';
import { partitionStatement } from '../../src/db/partitions.ts';
import { profileJobDocument } from '../compat/documents.ts';
import { recordEvent, runJob } from '../compat/steps.ts';
import type { Client } from './client.ts';
import { DOT } from './images.ts';
import type { TestDatabase } from './postgres.ts';
import { Command, type Ended } from './process.ts';
import { builtProgram } from './programs.ts';

type Script = 'backup' | 'restore';

/** Runs one of the scripts to its end. */
export function run(script: Script, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Command(process.execPath, [builtProgram(`scripts/${script}.ts`), ...args], env).ended;
}

/** Runs one that succeeds, and says so on stderr. */
export async function succeed(script: Script, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code, stdout, stderr } = await run(script, [file], env);
  expect([code, stdout], stderr).to.deep.equal([0, '']);
  expect(stderr).to.match(script === 'backup' ? /^Backing up…\n.* backed up to / : /^Restoring…\n.* restored from /);
}

/** Fails unless a restore is refused in words, and leaves its empty target so. */
export async function expectRefusal(file: string, target: TestDatabase, env: NodeJS.ProcessEnv, reason: RegExp) {
  const { code, stderr } = await run('restore', [file], { ...env, DATABASE_URL: target.url });
  expect(code, stderr).to.equal(1);
  expect(stderr).to.match(reason);
  expect(stderr).not.to.match(/^ {4}at /m);
  expect(await contentOf(target)).to.deep.equal({});
}

/** Every row of every table, as text; and the partitions. */
export async function contentOf({ query }: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string; part: boolean }>(
    `select relname as name, relispartition as part from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`select t::text as row from "${name}" t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

/** What a text format could trip over. */
const STRANGE = { text: 'a\tb\r\nc\\N\\.\\\n\\.\n"\'\u2028😀', nothing: null, number: 1e-7, list: [[], {}, ''] };

/** Writes something into every table by way of the API; into that of events, something of a past month too. */
export async function fill(client: Client, { query }: TestDatabase): Promise<void> {
  for (const i of [1, 2, 3]) {
    const event = { event_type: 'placed_order', profile: { email: `ada${i}@example.com` }, properties: STRANGE };
    await client.post('/v1/events', { ...event, idempotency_key: `order\t${i}` }, { expect: 201 });
  }
  await client.post('/v1/profiles/upsert', { identifiers: { phone: '+39 06 1234' }, attributes: STRANGE });
  await recordEvent(client, { metric: 'Placed Order', profile: { email: 'ada1@example.com' }, properties: STRANGE });
  await client.post('/v1/catalog/categories/upsert', { id: 'tea', title: 'Tea' }, { expect: 201 });
  for (const price of [1.5, 1.25]) {
    const variants = [{ id: 'a\tb', prices: { EUR: { price } } }];
    await client.post('/v1/catalog/items/upsert', { id: '\\N', title: 'Tea', categories: ['tea'], variants });
  }
  await client.post('/v1/profiles/upsert', { identifiers: { email: 'grace@example.com', external_id: 'grace' } });
  const waiting = { profile: { external_id: 'grace' }, variant_id: 'a\tb', kind: 'back_in_stock' };
  await client.post('/v1/catalog/subscriptions', waiting, { expect: 201 });
  // The second one is refused, and recorded as such.
  await runJob(
    client,
    profileJobDocument([{ external_id: 'c1' }, { external_id: 'grace', email: 'ada1@example.com' }]),
  );
  await client.post('/v1/events', { event_type: 'refused' }, { expect: 400 });
  const subscriptions = {
    type: 'profile-subscription-bulk-create-job',
    attributes: { profiles: { data: [{ type: 'profile', attributes: { email: 'ada1@example.com' } }] } },
    relationships: { list: { data: { type: 'list', id: 'news' } } },
  };
  await client.post('/compat/v1/profile-subscription-bulk-create-jobs', { data: subscriptions }, { expect: 202 });
  await fillList(client);
  await fillImports(client);
  await fillTemplates(client);
  await client.post('/v1/images', { name: 'dot.gif', data: DOT.toString('base64') }, { expect: 201 });
  await fillCoupons(client, { query });
  await fillAutomations({ query });
  await fillSegments({ query });
  const endpoint = { url: 'https://hooks.shop.example/', name: 'Mailer' };
  const { body } = await client.post('/v1/webhook-endpoints', endpoint, { expect: 201 });
  await client.send('POST', `/v1/webhook-endpoints/${body.endpoint.id}/test`, undefined, { expect: 200 });
  await client.get('/v1/senders', { expect: 200 });
  await client.post('/v1/erasures', { email: 'trudy@example.com' }, { expect: 202 });
  await fillMerges({ query });
  await fillMessages({ query });
  await fillPeople({ query });
  await query(
    'insert into message_settings (store_id, postal_address, updated_at) select id, $$a\tb$$, now() from store',
  );
  await query('insert into feed_head (store_id, position) select id, 1 from store on conflict do nothing');
  await query(`
    insert into feed_reader (store_id, name, entry, items, read_at) select id, 'reader', 1, 0, now() from store`);
  // As the service does, in its own time.
  await query(`insert into identifier_check (id, form, kind, value, started_at, rounds)
    select id, '', 'email', '', now(), 0 from store on conflict do nothing`);
  // Seen later than the service itself looks, which would find none.
  await query(`insert into identifier_split (store_id, kind, value, owners, found_at, seen_at)
    select store_id, 'email', value, '[]', now(), '2030-01-01Z' from profile_identifier limit 1`);
  await query(partitionStatement('event_2024_02'));
  await query(`insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
    select store_id, '018d7e4c-0000-7000-8000-000000000001', profile_id, 'old', '{}', '2024-02-06', '2024-02-06'
    from event limit 1`);
}

/** Somebody who was merged into somebody else, with nothing left to move. */
async function fillMerges({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  await query(`
    insert into profile_merge (store_id, id, profile_id, from_id, created_at, completed_at, changes, before, counts)
    select store_id, gen_random_uuid(), id, '018d7e4c-0000-7000-8000-00000000a11a', '2026-11-01', '2026-11-01', '{}', '{}', '{}'
    from profile limit 1`);
  await query(`
    insert into profile_alias (store_id, id, profile_id) select store_id, from_id, profile_id from profile_merge`);
  await query(`
    insert into profile_history (store_id, id, profile_id, changed_at, surface, operation, created, attributes, identifiers)
    select store_id, gen_random_uuid(), id, now(), 'native', 'upsertProfile', true, '{}', '{"gained": [], "lost": [], "shown": {}}'
    from profile limit 1`);
  await query(`
    insert into profile_note (store_id, profile_id, id, text, author_kind, author_id, created_at)
    select store_id, id, gen_random_uuid(), E'Called\tback', 'key', gen_random_uuid(), now() from profile limit 1`);
}

/** Somebody who is signed in, somebody who is invited, and somebody who has mistaken a password. */
async function fillPeople({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const id = '018d7e4c-0000-7000-8000-00000000be11';
  for (const row of [
    `person values ('${id}', 'ada@example.com', $$a\tb$$, '$argon2id$', now(), null, null)`,
    `membership select id, '${id}', 'owner', now() from store`,
    `invitation select id, '${id}', '\\x0102', null, 'owner', null, now(), now() + interval '1 day' from store limit 1`,
    `person_session select '\\x0102', id, '${id}', now(), now(), now() + interval '1 day', '192.0.2.1', $$a\tb$$, null from store limit 1`,
    `sign_in_failure values ('\\x0102', 1, now(), now())`,
    `second_factor values ('${id}', 'sealed', 59, now(), now())`,
    `recovery_code values ('${id}', '\\x0102')`,
    `password_reset values ('\\x0102', '${id}', null, null, now(), now() + interval '1 hour')`,
    `identity_provider select id, '${id}', 'https://login.example.com', 'footfall', 'sealed', 'groups', '[]', '{example.com}', null, null, now(), now() from store limit 1`,
    `person_identity select id, 'https://login.example.com', $$a\tb$$, '${id}', null, now() from store limit 1`,
    `provider_sign_in select '\\x0102', id, '${id}', '/dashboard', null, now() + interval '1 hour' from store limit 1`,
    `notification_settings select id, null, null, now() + interval '1 day', '2026-11-16', now() from store limit 1`,
    `rfm_segment select id, 'champions', '${id}', now() + interval '1 day' from store limit 1`,
    `attention_item select id, 'no_orders', '${id}', now(), null, now() from store limit 1`,
    `notification select id, gen_random_uuid(), 'attention', '${id}', null, null, $$a\tb$$, '{"text": "a\\tb"}', 'failed',
      'refused', 1, null, now(), now() from store limit 1`,
  ])
    await query(`insert into ${row}`);
}

/** A list with a member. */
async function fillList(client: Client): Promise<void> {
  const list = { name: 'Newsletter', source_id: STRANGE.text, idempotency_key: STRANGE.text };
  const { body } = await client.post('/v1/lists', list, { expect: 201 });
  const members = [{ external_id: 'grace' }];
  await client.post(`/v1/lists/${body.id}/members`, { members, source: STRANGE.text }, { expect: 200 });
}

/** A pool with a code that a customer has, and what is left of another. */
async function fillCoupons(client: Client, { query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const pool = { name: STRANGE.text.trim().replaceAll(/\s/g, ' '), kind: 'uploaded' };
  const { body } = await client.post('/v1/coupon-pools', pool, { expect: 201 });
  await client.post(`/v1/coupon-pools/${body.id}/codes`, { codes: ['\\N', '\\.'] }, { expect: 200 });
  const [{ profile } = {}] = await query<{ profile: string }>('select id as profile from profile limit 1');
  await client.post(`/v1/coupon-pools/${body.id}/assign`, { profile_id: profile }, { expect: 201 });
  await query(`insert into coupon_count select store_id, id, 'used', 0 from coupon_pool`);
}

/** A list that was deleted, and of which members may be left: a service that runs would soon see to that. */
export async function leaveDeletedList({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  await query(`insert into list_deletion (store_id, list_id, deleted_at, reached)
    select store_id, '018d7e4c-0000-7000-8000-000000000003', now(), id from profile limit 1`);
  await query(`insert into coupon_pool_deletion (store_id, pool_id, deleted_at)
    select store_id, '018d7e4c-0000-7000-8000-000000000003', now() from profile limit 1`);
}

/** An import that waits for more of its file. */
async function fillImports(client: Client): Promise<void> {
  const mapping = [{ column: STRANGE.text.trim(), identifier: 'email' }];
  const { body } = await client.post('/v1/imports', { mapping }, { expect: 201 });
  const part = JSON.stringify({ text: STRANGE.text });
  const headers = { 'Content-Type': 'application/json' };
  await client.send('PUT', `/v1/imports/${body.id}/parts/1`, part, { headers, expect: 200 });
}

/** A template that is published, of a text that a text format could trip over. */
async function fillTemplates(client: Client): Promise<void> {
  const template = { name: STRANGE.text, kind: 'sms', class: 'transactional', body: STRANGE.text };
  const { body } = await client.post('/v1/templates', template, { expect: 201 });
  await client.post(`/v1/templates/${body.id}/publish`, { revision: 1 }, { expect: 200 });
}

/** Rows of a segment in every table that it may have some in. */
async function fillMessages({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const [{ store, profile, sender, template } = {}] = await query<Record<string, string>>(`
    select p.store_id as store, p.id as profile, s.id as sender, t.id as template
    from profile p
    join sender s on s.store_id = p.store_id
    join template t on t.store_id = p.store_id
    limit 1`);
  const id = '018d7e4c-0000-7000-8000-000000000004';
  for (const row of [
    `message (store_id, id, profile_id, sender_id, template_id, template_version, channel, class, source, status,
        context, created_at, finished_at)
      values ('${store}', '${id}', '${profile}', '${sender}', '${template}', 1, 'email', 'marketing', 'request', 'sent',
        '{"data": {}, "event": null}', now(), now())`,
    `message_hit (store_id, message_id, id, hit_at, is_machine, kind) values ('${store}', '${id}', '${id}', now(), false, 'open')`,
    `counted_webhook values ('${store}', '${profile}', 'email', '${id}', 1, now())`,
    `message_touch values ('${store}', '${profile}', now(), '${id}', 'click')`,
    `attribution (store_id, event_id, profile_id, message_id, ordered_at, click_window_ms, is_placed, order_id, value)
      values ('${store}', '${id}', '${profile}', '${id}', now(), 1, true, $$a\tb$$, 0.10)`,
    `list_confirmation values ('${store}', '${id}', '${profile}', '${id}', now(), null, 'ada@example.com', 'footer')`,
    `campaign (store_id, id, name, channel, audience, revision, status, created_at, updated_at)
      values ('${store}', '${id}', 'We have moved', 'email', '{"any": [], "not": []}', 1, 'sent', now(), now())`,
    `campaign_link (store_id, campaign_id, template_id, link, clicks, machine_clicks, url)
      values ('${store}', '${id}', '${id}', 1, 1, 0, 'https://shop.example/sale')`,
    `catalog_sync (store_id, id, status, created_at) values ('${store}', '${id}', 'open', now())`,
    `catalog_feed (store_id, id, name, url, url_shown, every_minutes, created_at, updated_at)
      values ('${store}', '${id}', 'All teas', 'sealed', 'https://shop.example', 60, now(), now())`,
    `catalog_feed_run (store_id, id, feed_id, status, started_at) values ('${store}', '${id}', '${id}', 'failed', now())`,
    `catalog_feed_error values ('${store}', '${id}', 1, 2, 'price', $$is\tno price$$)`,
    `catalog_feed_part values ('${store}', '${id}', 1, 3, '\\x610962', now())`,
    `catalog_sync_item values ('${store}', '${id}', 'tea\\t1')`,
    `item_activity values ('${store}', '${profile}', 'ordered', 'tea\\t1', 1, now(), now())`,
    // The service may have read some orders, and written when.
    `order_settings (store_id, amount_properties) values ('${store}', array['a\tb'])
      on conflict (store_id) do update set amount_properties = excluded.amount_properties`,
    `order_note values ('${store}', '${id}', $$a\tb$$, 'placed', '${profile}', now(), 'EUR', 0.10)`,
    `store_order values ('${store}', $$a\tb$$, '${id}', '${profile}', now(), 'EUR', 0.10, 0, null, 1, true)`,
    `order_quarter values ('${store}', '2025-03-10T12:00:00Z', 'EUR', 1, 0.10, 0, 0, 1)`,
    `customer_value values ('${store}', '${profile}', 'EUR', 1, 0.10, 0, now(), now())`,
    `item_day values ('${store}', now(), 'tea\\t1', 1, 0, 1)`,
    `recommendation values ('${store}', 'also_bought', 'tea\\t1', array['tea\\t2'], now(), null, true)`,
    `campaign_count (store_id, campaign_id, counted_at, counts) values ('${store}', '${id}', now(), '[]')`,
    `outbox_message (store_id, message_id, created_at, size, content) values ('${store}', '${id}', now(), 3, '{"subject": "S"}')`,
    `feedback values ('${store}', '${sender}', 'evt\\t1', '${id}', now(), now(), 'bounced', 'address', '5.1.1', '{}')`,
    `hook_proof values ('${store}', '${sender}', 'a\\tb', 'evt', now())`,
    `soft_bounce values ('${store}', '\\x0102', '${id}', now())`,
    `suppressed_address values ('${store}', '\\x0102', 'hard_bounce', now(), null, '${id}', 'eve@example.com')`,
  ])
    await query(`insert into ${row}`);
}

async function fillSegments({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const [{ store, profile } = {}] = await query<{ store: string; profile: string }>(
    'select store_id as store, id as profile from profile limit 1',
  );
  const id = '018d7e4c-0000-7000-8000-000000000003';
  const key = `'${store}', '${id}'`;
  const definition = JSON.stringify({ identifier: 'email' });
  for (const row of [
    `segment (store_id, id, name, definition, revision, generation, last_generation, served_definition, members,
        list_ids, segment_ids, created_at, updated_at)
      values (${key}, 'Known', '${definition}', 1, 1, 2, '${definition}', 1, '{}', '{}', now(), now())`,
    `segment_build (store_id, segment_id, generation, definition, reason, after_profile_id, profiles, members, entered,
        "left", requested_at)
      values (${key}, 2, '${definition}', 'requested', '${profile}', 1, 0, 0, 0, now())`,
    `segment_member values (${key}, 1, '${profile}', now())`,
    `segment_change values ('${store}', '${id}', '${id}', 1, '${profile}', 'entered', 'event', now())`,
    `segment_day values (${key}, now(), 1, 0)`,
    `segment_due values ('${store}', '${profile}', '2030-01-01Z')`,
    `segment_postponed values ('${store}', '${profile}', 300, '2030-01-01Z', '2030-01-01Z', '[]')`,
    `segment_set_aside values (${key}, '${profile}', now())`,
    `segment_leftover values (${key}, 3, 'members')`,
    `segment_store values ('${store}')`,
  ])
    await query(`insert into ${row}`);
}

/** Rows of a paused automation in every table that it may have some in. */
async function fillAutomations({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const [{ store, profile } = {}] = await query<{ store: string; profile: string }>(
    'select store_id as store, id as profile from profile limit 1',
  );
  // Of 2035: what was made long ago is deleted within a minute.
  const id = '01dd95ab-4800-7000-8000-000000000002';
  const key = `'${store}', '${id}'`;
  const definition = JSON.stringify({
    ...{ name: 'Greeting', trigger: { type: 'manual' }, start: 'a' },
    steps: [{ id: 'a', type: 'exit', reason: 'done' }],
  });
  for (const row of [
    `automation (store_id, id, name, draft, trigger, revision, status, version, created_at, updated_at, read_status,
        read_version)
      values (${key}, 'Greeting', '${definition}', '{"type": "manual"}', 1, 'paused', 1, now(), now(), 'live', 1)`,
    `automation_version (store_id, automation_id, number, definition, watched, in_flight, published_at, published_by)
      values (${key}, 1, '${definition}', '{}', 'keep', now(), '${id}')`,
    `automation_status values ('${store}', '${id}', '${id}', 'live', 1, now(), null)`,
    `automation_watch values ('${store}', '{tier}')`,
    `profile_change values (${key}, '${profile}', '{}', 0, now())`,
    `automation_enrolment values (${key}, '${profile}', '', now(), null, 1)`,
    `automation_run values (${key}, '${id}', 1, '${profile}', null, null, 'manual:1', '{}', '{}', 0, 'ended', 'a', 1,
      null, null, '{}', 0, now(), now(), 'done')`,
    `automation_step values (${key}, 1, 'a', now(), 'ended', '{}')`,
    `automation_skip values (${key}, 'manual:2', '${profile}', 'paused', '{}', now())`,
    `automation_date (store_id, automation_id, profile_id, version, day, due_at)
      values (${key}, '${profile}', 1, '2030-01-01', '2030-01-01Z')`,
    `automation_date_fill (store_id, automation_id, version, after_profile_id) values (${key}, 1, '${id}')`,
    `automation_occurrence values (${key}, '2030-01-01', now(), 1, 'UTC', 'planned', 'list', '${id}', '${id}', 0)`,
    `automation_member_fill values (${key}, 1, '${id}', 1, now(), '${id}')`,
    `automation_audience (store_id, id, automation_id, change_id, item_id, kind, changed_at, stage, after_id)
      values ('${store}', '${id}', '${id}', '${id}', 'tea\\t1', 'back_in_stock', now(), 'subscribed', '${id}')`,
    `automation_count_new values (${key}, '${id}', now(), 'entered', '', 1)`,
    `automation_count values (${key}, now(), 'entered', '', 1)`,
    `automation_chain values (${key}, 'events', 1)`,
    `automation_hold values ('${store}', now())`,
    `erasure_gap values ('${store}', now())`,
  ])
    await query(`insert into ${row}`);
}

/** Records events of new customers, one after the other in each of three lines, until what it returns is called. */
export function keepWriting(client: Client): () => Promise<unknown> {
  let stopping = false;
  const write = async () => {
    while (!stopping) {
      const event = { event_type: 'visit', profile: { external_id: crypto.randomUUID() } };
      await client.post('/v1/events', { ...event, idempotency_key: crypto.randomUUID() }, { expect: 201 });
    }
  };
  const lines = Promise.all([write(), write(), write()]);
  return () => {
    stopping = true;
    return lines;
  };
}
