import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { countAgain } from '../campaign-counts.ts';
import { idsOfCampaign } from '../messages/read.ts';
import { ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { lockCampaign } from './find-campaigns.ts';

/** Messages that are decided about in a request. */
const MOST = 10_000;

export interface Resolved {
  resolved: number;
  isMore: boolean;
}

/**
 * Decides about the messages of a campaign of which it is unknown whether they were sent. Undefined if the store has no such
 * campaign; throws `validation_error` if it is cancelled, and they are to be sent.
 */
export async function resolveCampaign(
  db: Sql,
  storeId: string,
  id: string,
  decision: 'resend' | 'leave',
): Promise<Resolved | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const campaign = await lockCampaign(tx, storeId, id);
      if (!campaign) return undefined;
      const isResent = decision === 'resend';
      if (isResent && campaign.status === 'cancelled') {
        throw new ServiceError('validation_error', 'The campaign is cancelled, and sends nothing any more');
      }
      if (!campaign.startedAt) return { resolved: 0, isMore: false };
      const [lowest, end] = idsOfCampaign(campaign.startedAt);
      const { numAffectedRows = 0n } = await sql`
        update message m
        set status = ${isResent ? 'waiting' : 'sent'}, reason = null, due_at = ${isResent ? sql`now()` : null}::timestamptz,
          finished_at = ${isResent ? null : sql`coalesce(m.finished_at, now())`}::timestamptz
        from (
          select ctid as place from message
          where store_id = ${storeId} and status = 'unknown' and id >= ${lowest} and id < ${end} and source_id = ${id}
          order by id limit ${MOST}
          for update skip locked
        ) d
        where m.ctid = d.place`.execute(tx);
      const resolved = Number(numAffectedRows);
      await countAgain(tx, storeId, id);
      if (isResent && resolved > 0) await lookAgain(tx, storeId, id);
      return { resolved, isMore: resolved === MOST };
    }),
  );
}

/** It is not over before these are. */
async function lookAgain(tx: Sql, storeId: string, id: string): Promise<void> {
  await sql`
    update campaign
    set settled = default, status = case status when 'sent' then 'sending' else status end, finished_at = null,
      due_at = coalesce(due_at, now()), updated_at = now()
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}
