import { sql } from 'kysely';
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
  const { rows } = await sql<VariantCounts>`
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
  return (test?.variants ?? []).map((_, i) => found.get(i + 1) ?? none(i + 1));
}

/** The same of messages that were counted. */
export function variantsOf({ variants }: CampaignTest, counts: readonly MessageCount[]): VariantCounts[] {
  return variants.map((_, i) => {
    const sum = none(i + 1);
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

function none(variant: number): VariantCounts {
  return { variant, recipients: 0, sent: 0, opened: 0, clicked: 0 };
}
