import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../../db/binary-arrays.ts';
import type { Sql } from '../../../../db/sql.ts';
import { LOWEST_ID, newId } from '../../../../ids/uuid-v7.ts';
import type { RoutedAudience } from '../route-changes.ts';

/** Has automations go through the customers whom changes of items concern, in the transaction that reads these. */
export async function planAudiences(tx: Sql, storeId: string, audiences: readonly RoutedAudience[]): Promise<void> {
  if (audiences.length === 0) return;
  const changes = audiences.map(({ change }) => change);
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
      ${timestamps(changes.map(({ at }) => new Date(at)))}::timestamptz[])
      as w (id, automation_id, change_id, item_id, variant_id, kind, currency, before, after, changed_at)`.execute(tx);
}

function numeral(number: number | null): string | null {
  return number === null ? null : String(number);
}
