import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../../db/binary-arrays.ts';
import type { Sql } from '../../../../db/sql.ts';
import { LOWEST_ID, newId } from '../../../../ids/uuid-v7.ts';
import { durationMs, MINUTE } from '../../../time/duration.ts';
import type { RoutedAudience } from '../route-changes.ts';
import type { Stage } from './audience.ts';

/**
 * Has automations go through the customers whom changes of items concern, in the transaction that reads these. Where nobody waits
 * for the item, or did anything with it, no row is written: most of very many prices that fall concern nobody. What changes several
 * times within a few minutes, before anybody was looked at, is one change: from what it was at first to what it is in the end.
 */
export async function planAudiences(tx: Sql, storeId: string, all: readonly RoutedAudience[]): Promise<void> {
  if (all.length === 0) return;
  const audiences = inOne(all, await takeBack(tx, storeId, all));
  const changes = audiences.map(({ change }) => change);
  const hasActive = (kind: ActiveStage) => sql`exists (
        select from item_activity a
        where a.store_id = ${storeId} and a.item_id = w.item_id and a.kind = ${sql.lit(kind)}
          and a.last_at >= w.${sql.ref(`${kind}_since`)}::timestamptz
      )`;
  await sql`
    insert into automation_audience (
      store_id, id, automation_id, change_id, item_id, variant_id, kind, currency, before, after, changed_at, stage,
      after_id)
    select ${storeId}::uuid, id, automation_id, change_id, item_id, variant_id, kind, currency, before::numeric,
      after::numeric, changed_at, 'subscribed', ${LOWEST_ID}::uuid
    from unnest(
      ${uuids(audiences.map(() => newId()))}::uuid[],
      ${uuids(audiences.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(changes.map(({ id }) => id))}::uuid[],
      ${texts(changes.map(({ itemId }) => itemId))}::text[],
      ${texts(changes.map(({ variantId }) => variantId))}::text[],
      ${texts(changes.map(({ kind }) => kind))}::text[],
      ${texts(changes.map(({ currency }) => currency))}::text[],
      ${texts(changes.map(({ before }) => numeral(before)))}::text[],
      ${texts(changes.map(({ after }) => numeral(after)))}::text[],
      ${timestamps(changes.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(audiences.map(({ trigger }) => (trigger.audience.subscribed ? 'subscribed' : null)))}::text[],
      ${texts(audiences.map((one) => activeSince(one, 'viewed')))}::text[],
      ${texts(audiences.map((one) => activeSince(one, 'carted')))}::text[],
      ${texts(audiences.map((one) => activeSince(one, 'ordered')))}::text[])
      as w (id, automation_id, change_id, item_id, variant_id, kind, currency, before, after, changed_at, subscribed,
        viewed_since, carted_since, ordered_since)
    where (w.subscribed is not null and exists (
        select from catalog_subscription s
        where s.store_id = ${storeId} and s.item_id = w.item_id and s.kind = w.kind and s.notified_at is null
      ))
      or ${hasActive('viewed')} or ${hasActive('carted')} or ${hasActive('ordered')}`.execute(tx);
}

/** Milliseconds within which several changes of one item are one. */
const TOGETHER_MS = 10 * MINUTE;

interface Former {
  automationId: string;
  itemId: string;
  variantId: string | null;
  kind: string;
  currency: string | null;
  before: number | null;
  at: number;
}

const keyOf = ({ automationId, itemId, variantId, kind, currency }: Omit<Former, 'before' | 'at'>) =>
  JSON.stringify([automationId, itemId, variantId, kind, currency]);

/** Removes what is planned for earlier changes of the same items, and nobody has begun or is about to; returns it. */
async function takeBack(tx: Sql, storeId: string, audiences: readonly RoutedAudience[]): Promise<Former[]> {
  const changes = audiences.map(({ change }) => change);
  const first = new Date(Math.min(...changes.map(({ at }) => at)) - TOGETHER_MS).toISOString();
  const { rows } = await sql<Former>`
    with former as (
      select f.id from automation_audience f
      where f.store_id = ${storeId} and f.stage = 'subscribed' and f.looked_at = 0 and f.after_id = ${LOWEST_ID}
        and f.changed_at >= ${first}::timestamptz and not f.is_over
        and exists (
          select from unnest(
            ${uuids(audiences.map(({ automationId }) => automationId))}::uuid[],
            ${texts(changes.map(({ itemId }) => itemId))}::text[],
            ${texts(changes.map(({ variantId }) => variantId))}::text[],
            ${texts(changes.map(({ kind }) => kind))}::text[],
            ${texts(changes.map(({ currency }) => currency))}::text[],
            ${timestamps(changes.map(({ at }) => new Date(at - TOGETHER_MS)))}::timestamptz[])
            as w (automation_id, item_id, variant_id, kind, currency, since)
          where f.automation_id = w.automation_id and f.item_id = w.item_id and f.kind = w.kind
            and f.variant_id is not distinct from w.variant_id and f.currency is not distinct from w.currency
            and f.changed_at >= w.since
        )
      for update of f skip locked
    )
    delete from automation_audience f
    where f.store_id = ${storeId} and f.id = any(array(select id from former))
    returning f.automation_id as "automationId", f.item_id as "itemId", f.variant_id as "variantId", f.kind, f.currency,
      f.before::float8 as before, (extract(epoch from f.changed_at) * 1000)::float8 as at`.execute(tx);
  return rows;
}

/** In the order of the first changes. */
function inOne(audiences: readonly RoutedAudience[], former: readonly Former[]): RoutedAudience[] {
  const begun = new Map(former.map((one) => [keyOf(one), one]));
  const kept = new Map<string, RoutedAudience[]>();
  for (const one of audiences) {
    const { automationId, change } = one;
    const key = keyOf({ automationId, ...change });
    const others = kept.get(key) ?? [];
    const last = others.at(-1);
    const earlier = last?.change ?? begun.get(key);
    const isOne = earlier !== undefined && change.at - earlier.at <= TOGETHER_MS;
    const merged = isOne ? { ...one, change: { ...change, before: earlier.before } } : one;
    kept.set(key, isOne && last ? [...others.slice(0, -1), merged] : [...others, merged]);
  }
  return [...kept.values()].flat();
}

type ActiveStage = Exclude<Stage, 'subscribed'>;

/** From when on those who did something with an item belong to an audience; null if they do not. */
function activeSince({ change, trigger }: RoutedAudience, kind: ActiveStage): string | null {
  const within = trigger.audience[kind];
  return within === undefined ? null : new Date(change.at - durationMs(within)).toISOString();
}

function numeral(number: number | null): string | null {
  return number === null ? null : String(number);
}
