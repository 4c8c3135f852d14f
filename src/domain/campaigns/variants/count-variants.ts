import { sql } from 'kysely';
import { rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { MessageStatus } from '../../messages/core/message.ts';
import type { CampaignTest } from '../campaign.ts';
import type { MessageCount } from '../counting/count.ts';
import type { VariantCounts } from './verdict.ts';

/** Of what was handed over, and has not come back. */
const ARRIVED: readonly MessageStatus[] = ['sent', 'delivered', 'complained'];
const HAS_ARRIVED = sql`status in (${sql.join(ARRIVED.map((status) => sql.lit(status)))})`;

/** What became of each variant, of those who try it: of messages that were counted, and of the orders that they have led to by now. */
export function variantsOf(
  { variants }: CampaignTest,
  counts: readonly MessageCount[],
  orders: ReadonlyMap<number, number>,
): VariantCounts[] {
  return variants.map((_, i) => {
    const sum = { ...none(i + 1), ordered: orders.get(i + 1) ?? 0 };
    for (const { variant, status, count, opened, clicked } of counts) {
      if (variant !== i + 1) continue;
      sum.recipients += count;
      if (!ARRIVED.includes(status)) continue;
      sum.sent += count;
      sum.opened += opened;
      sum.clicked += clicked;
    }
    return sum;
  });
}

function none(variant: number): Omit<VariantCounts, 'ordered'> {
  return { variant, recipients: 0, sent: 0, opened: 0, clicked: 0 };
}

/** How many messages of each variant led to an order that was not taken back. */
export async function countOrders(db: Sql, storeId: string, id: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ variant: number; count: number }>`
    select m.variant::int as variant, count(distinct m.id)::float8 as count
    from attribution a
    cross join lateral ${rowById('message', storeId, 'a.message_id')} m
    where a.store_id = ${storeId} and a.source_id = ${id} and a.is_placed and not a.is_refunded_whole
      and m.variant is not null and m.${HAS_ARRIVED}
    group by m.variant`.execute(db);
  return new Map(rows.map(({ variant, count }) => [variant, count]));
}
