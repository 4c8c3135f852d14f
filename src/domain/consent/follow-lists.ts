import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { type AboutMoves, joinList, leaveList, MAX_AT_ONCE } from '../lists/members.ts';
import { CHANNELS, type ConsentChange } from './consent.ts';

/**
 * Lets customers join and leave the lists of their choices, once these are recorded in the same transaction. Who opts in
 * to a list joins it unless they have opted out of it since; who opts out leaves it once no channel is subscribed to it.
 * A list that the store does not have is part of the consent only, and so is one that is full. Who is asked to confirm that
 * they subscribe to a list does not join it through another channel meanwhile.
 */
export async function followLists(tx: Sql, storeId: string, changes: readonly ConsentChange[]): Promise<void> {
  const keyOf = ({ profileId, list }: ConsentChange) => `${profileId} ${list?.id}`;
  const awaited = new Set(changes.filter(({ awaitsConfirmation }) => awaitsConfirmation).map(keyOf));
  const choices = changes.filter((change) => {
    return change.list?.sourceId !== undefined && !(change.kind === 'subscribed' && awaited.has(keyOf(change)));
  });
  const byList = Map.groupBy(choices, ({ list }) => list?.id as string);
  for (const [id, own] of [...byList].sort(([a], [b]) => (a < b ? -1 : 1))) await followToList(tx, storeId, id, own);
}

async function followToList(
  tx: Sql,
  storeId: string,
  listId: string,
  choices: readonly ConsentChange[],
): Promise<void> {
  const profileIds = [...new Set(choices.map(({ profileId }) => profileId))];
  const subscribed = await findSubscribers(tx, storeId, listId, profileIds);
  const joining = choices.filter(({ kind, profileId }) => kind === 'subscribed' && subscribed.has(profileId));
  const alike = Map.groupBy(joining, ({ source, isHistorical, led }) => `${isHistorical} ${led?.depth} ${source}`);
  for (const own of alike.values()) {
    const [{ source, isHistorical }] = own as [ConsentChange];
    for (const part of partsOf(own)) {
      const members = part.map(({ profileId, changedAt }) => ({ profileId, joinedAt: changedAt }));
      await joinList(tx, storeId, listId, members, { how: 'subscription', source }, { isHistorical, led: ledOf(part) });
    }
  }
  const leaving = choices.filter(({ kind, profileId }) => kind === 'unsubscribed' && !subscribed.has(profileId));
  for (const own of Map.groupBy(leaving, ({ led }) => led?.depth).values()) {
    for (const part of partsOf(own)) {
      const ids = part.map(({ profileId }) => profileId);
      await leaveList(tx, storeId, listId, ids, { led: ledOf(part) });
    }
  }
}

/** Which automations led to choices, to all of them as many. */
function ledOf(choices: readonly ConsentChange[]): AboutMoves['led'] {
  const depth = choices[0]?.led?.depth;
  if (depth === undefined) return undefined;
  return { depth, chains: new Map(choices.map(({ profileId, led }) => [profileId, led?.chain ?? null])) };
}

/**
 * Returns those of some profiles that are subscribed to a list, through any channel: they have not opted out of the
 * whole channel since.
 */
async function findSubscribers(
  tx: Sql,
  storeId: string,
  listId: string,
  profileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ profileId: string }>`
    select distinct w.id as "profileId"
    from unnest(${uuids(profileIds)}::uuid[]) as w (id)
    cross join unnest(${texts(CHANNELS)}::text[]) as h (channel)
    join consent_list l on l.store_id = ${storeId} and l.profile_id = w.id and l.channel = h.channel
      and l.list_id = ${listId}
    left join consent c on c.store_id = ${storeId} and c.profile_id = w.id and c.channel = h.channel
    where l.status = 'subscribed' and (c.status is distinct from 'unsubscribed' or c.changed_at < l.changed_at)`.execute(
    tx,
  );
  return new Set(rows.map(({ profileId }) => profileId));
}

function partsOf<Item>(items: readonly Item[]): Item[][] {
  const parts = [];
  for (let n = 0; n < items.length; n += MAX_AT_ONCE) parts.push(items.slice(n, n + MAX_AT_ONCE));
  return parts;
}
