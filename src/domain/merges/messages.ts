import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { noteChanged } from '../campaign-counts.ts';
import { hasIt } from '../campaigns/has-it.ts';
import type { SkipReason } from '../messages/core/message.ts';
import type { Step } from '../sweeps/step.ts';
import type { Merging } from './merge.ts';
import { move } from './steps.ts';

const REASON: SkipReason = 'merged';

/** Has messages that wait be those of the customer who stays, who gets no campaign twice. */
export async function moveMessages(tx: Sql, merging: Merging): Promise<void> {
  const { storeId, profileId, winnerId } = merging;
  await skipTwice(tx, merging);
  await sql`
    update message set profile_id = ${winnerId}
    where store_id = ${storeId} and profile_id = ${profileId} and due_at is not null`.execute(tx);
}

/** The same for what was found late, and for all others. */
export const sweepMessages: Step<Merging> = async (tx, merging, after, tools) => {
  if (after === '') await skipTwice(tx, merging);
  return await moveSome(tx, merging, after, tools);
};

const moveSome = move('message');

/** Of two messages of one campaign, the one that waits is skipped if the other has gone, and else that of who is merged. */
async function skipTwice(tx: Sql, { storeId, profileId, winnerId }: Merging): Promise<void> {
  const { rows } = await sql<{ source: string; sourceId: string | null }>`
    update message m
    set status = 'skipped', reason = ${REASON}, due_at = null, finished_at = now(), is_awaited = false
    where store_id = ${storeId} and profile_id in (${profileId}::uuid, ${winnerId}::uuid)
      and status = 'waiting' and source = 'campaign' and exists (
        select from message o
        where o.store_id = ${storeId} and o.source_id = m.source_id
          and o.profile_id = case when m.profile_id = ${winnerId} then ${profileId}::uuid else ${winnerId}::uuid end
          and ${hasIt('o')} and (o.status <> 'waiting' or o.profile_id = ${winnerId}))
    returning source, source_id as "sourceId"`.execute(tx);
  await noteChanged(tx, storeId, rows);
}
