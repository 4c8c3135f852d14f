import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { findListsByName, type NamedList } from '../lists/find-by-name.ts';
import { joinList, leaveList, MAX_AT_ONCE } from '../lists/members.ts';
import { CHANNELS, type ConsentChange } from './consent.ts';

/**
 * Lets customers join and leave the lists of their choices, once these are recorded in the same transaction. Who opts in
 * to a list joins it unless they have opted out of it since; who opts out leaves it once no channel is subscribed to it.
 * A list that the store does not have is part of the consent only, and so is one that is full.
 */
export async function followLists(tx: Sql, storeId: string, changes: readonly ConsentChange[]): Promise<void> {
  const choices = changes.filter((change): change is Choice => change.listId !== undefined);
  const names = choices.map(({ listId }) => listId);
  const lists = await findListsByName(tx, storeId, names);
  const inOrder = [...lists].sort(([, a], [, b]) => (a.id < b.id ? -1 : 1));
  for (const [name, list] of inOrder) {
    const own = choices.filter(({ listId }) => listId === name);
    await followToList(tx, storeId, { name, ...list }, own);
  }
}

type Choice = ConsentChange & { listId: string };
/** `name` is what the choices call it. */
type ChosenList = NamedList & { name: string };

async function followToList(tx: Sql, storeId: string, list: ChosenList, choices: readonly Choice[]): Promise<void> {
  const profileIds = [...new Set(choices.map(({ profileId }) => profileId))];
  const subscribed = await findSubscribers(tx, storeId, list, profileIds);
  const joining = choices.filter(({ kind, profileId }) => kind === 'subscribed' && subscribed.has(profileId));
  for (const own of Map.groupBy(joining, ({ source, isHistorical }) => `${isHistorical} ${source}`).values()) {
    const [{ source, isHistorical }] = own as [Choice];
    for (const part of partsOf(own)) {
      const members = part.map(({ profileId, changedAt }) => ({ profileId, joinedAt: changedAt }));
      await joinList(tx, storeId, list.id, members, { how: 'subscription', source }, { isHistorical });
    }
  }
  const leaving = choices.filter(({ kind, profileId }) => kind === 'unsubscribed' && !subscribed.has(profileId));
  for (const part of partsOf(leaving)) {
    await leaveList(
      tx,
      storeId,
      list.id,
      part.map(({ profileId }) => profileId),
    );
  }
}

/**
 * Returns those of some profiles that are subscribed to a list, through any channel: neither by one of its names nor of
 * the whole channel have they opted out since.
 */
async function findSubscribers(
  tx: Sql,
  storeId: string,
  { name, id, sourceId }: ChosenList,
  profileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = [...new Set([name, id, ...(sourceId === null ? [] : [sourceId])])];
  const { rows } = await sql<{ profileId: string }>`
    select distinct w.id as "profileId"
    from unnest(${uuids(profileIds)}::uuid[]) as w (id)
    cross join unnest(${texts(CHANNELS)}::text[]) as h (channel)
    cross join lateral (
      select status, changed_at from consent_list
      where store_id = ${storeId} and profile_id = w.id and channel = h.channel and list_id = any(${texts(names)}::text[])
      -- Of two at the same time, the one to opt out.
      order by changed_at desc, status desc
      limit 1
    ) l
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
