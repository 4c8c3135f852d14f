import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { MessageStatus } from '../messages/core/message.ts';
import { idsOfCampaign } from '../messages/read.ts';
import { type Revenue, readRevenueOf } from '../tracking/attribution/report.ts';
import { findCampaign } from './find-campaigns.ts';
import { countVariants } from './variants/count-variants.ts';
import { type Comparison, compareVariants, type VariantCounts } from './variants/verdict.ts';

/** What became of the messages of a campaign. */
export interface CampaignStats {
  /** As many as all the messages together. */
  recipients: number;
  messages: { status: MessageStatus; reason: string | null; count: number }[];
  opened: number;
  clicked: number;
  machineOpened: number;
  machineClicked: number;
  /** Recipients who got nothing, so that they can be compared. */
  heldOut: number;
  /** Of those who try one. */
  variants: VariantCounts[];
  /** Null without a test, and before it has begun. */
  comparison: Comparison | null;
  /** What its messages led to, by currency. */
  revenue: Revenue[];
}

interface CountRow
  extends Omit<CampaignStats, 'recipients' | 'messages' | 'heldOut' | 'variants' | 'comparison' | 'revenue'> {
  status: MessageStatus;
  reason: string | null;
  count: number;
}

/** In one statement, which sees each message once, and further ones for variants and orders. Undefined if the store has no such campaign. */
export async function readCampaignStats(db: Sql, storeId: string, id: string): Promise<CampaignStats | undefined> {
  const campaign = await findCampaign(db, storeId, id);
  if (!campaign) return undefined;
  const { test, startedAt } = campaign;
  const rows = startedAt ? await countMessages(db, storeId, id, startedAt) : [];
  const variants = test && startedAt ? await countVariants(db, storeId, { id, test, startedAt }) : [];
  const sum = (of: (row: CountRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    recipients: sum(({ count }) => count),
    messages: rows.map(({ status, reason, count }) => ({ status, reason, count })),
    opened: sum((row) => row.opened),
    clicked: sum((row) => row.clicked),
    machineOpened: sum((row) => row.machineOpened),
    machineClicked: sum((row) => row.machineClicked),
    heldOut: sum(({ reason, count }) => (reason === 'hold_out' ? count : 0)),
    variants,
    comparison: test && startedAt ? compareVariants(variants, test.decideBy) : null,
    revenue: startedAt ? await readRevenueOf(db, storeId, id) : [],
  };
}

async function countMessages(db: Sql, storeId: string, id: string, startedAt: Date): Promise<CountRow[]> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<CountRow>`
    select status, reason, count(*)::float8 as count, (count(*) filter (where opened_at is not null))::float8 as opened,
      (count(*) filter (where clicked_at is not null))::float8 as clicked,
      (count(*) filter (where machine_opens > 0))::float8 as "machineOpened",
      (count(*) filter (where machine_clicks > 0))::float8 as "machineClicked"
    from message
    where store_id = ${storeId} and id >= ${lowest} and id < ${end} and source_id = ${id}
    group by status, reason
    order by count(*) desc, status, reason`.execute(db);
  return rows;
}
