import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../../../db/binary-arrays.ts';
import type { Sql } from '../../../../db/sql.ts';
import { durationMs } from '../../../time/duration.ts';
import { findProfileIds } from '../../../write/look-up.ts';
import { AUDIENCE_ACTIVITIES, type CatalogTrigger } from '../../core/definition/definition.ts';
import { catalogTriggerId } from '../../core/machine/origin.ts';
import type { Audience, Stage } from './audience.ts';

/** A customer of an audience, and the place that is theirs. */
export interface Customer {
  profileId: string;
  /** As the database prints it; null for one who has subscribed. */
  afterAt: string | null;
  afterId: string;
}

/** The ways in which customers belong to the audience of a trigger, in the order in which they are gone through. */
export function stagesOf({ audience }: CatalogTrigger): Stage[] {
  const done = AUDIENCE_ACTIVITIES.filter((kind) => audience[kind] !== undefined);
  return [...(audience.subscribed ? (['subscribed'] as const) : []), ...done];
}

/** Returns the next customers: those who have subscribed, and those who did something with the item, the first ones first. */
export async function nextCustomers(
  tx: Sql,
  storeId: string,
  audience: Audience,
  trigger: CatalogTrigger,
  limit: number,
): Promise<Customer[]> {
  const query =
    audience.stage === 'subscribed'
      ? subscribed(storeId, audience, trigger)
      : active(storeId, audience, audience.stage, trigger.audience[audience.stage] ?? 'P0D');
  return (await sql<Customer>`${query} limit ${limit}`.execute(tx)).rows;
}

function subscribed(storeId: string, audience: Audience, trigger: CatalogTrigger): RawBuilder<unknown> {
  return sql`
    select s.profile_id as "profileId", null as "afterAt", s.id as "afterId"
    from catalog_subscription s
    where ${waitsForIt(storeId, audience)} and s.id > ${audience.afterId}
      and (${trigger.from_client === true}::boolean or not s.from_client)
    order by s.item_id, s.kind, s.id`;
}

/** The subscriptions that a change fulfils: of those who were told, those who were told of it, by another automation. */
function waitsForIt(storeId: string, { itemId, variantId, kind, currency, after, changedAt }: Audience) {
  return sql`
    s.store_id = ${storeId} and s.item_id = ${itemId} and s.kind = ${kind} and s.created_at <= ${changedAt}::timestamptz
    and (s.variant_id is null or ${variantId}::text is null or s.variant_id = ${variantId}::text)
    and (s.below is null or (s.currency = ${currency}::text and s.below > ${after === null ? null : String(after)}::numeric))
    and (s.notified_at is null or s.notified_at >= ${changedAt}::timestamptz)`;
}

function active(
  storeId: string,
  { itemId, changedAt, afterAt, afterId }: Audience,
  kind: Exclude<Stage, 'subscribed'>,
  within: string,
): RawBuilder<unknown> {
  const seconds = durationMs(within) / 1000;
  return sql`
    select a.profile_id as "profileId", a.last_at::text as "afterAt", a.profile_id as "afterId"
    from item_activity a
    where a.store_id = ${storeId} and a.item_id = ${itemId} and a.kind = ${kind}
      and a.last_at >= greatest(
        ${changedAt}::timestamptz - make_interval(secs => ${seconds}::float8), ${afterAt}::timestamptz)
      and (${afterAt}::timestamptz is null or (a.last_at, a.profile_id) > (${afterAt}::timestamptz, ${afterId}::uuid))
    order by a.last_at, a.profile_id`;
}

/** Says of subscriptions of customers that they were told of a change, each once; also of those that a merge has not moved yet. */
export async function markNotified(
  tx: Sql,
  storeId: string,
  audience: Audience,
  profileIds: readonly string[],
): Promise<void> {
  if (profileIds.length === 0 || audience.kind === 'low_stock') return;
  const ids = sql`${uuids(profileIds)}::uuid[]`;
  await sql`
    update catalog_subscription s set notified_at = now()
    where ${waitsForIt(storeId, audience)} and s.notified_at is null
      and s.profile_id = any(${ids} || array(
        select id from profile_alias where store_id = ${storeId} and profile_id = any(${ids})))`.execute(tx);
}

/** Returns who some customers are now, without those who are gone, and whom the automation has told of the change already. */
export async function notToldYet(
  tx: Sql,
  storeId: string,
  { automationId, changeId }: Audience,
  customers: readonly Customer[],
): Promise<string[]> {
  const found = await findProfileIds(tx, storeId, [...new Set(customers.map(({ profileId }) => profileId))]);
  const ids = [...new Set(customers.flatMap(({ profileId }) => found.get(profileId) ?? []))];
  if (ids.length === 0) return [];
  const { rows } = await sql<{ n: number }>`
    select w.n::int
    from unnest(${texts(ids.map((id) => catalogTriggerId(id, changeId)))}::text[]) with ordinality as w (trigger_id, n)
    cross join lateral (
      select from automation_run
      where store_id = ${storeId} and automation_id = ${automationId} and trigger_id = w.trigger_id
      limit 1
    ) r`.execute(tx);
  const told = new Set(rows.map(({ n }) => n - 1));
  return ids.filter((_, i) => !told.has(i));
}
