import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId } from '../../../src/ids/uuid-v7.ts';
import type { Stage, Store } from '../automations/stage.ts';
import { generate } from '../load.ts';
import type { Target } from '../service.ts';
import { newSender, newTemplate, post } from './mails.ts';
import type { Sink } from './sink.ts';

export interface CampaignResult {
  recipients: number;
  /** Seconds from its begin until all recipients were found: alone, and beside events at full speed. */
  alone: number;
  beside: number;
  /** Events per second before it begins, and while it looks for recipients. */
  without: number;
  with: number;
  /** Bytes of each message, with its indexes. */
  bytes: number;
  /** Milliseconds from the answer to a pause until the last message arrives. */
  pauseMs: number;
}

const WARM_UP = 6;
/** Customers of one statement. */
const STEP = 50_000;
/** Messages that arrive before it is paused. */
const BEFORE_PAUSE = 500;
/** Milliseconds in which nothing arrives any more once all has. */
const QUIET_MS = 3_000;

/** How long a campaign takes to find its recipients, what that costs events, and how soon it pauses. */
export async function measureCampaign(
  stage: Stage,
  service: Target,
  sink: Sink,
  { recipients, seconds }: { recipients: number; seconds: number },
): Promise<CampaignResult> {
  const store = await stage.newStore();
  const templateId = await newTemplate(service, store, 'transactional');
  const senderId = await newSender(stage, service, store, sink.port);
  const rest = (s: number) =>
    sql`update sender set resting_until = now() + make_interval(secs => ${s}) where store_id = ${store.id}`.execute(
      stage.sql,
    );
  await rest(86_400);
  const listId = await fillList(stage, store, recipients);
  const begin = () => beginCampaign(service, store, { listId, templateId, senderId });
  const record = (run: string, during: number) =>
    generate({ scenario: 'single', connections: 128, url: service.url, key: store.key, seconds: during, run });

  await record('warm-up', WARM_UP);
  const alone = await prepared(stage, store, await begin());
  const bytes = (await sizeOfMessages(stage)) / recipients;
  await sql`checkpoint`.execute(stage.sql);
  const without = (await record('without', seconds)).rate;
  const [id, meanwhile] = await Promise.all([begin(), record('with', seconds)]);
  const beside = await prepared(stage, store, id);

  await rest(0);
  await sink.untilArrived(sink.arrivals.size + BEFORE_PAUSE);
  await Promise.all((await idsOf(stage, store)).map((one) => pause(service, store, one)));
  const pausedAt = Date.now();
  await sleep(QUIET_MS);
  const last = [...sink.arrivals.values()].at(-1) as number;
  return { recipients, alone, beside, without, with: meanwhile.rate, bytes, pauseMs: Math.max(0, last - pausedAt) };
}

async function fillList({ sql: db }: Stage, { id: storeId }: Store, count: number): Promise<string> {
  const id = newId();
  await sql`
    insert into list (store_id, id, name, members, created_at, updated_at)
    values (${storeId}, ${id}, 'All', ${count}, now(), now())`.execute(db);
  for (let from = 0; from < count; from += STEP) {
    await sql`
      with customer as materialized (
        select uuidv7() as id from generate_series(1, ${Math.min(STEP, count - from)}::int)
      ), known as (
        insert into profile (store_id, id, email, attributes, created_at, updated_at)
        select ${storeId}::uuid, id, format('all-%s@example.com', id), '{"first_name": "Ada"}', now(), now() from customer
      )
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select ${storeId}::uuid, ${id}::uuid, id, now(), 'api' from customer`.execute(db);
  }
  await sql`vacuum analyze`.execute(db);
  return id;
}

interface Parts {
  listId: string;
  templateId: string;
  senderId: string;
}

async function beginCampaign(service: Target, store: Store, { listId, templateId, senderId }: Parts): Promise<string> {
  const audience = { any: [{ list: listId }], not: [] };
  const draft = { name: 'To all', channel: 'email', template_id: templateId, sender_id: senderId, audience };
  const { id } = await post(service, store, '/v1/campaigns', draft);
  await post(service, store, `/v1/campaigns/${id}/schedule`, { revision: 1 });
  return id;
}

/** Returns the seconds that it took to find the recipients, once it has. */
async function prepared({ sql: db }: Stage, { id: storeId }: Store, id: string): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from prepared_at - started_at)::float8 as seconds from campaign
      where store_id = ${storeId} and id = ${id}`.execute(db);
    const seconds = rows[0]?.seconds ?? null;
    if (seconds !== null) return seconds;
    await sleep(200);
  }
}

async function sizeOfMessages({ sql: db }: Stage): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size('message')::float8 as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

async function idsOf({ sql: db }: Stage, { id: storeId }: Store): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from campaign where store_id = ${storeId}`.execute(db);
  return rows.map(({ id }) => id);
}

async function pause({ url }: Target, { key }: Store, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ status: 'paused' });
  const response = await fetch(`${url}/v1/campaigns/${id}/status`, { method: 'PUT', headers, body });
  if (!response.ok) throw new Error(`The pause got ${response.status}: ${await response.text()}`);
}
