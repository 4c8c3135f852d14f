import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import type { Campaign } from '../campaign.ts';
import type { VariantCounts } from './verdict.ts';

/** What was handed over, and has not come back. */
export const ARRIVED = sql`status in ('sent', 'complained')`;

/** Counts what became of each variant of a campaign, of those who try it; all variants, in their order. */
export async function countVariants(
  db: Sql,
  storeId: string,
  { id, test, startedAt }: Pick<Campaign, 'id' | 'test'> & { startedAt: Date },
): Promise<VariantCounts[]> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<VariantCounts>`
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
  return (test?.variants ?? []).map((_, i) => {
    return found.get(i + 1) ?? { variant: i + 1, recipients: 0, sent: 0, opened: 0, clicked: 0 };
  });
}
