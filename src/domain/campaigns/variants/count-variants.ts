import { sql } from 'kysely';
import { rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { MessageStatus } from '../../messages/core/message.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import type { Campaign, CampaignTest } from '../campaign.ts';
import type { MessageCount } from '../counting/count.ts';
import type { VariantCounts } from './verdict.ts';

/** Of what was handed over, and has not come back. */
const ARRIVED: readonly MessageStatus[] = ['sent', 'delivered', 'complained'];
const HAS_ARRIVED = sql`status in (${sql.join(ARRIVED.map((status) => sql.lit(status)))})`;

/** Counts what became of each variant of a campaign, of those who try it, by now; all variants, in their order. */
export async function countVariants(
  db: Sql,
  storeId: string,
  { id, test, startedAt }: Pick<Campaign, 'id' | 'test'> & { startedAt: Date },
): Promise<VariantCounts[]> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<Omit<VariantCounts, 'ordered'>>`
    select variant::int as variant, count(*)::float8 as recipients,
      (count(*) filter (where ${HAS_ARRIVED}))::float8 as sent,
      (count(*) filter (where ${HAS_ARRIVED} and opened_at is not null))::float8 as opened,
      (count(*) filter (where ${HAS_ARRIVED} and clicked_at is not null))::float8 as clicked
    from (
      -- In the order of the key, which has them together: to a planner with stale statistics each index looks as good.
      select variant, status, opened_at, clicked_at from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and source_id = ${id} and variant is not null
      order by id
    ) tried
    group by variant`.execute(db);
  const found = new Map(rows.map((row) => [row.variant, row]));
  const orders = await countOrders(db, storeId, id);
  return (test?.variants ?? []).map((_, i) => ({
    ...none(i + 1),
    ...found.get(i + 1),
    ordered: orders.get(i + 1) ?? 0,
  }));
}

/** The same of messages that were counted, and of the orders that they have led to by now, by variant. */
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
