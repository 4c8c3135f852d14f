import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Campaign } from './campaign.ts';
import { staleRevision } from './drafts.ts';
import { findCampaign, lockCampaign } from './find-campaigns.ts';
import { expectReady } from './readiness.ts';
import { beginOfLocal, timingOf } from './timing.ts';

/** Milliseconds ahead that a campaign may be scheduled. */
const MAX_AHEAD_MS = 10 * 366 * 24 * 60 * 60 * 1000;

export interface Schedule {
  id: string;
  /** Of the draft that is meant. */
  revision: number;
  /** Undefined: now. */
  at: Date | undefined;
  /** Of the store; null if nobody has said which. */
  storeZone: string | null;
}

/**
 * Has a draft begin at a time: from then on it has the version of its template and the sender that are current now, and so has each variant. One that
 * is to begin so already stays. Marketing by text message that names no hours gets those of the day. Undefined if the store has no such campaign; throws `validation_error` for what it lacks, for a
 * time in the past, if somebody else has changed the draft, and if it is none.
 */
export async function scheduleCampaign(
  db: Sql,
  storeId: string,
  { id, revision, at, storeZone }: Schedule,
): Promise<Campaign | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const campaign = await lockCampaign(tx, storeId, id);
      if (!campaign) return undefined;
      if (isRetry(campaign, revision, at)) return campaign;
      if (campaign.status !== 'draft') {
        throw new ServiceError('validation_error', `Only a draft can be scheduled: the campaign is ${campaign.status}`);
      }
      if (campaign.revision !== revision) throw staleRevision();
      expectTime(at);
      const begin = beginOf(campaign, at);
      const { template, sender, variants } = await expectReady(tx, storeId, campaign);
      const timing = timingOf(campaign, template.class, storeZone);
      await sql`
        update campaign
        set status = 'scheduled', reason = null, template_version = ${template.number}, class = ${template.class},
          sender_id = ${sender.id}, timing = ${timing === null ? null : JSON.stringify(timing)}::json,
          variants = ${variants === null ? null : JSON.stringify(variants)}::json,
          scheduled_at = coalesce(${begin?.toISOString() ?? null}::timestamptz, now()),
          due_at = coalesce(${begin?.toISOString() ?? null}::timestamptz, now()), updated_at = now()
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return await findCampaign(tx, storeId, id);
    }),
  );
}

/** What was to begin at once may have begun already. */
function isRetry({ status, revision, scheduledAt, timing }: Campaign, asked: number, at: Date | undefined): boolean {
  if (revision !== asked) return false;
  if (timing?.localTime && status === 'scheduled') return !at;
  if (at) return status === 'scheduled' && scheduledAt?.getTime() === at.getTime();
  const hasBegun = status === 'preparing' || status === 'sending' || status === 'sent';
  return hasBegun || (status === 'scheduled' && scheduledAt !== null && scheduledAt.getTime() <= Date.now());
}

/** When it is to begin; undefined for now. */
function beginOf({ timing }: Campaign, at: Date | undefined): Date | undefined {
  if (!timing?.localTime) return at;
  if (at)
    throw invalid({ path: ['at'], problem: 'must be left out: the campaign goes by the clocks of its recipients' });
  return beginOfLocal(timing, Date.now());
}

function expectTime(at: Date | undefined): void {
  if (!at) return;
  if (at.getTime() < Date.now()) throw invalid({ path: ['at'], problem: 'must not be in the past' });
  if (at.getTime() > Date.now() + MAX_AHEAD_MS) throw invalid({ path: ['at'], problem: 'must be within ten years' });
}
