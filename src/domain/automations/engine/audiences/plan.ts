import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../../db/binary-arrays.ts';
import type { Sql } from '../../../../db/sql.ts';
import { LOWEST_ID, newId } from '../../../../ids/uuid-v7.ts';
import { durationMs } from '../../../time/duration.ts';
import type { RoutedAudience } from '../route-changes.ts';
import type { Stage } from './audience.ts';

/**
 * Has automations go through the customers whom changes of items concern, in the transaction that reads these. Where nobody waits
 * for the item, or did anything with it, no row is written: most of very many prices that fall concern nobody.
 */
export async function planAudiences(tx: Sql, storeId: string, audiences: readonly RoutedAudience[]): Promise<void> {
  if (audiences.length === 0) return;
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

type ActiveStage = Exclude<Stage, 'subscribed'>;

/** From when on those who did something with an item belong to an audience; null if they do not. */
function activeSince({ change, trigger }: RoutedAudience, kind: ActiveStage): string | null {
  const within = trigger.audience[kind];
  return within === undefined ? null : new Date(change.at - durationMs(within)).toISOString();
}

function numeral(number: number | null): string | null {
  return number === null ? null : String(number);
}
