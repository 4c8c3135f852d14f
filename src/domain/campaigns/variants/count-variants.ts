import { sql } from 'kysely';
import { rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import type { Campaign } from '../campaign.ts';
import type { VariantCounts } from './verdict.ts';

/** What was handed over, and has not come back. */
const ARRIVED = sql`status in ('sent', 'complained')`;

/** Counts what became of each variant of a campaign, of those who try it; all variants, in their order. */
export async function countVariants(
  db: Sql,
  storeId: string,
  { id, test, startedAt }: Pick<Campaign, 'id' | 'test'> & { startedAt: Date },
): Promise<VariantCounts[]> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<Omit<VariantCounts, 'ordered'>>`
    select variant::int as variant, count(*)::float8 as recipients,
      (count(*) filter (where ${ARRIVED}))::float8 as sent,
      (count(*) filter (where ${ARRIVED} and opened_at is not null))::float8 as opened,
      (count(*) filter (where ${ARRIVED} and clicked_at is not null))::float8 as clicked
    from (
      -- In the order of the key, which has them together: to a planner with stale statistics each index looks as good.
      select variant, status, opened_at, clicked_at from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and source_id = ${id} and variant is not null
      order by id
    ) tried
    group by variant`.execute(db);
  const found = new Map(rows.map((row) => [row.variant, row]));
  const orders = await countOrders(db, storeId, id);
  return (test?.variants ?? []).map((_, i) => {
    const counts = found.get(i + 1) ?? { variant: i + 1, recipients: 0, sent: 0, opened: 0, clicked: 0 };
    return { ...counts, ordered: orders.get(i + 1) ?? 0 };
  });
}

/** How many messages of each variant led to an order that was not taken back. */
async function countOrders(db: Sql, storeId: string, id: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ variant: number; count: number }>`
    select m.variant::int as variant, count(distinct m.id)::float8 as count
    from attribution a
    cross join lateral ${rowById('message', storeId, 'a.message_id')} m
    where a.store_id = ${storeId} and a.source_id = ${id} and a.is_placed and not a.is_refunded_whole
      and m.variant is not null and m.status in ('sent', 'complained')
    group by m.variant`.execute(db);
  return new Map(rows.map(({ variant, count }) => [variant, count]));
}
