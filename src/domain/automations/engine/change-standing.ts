import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { CONFIRMING } from '../../confirmations/subscribe.ts';
import { chosenLists } from '../../consent/chosen-lists.ts';
import type { ChosenList, ConsentChange } from '../../consent/consent.ts';
import { withAwaiting } from '../../consent/consent-of-customers.ts';
import { followLists } from '../../consent/follow-lists.ts';
import { recordConsents } from '../../consent/record-consents.ts';
import { joinList, leaveList } from '../../lists/members.ts';
import { ServiceError } from '../../service-error.ts';
import { findProfileIds } from '../../write/look-up.ts';
import { isOfStanding, type StandingEffect } from '../core/machine/effects.ts';
import { RefusedEffects } from './carry-out.ts';
import type { Entrant } from './entrant.ts';

/** What a run changes; there is one such effect in a reaction at the most. */
interface Asked {
  profileId: string;
  effect: StandingEffect;
  /** What lists and consent say of where it came from. */
  source: string;
}

/**
 * Lets customers join and leave lists, and records what runs choose for them, by the rules that hold for requests. Throws
 * `RefusedEffects` if any is refused; the transaction must not be committed then. The last of what a transaction does beside
 * the runs: consent comes after profiles, and lists after that.
 */
export async function changeStanding(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  now: number,
): Promise<void> {
  const named = entrants.flatMap(({ automationId, profileId, reactions }) =>
    reactions.flatMap(({ effects }) =>
      effects
        .filter(isOfStanding)
        .map((effect): Asked => ({ profileId, effect, source: `automation:${automationId}` })),
    ),
  );
  if (named.length === 0) return;
  const asked = await ofOwners(tx, storeId, named);
  const lists = await findLists(tx, storeId, asked);
  const changes = asked.flatMap((one) => toChange(one, lists, now));
  const { decided, asked: unproven } = await withAwaiting(tx, storeId, changes, CONFIRMING);
  await recordConsents(tx, storeId, decided);
  await lockLists(tx, storeId, [...lists.keys()]);
  await followLists(tx, storeId, decided);
  for (const own of Map.groupBy(asked, keyOf).values()) await moveInList(tx, storeId, own, new Date(now));
  if (unproven.length > 0) await askToConfirm(tx, storeId, unproven, asked);
}

/** What is asked of those into whom customers were merged. A customer who is erased meanwhile is not written about. */
async function ofOwners(tx: Sql, storeId: string, asked: readonly Asked[]): Promise<Asked[]> {
  const owners = await findProfileIds(tx, storeId, [...new Set(asked.map(({ profileId }) => profileId))]);
  refuse(
    asked.filter(({ profileId }) => !owners.has(profileId)),
    'not_found',
  );
  return asked.map((one) => ({ ...one, profileId: owners.get(one.profileId) as string }));
}

async function findLists(tx: Sql, storeId: string, asked: readonly Asked[]): Promise<Map<string, ChosenList>> {
  const ids = [...new Set(asked.flatMap(({ effect }) => effect.listId ?? []))];
  const listOf = await chosenLists(tx, storeId, ids);
  const lists = new Map(ids.map((id) => [id, listOf(id)]));
  const isGone = (id: string | null) => id !== null && lists.get(id)?.sourceId === undefined;
  refuse(
    asked.filter(({ effect }) => isGone(effect.listId)),
    'list_deleted',
  );
  return lists;
}

function toChange(
  { profileId, effect, source }: Asked,
  lists: ReadonlyMap<string, ChosenList>,
  now: number,
): ConsentChange[] {
  if (!('channel' in effect)) return [];
  const { type, channel, listId, depth, chain } = effect;
  const kind = type === 'subscribe' ? 'subscribed' : 'unsubscribed';
  const list = listId === null ? undefined : lists.get(listId);
  const change = { profileId, channel, kind, changedAt: new Date(now), isNow: true, source } as const;
  return [{ ...change, list, isOfListOnly: kind === 'unsubscribed' && list !== undefined, led: { depth, chain } }];
}

/** All of them in the order of their ids, before any is changed. */
async function lockLists(tx: Sql, storeId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    select from list where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for update`.execute(tx);
}

/** What is the same of those who move together. */
function keyOf({ effect: { type, listId, depth }, source }: Asked): string {
  return JSON.stringify([type, listId, depth, source]);
}

async function moveInList(tx: Sql, storeId: string, asked: readonly Asked[], joinedAt: Date): Promise<void> {
  const [{ effect, source }] = asked as [Asked];
  if (effect.type !== 'add_to_list' && effect.type !== 'remove_from_list') return;
  const { listId, depth } = effect;
  const profileIds = [...new Set(asked.map(({ profileId }) => profileId))];
  const led = { depth, chains: new Map(asked.map((one) => [one.profileId, one.effect.chain])) };
  if (effect.type === 'remove_from_list') {
    await leaveList(tx, storeId, listId, profileIds, { led });
    return;
  }
  const joining = profileIds.map((profileId) => ({ profileId, joinedAt }));
  const joined = await joinList(tx, storeId, listId, joining, { how: 'api', source }, { led });
  refuse(
    asked.filter(({ profileId }) => joined?.get(profileId) === 'full'),
    'list_full',
  );
}

/** A store that has asked too many may ask again later. */
async function askToConfirm(
  tx: Sql,
  storeId: string,
  unproven: readonly ConsentChange[],
  asked: readonly Asked[],
): Promise<void> {
  try {
    await CONFIRMING.ask(tx, storeId, unproven);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const waiting = new Set(unproven.map(({ profileId }) => profileId));
    refuse(
      asked.filter(({ profileId, effect }) => effect.type === 'subscribe' && waiting.has(profileId)),
      error.code,
    );
  }
}

function refuse(refused: readonly Asked[], code: string): void {
  if (refused.length > 0) throw new RefusedEffects(new Map(refused.map(({ effect }) => [effect.runId, code])));
}
