import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { Scope } from '../../caller.ts';
import { PATIENCE } from '../../catalog/feeds/claim.ts';
import { STATUS_COUNTS } from '../../coupons/codes/counts.ts';
import { IS_READY } from '../../senders/find-senders.ts';
import { NO_ORDERS } from './no-orders.ts';

/** What of a store needs somebody. */
export interface AttentionItem {
  kind: string;
  /** Since when, as far as that is known. */
  since: Date | null;
  /** How many there are, to `MAX_COUNTED`. */
  count: number;
  /** Of what is to be looked at: automations, senders, endpoints and so on; `MAX_IDS` at most. */
  ids: string[];
}

/** Rows that are read of each kind, and ids that are returned. */
const [MAX_COUNTED, MAX_IDS] = [1_000, 10];
/** Days for which what has failed once is shown. */
const SHOWN_DAYS = 7;
/** Of the newest campaigns and imports only: there is no end of old ones. */
const [CAMPAIGNS, IMPORTS] = [500, 100];

/** What finds things of one or more kinds: rows of `kind, id, since, count`. */
interface Search {
  kinds: readonly string[];
  /** Who may not read them is not told. */
  scope: Scope;
  find(storeId: string): RawBuilder<unknown>;
}

const SEARCHES: readonly Search[] = [
  {
    kinds: ['automation_failed'],
    scope: 'automations:read',
    find: (storeId) => sql`
      select 'automation_failed' as kind, automation_id as id, min(ended_at) as since, count(*)::int as count
      from (
        select automation_id, ended_at from automation_run
        where store_id = ${storeId} and status = 'failed' and ended_at > now() - interval '1 day'
        order by ended_at desc limit ${MAX_COUNTED}
      ) r group by automation_id`,
  },
  {
    kinds: ['sender_resting', 'sender_failing'],
    scope: 'messages:read',
    find: (storeId) => sql`
      select case when s.resting_until > now() then 'sender_resting' else 'sender_failing' end, s.id,
        case when s.resting_until > now() then null::timestamptz else s.checked_at end, 1
      from sender s
      where s.store_id = ${storeId} and s.deleted_at is null
        and (s.resting_until > now() or (json_array_length(coalesce(s.checks, '[]')) > 0 and not ${IS_READY}))`,
  },
  {
    kinds: ['endpoint_down'],
    scope: 'webhooks:manage',
    find: (storeId) => sql`
      select 'endpoint_down', id, coalesce(failing_since, disabled_at), 1 from webhook_endpoint
      where store_id = ${storeId} and deleted_at is null
        and (resting_until > now() or (disabled_at is not null and disabled_reason is distinct from 'requested'))`,
  },
  {
    kinds: ['feed_waiting', 'feed_failing'],
    scope: 'catalog:read',
    find: (storeId) => sql`
      select case when w.status = 'needs_confirmation' then 'feed_waiting' else 'feed_failing' end, f.id,
        case when w.status = 'needs_confirmation' then w.ended_at end, 1
      from catalog_feed f
      left join lateral (
        select r.status, r.ended_at from catalog_feed_run r
        where r.store_id = f.store_id and r.feed_id = f.id and r.status <> 'failed' order by r.id desc limit 1
      ) w on true
      where f.store_id = ${storeId} and (w.status = 'needs_confirmation' or f.failures >= ${PATIENCE}::int)`,
  },
  {
    kinds: ['coupon_pool_empty'],
    scope: 'catalog:read',
    find: (storeId) => sql`
      select 'coupon_pool_empty', p.id, null::timestamptz, 1
      from coupon_pool p cross join lateral (select ${STATUS_COUNTS}::jsonb as counts offset 0) c
      where p.store_id = ${storeId} and p.low_below is not null and coalesce(p.expires_at > now(), true)
        and p.codes <= coalesce((counts ->> 'assigned')::int, 0) + coalesce((counts ->> 'used')::int, 0)
          + coalesce((counts ->> 'void')::int, 0)`,
  },
  {
    kinds: ['campaign_held', 'campaign_paused', 'campaign_missed'],
    scope: 'messages:read',
    find: (storeId) => sql`
      select 'campaign_' || status, id, case when status = 'missed' then scheduled_at else updated_at end, 1
      from (
        select id, status, reason, scheduled_at, updated_at from campaign
        where store_id = ${storeId} order by id desc limit ${CAMPAIGNS}
      ) c
      where status = 'held' or (status = 'paused' and reason is not null)
        or (status = 'missed' and updated_at > now() - make_interval(days => ${SHOWN_DAYS}))`,
  },
  {
    kinds: ['import_failed'],
    scope: 'audiences:read',
    find: (storeId) => sql`
      select 'import_failed', id, ended_at, 1
      from (
        select id, state, ended_at from customer_import where store_id = ${storeId} order by id desc limit ${IMPORTS}
      ) i
      where state = 'failed' and ended_at > now() - make_interval(days => ${SHOWN_DAYS})`,
  },
  { kinds: ['no_orders'], scope: 'reports:read', find: NO_ORDERS },
];

const SCOPES_OF_KINDS = new Map(SEARCHES.flatMap(({ kinds, scope }) => kinds.map((kind) => [kind, scope])));

/** What one has to be allowed to read to be told of a kind; undefined for one that there is no more. */
export function scopeOfKind(kind: string): Scope | undefined {
  return SCOPES_OF_KINDS.get(kind);
}

/** One thing that needs somebody. */
export interface AttentionRow {
  kind: string;
  /** Null where it is the store itself. */
  id: string | null;
  /** In milliseconds, as far as that is known. */
  since: number | null;
  count: number;
}

/** Returns what needs attention of a store, of what the scopes let one read, each thing by itself: `MAX_COUNTED` of a kind at most. */
export async function findAttentionRows(
  db: Sql,
  storeId: string,
  scopes: ReadonlySet<string>,
): Promise<AttentionRow[]> {
  const searches = SEARCHES.filter(({ scope }) => scopes.has(scope));
  if (searches.length === 0) return [];
  const found = searches.map(({ find }) => sql`select * from (${find(storeId)} limit ${MAX_COUNTED}) f`);
  const { rows } = await sql<AttentionRow>`
    select kind, id::text, (extract(epoch from since) * 1000)::float8 as since, count::int
    from (${sql.join(found, sql` union all `)}) as f (kind, id, since, count)
    order by kind, since nulls last, id`.execute(db);
  return rows;
}

/** Returns what needs attention of a store, of what the scopes let one read; each kind once, by name. */
export async function findAttention(db: Sql, storeId: string, scopes: ReadonlySet<string>): Promise<AttentionItem[]> {
  const rows = await findAttentionRows(db, storeId, scopes);
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, of]) => {
    const times = of.flatMap(({ since }) => since ?? []);
    return {
      kind,
      since: times.length === 0 ? null : new Date(Math.min(...times)),
      count: of.reduce((sum, { count }) => sum + count, 0),
      ids: of.flatMap(({ id }) => id ?? []).slice(0, MAX_IDS),
    };
  });
}
