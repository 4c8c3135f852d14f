import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { countAgain } from '../campaign-counts.ts';
import { invalid } from '../service-error.ts';
import { readHold, type StoreHold } from '../store-hold.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Campaign, CampaignStatus } from './campaign.ts';
import { decided, isTested } from './engine/testing.ts';
import { findCampaign, lockCampaign } from './find-campaigns.ts';

/** What somebody may have a campaign do. */
export type NewCampaignStatus = 'draft' | 'sending' | 'paused' | 'cancelled';

/** From which statuses: before it has begun, and after that. */
const FROM: Record<NewCampaignStatus, { before: readonly CampaignStatus[]; after: readonly CampaignStatus[] }> = {
  draft: { before: ['scheduled', 'missed', 'paused', 'held'], after: [] },
  sending: { before: ['paused'], after: ['paused', 'held'] },
  paused: { before: [], after: ['preparing', 'sending'] },
  cancelled: {
    before: ['scheduled', 'missed', 'paused', 'held'],
    after: ['preparing', 'sending', 'paused', 'held'],
  },
};

/**
 * Takes a campaign back, pauses, resumes or cancels it; the status that it has already changes nothing. One that goes on may be
 * given the variant that wins its test. Undefined if the store
 * has no such campaign; throws `validation_error` where that is not possible.
 */
export async function setCampaignStatus(
  db: Sql,
  storeId: string,
  id: string,
  status: NewCampaignStatus,
  winner?: number,
): Promise<Campaign | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const campaign = await lockCampaign(tx, storeId, id);
      if (!campaign) return undefined;
      const chosen = winner === undefined ? undefined : chooseWinner(campaign, status, winner);
      if (isSo(campaign, status) && !chosen) return campaign;
      const { before, after } = FROM[status];
      if (!isSo(campaign, status) && !(campaign.startedAt ? after : before).includes(campaign.status)) {
        throw invalid({ path: ['status'], problem: `can not be ${status}: the campaign ${stateOf(campaign)}` });
      }
      const hold = status === 'sending' ? await readHold(tx, storeId) : undefined;
      if (hold) throw invalid({ path: ['status'], problem: `can not be sending: ${WHY_HELD[hold.reason]}` });
      await sql`
        update campaign set ${chosen ?? sql``} ${CHANGES[status]}, reason = null, updated_at = now()
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      await countAgain(tx, storeId, id);
      return await findCampaign(tx, storeId, id);
    }),
  );
}

const WHY_HELD: Record<StoreHold['reason'], string> = {
  restored: 'the store was restored, and is held until the operator releases it',
  paused: 'somebody has paused all that the store sends',
};

const CHANGES = {
  draft: sql`status = 'draft', scheduled_at = null, due_at = null, template_version = null, class = null, variants = null`,
  // What has come back before was seen by whoever resumes it.
  sending: sql`
    status = case when started_at is null then 'scheduled' when prepared_at is null then 'preparing' else 'sending' end,
    scheduled_at = case when started_at is null then now() else scheduled_at end, due_at = now(),
    changed = default, recent = 0, recent_bounces = 0, recent_complaints = 0`,
  paused: sql`status = 'paused', has_parked = true, changed = default, due_at = now()`,
  cancelled: sql`
    status = 'cancelled', finished_at = now(), changed = default, due_at = case when started_at is not null then now() end`,
};

/** What is to be noted of a campaign whose test has the winner that somebody chooses; undefined if it has that already. */
function chooseWinner(
  campaign: Campaign,
  status: NewCampaignStatus,
  winner: number,
): ReturnType<typeof sql> | undefined {
  const refuse = (problem: string) => invalid({ path: ['winner'], problem });
  const { test, startedAt, preparedAt } = campaign;
  if (status !== 'sending') throw refuse('can be chosen as the campaign goes on: with `sending`');
  if (!test) throw refuse('is of campaigns with a test');
  if (winner > test.variants.length) throw refuse('is not the number of a variant');
  if (campaign.winner === winner) return undefined;
  if (!startedAt || !preparedAt) throw refuse('can be chosen once the campaign has found all its recipients');
  if (!isTested({ ...campaign, startedAt })) throw refuse('can not be chosen any more: the test is decided');
  return sql`${decided('chosen', winner)},`;
}

/** One that was resumed may have to begin first. */
function isSo({ status: current, scheduledAt }: Campaign, status: NewCampaignStatus): boolean {
  if (current === status) return true;
  if (status !== 'sending') return false;
  return current === 'preparing' || (current === 'scheduled' && scheduledAt !== null && scheduledAt <= new Date());
}

function stateOf({ status, startedAt }: Campaign): string {
  return startedAt || status === 'draft' ? `is ${status}` : `is ${status}, and has not begun`;
}
