import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { ConsentChange } from '../../consent/consent.ts';
import { recordConsents } from '../../consent/record-consents.ts';
import type { Heard } from './reply.ts';

/** What the history of consent says of a choice that was made by answering. */
export const CHOSEN_BY_REPLY = 'sms_reply';

/**
 * Changes the consent of customers who ask for it: who says STOP is unsubscribed, and who says START after that is back. START
 * alone is no consent: it brings nobody in who has never subscribed. Returns which replies have changed anything.
 */
export async function changeConsents(tx: Sql, storeId: string, heard: readonly Heard[]): Promise<ReadonlySet<Heard>> {
  const asking = heard
    .filter(({ word, profileId }) => profileId !== undefined && (word === 'stop' || word === 'start'))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  if (asking.length === 0) return new Set();
  const statuses = await lockStatuses(
    tx,
    storeId,
    asking.map(({ profileId }) => profileId as string),
  );
  const changed = new Map<ConsentChange, Heard>();
  const repeated: ConsentChange[] = [];
  for (const reply of asking) {
    const profileId = reply.profileId as string;
    const kind = reply.word === 'stop' ? 'unsubscribed' : 'subscribed';
    const isUnsubscribed = statuses.get(profileId) === 'unsubscribed';
    if (kind === 'subscribed' && !isUnsubscribed) continue;
    const of = { profileId, channel: 'sms', kind, changedAt: reply.at, isNow: reply.isNow } as const;
    const change: ConsentChange = { ...of, source: CHOSEN_BY_REPLY };
    // Said twice, it is written down twice.
    if (kind === 'unsubscribed' && isUnsubscribed) repeated.push(change);
    else changed.set(change, reply);
    statuses.set(profileId, kind);
  }
  const applied = await recordConsents(tx, storeId, [...changed.keys(), ...repeated]);
  return new Set([...changed].flatMap(([change, reply]) => (applied.has(change) ? reply : [])));
}

async function lockStatuses(tx: Sql, storeId: string, profileIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ profileId: string; status: string }>`
    select profile_id as "profileId", status from consent
    where store_id = ${storeId} and profile_id = any(${uuids([...new Set(profileIds)])}::uuid[]) and channel = 'sms'
    order by profile_id
    for no key update`.execute(tx);
  return new Map(rows.map(({ profileId, status }) => [profileId, status]));
}
