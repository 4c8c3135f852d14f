import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { CHANNELS } from '../../consent/consent.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import { lockProfiles } from '../../write/look-up.ts';
import { capsOf } from './caps.ts';
import { reasonOfCaps } from './decide.ts';
import type { MessageChannel, SkipReason } from './message.ts';
import { lockConsents, readSent } from './standings.ts';

/** A webhook that a run is about to send, and that counts as a message of a channel. */
export interface Counted {
  profileId: string;
  channel: MessageChannel;
  runId: string;
  seq: number;
}

/**
 * Decides by the caps of the store whether webhooks may be sent, and counts those that may, in the order in which they are asked
 * for. Whoever claims messages to the same customers waits for the transaction, and counts them, too; of customers who have
 * consented to nothing there are no messages, so it is their own row that is locked. Returns why each is skipped; null if it is not.
 */
export async function countAgainstCaps(
  tx: Sql,
  storeId: string,
  asked: readonly Counted[],
): Promise<(SkipReason | null)[]> {
  const reasons = new Map<Counted, SkipReason | null>();
  if (asked.length === 0) return [];
  const caps = capsOf(await readMessageSettings(tx, storeId));
  // Before consent, as those do who change both.
  await lockProfiles(tx, storeId, [...new Set(asked.map(({ profileId }) => profileId))]);
  for (const channel of CHANNELS) {
    const some = asked.filter((one) => one.channel === channel);
    if (some.length === 0) continue;
    await lockConsents(tx, storeId, channel, [...new Set(some.map(({ profileId }) => profileId))].sort());
    const marketing = some.map(({ runId: id, profileId }) => ({ id, profileId, channel, class: 'marketing' as const }));
    const sent = await readSent(tx, storeId, channel, marketing, caps);
    const now = Date.now();
    for (const one of some) {
      const sentAt = sent.get(one.profileId) ?? [];
      const reason = reasonOfCaps(sentAt, caps, now) ?? null;
      reasons.set(one, reason);
      if (reason === null) sent.set(one.profileId, [...sentAt, now]);
    }
  }
  await insert(
    tx,
    storeId,
    asked.filter((one) => reasons.get(one) === null),
  );
  return asked.map((one) => reasons.get(one) ?? null);
}

async function insert(tx: Sql, storeId: string, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    insert into counted_webhook (store_id, profile_id, channel, run_id, seq, counted_at)
    select ${storeId}::uuid, profile_id, channel, run_id, seq, clock_timestamp()
    from unnest(
      ${uuids(counted.map(({ profileId }) => profileId))}::uuid[],
      ${texts(counted.map(({ channel }) => channel))}::text[],
      ${uuids(counted.map(({ runId }) => runId))}::uuid[],
      ${integers(counted.map(({ seq }) => seq))}::int[]
    ) as c (profile_id, channel, run_id, seq)
    on conflict do nothing`.execute(tx);
}

/** Days for which they are kept: a day more than caps look back. */
const DAYS = 31;

export function deletionOfCountedWebhooks(): DataTask {
  return deletionOfOldRows({
    table: 'counted_webhook',
    key: ['profile_id', 'channel', 'run_id', 'seq'],
    since: 'counted_at',
    days: DAYS,
    failure: 'old webhooks that count as messages not deleted',
  });
}
