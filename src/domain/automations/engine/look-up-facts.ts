import type { Sql } from '../../../db/sql.ts';
import { audienceKey } from '../../conditions/standing.ts';
import { assignCodes } from '../../coupons/codes/assign.ts';
import { countAgainstCaps } from '../../messages/core/counted-webhooks.ts';
import { countedKey, couponKey, type Facts, itemKey, questionKey } from '../core/machine/facts.ts';
import type { Need } from '../core/machine/need.ts';
import { countEventsOf, lookBackAt } from '../stored/history.ts';
import { lockRuns } from '../stored/runs.ts';
import { readConsents, readMemberships, readProfiles } from '../stored/standing.ts';
import { readItemFacts } from './item-facts.ts';

interface Asking {
  entrant: { profileId: string; facts: Facts };
  needs: readonly Need[];
}

/** Answers what entrants need to know, with a query or two of each kind for all of them. */
export async function lookUpFacts(db: Sql, storeId: string, asking: readonly Asking[]): Promise<void> {
  const ofKind = <Type extends Need['type']>(type: Type) =>
    asking.flatMap(({ entrant, needs }) =>
      needs.flatMap((need) => (need.type === type ? [{ entrant, need: need as Extract<Need, { type: Type }> }] : [])),
    );
  await addProfiles(db, storeId, ofKind('profile'));
  await addMemberships(db, storeId, ofKind('membership'));
  await addConsents(db, storeId, ofKind('consents'));
  const counts = ofKind('count');
  const counted = await countEventsOf(
    db,
    storeId,
    counts.map(({ entrant, need }) => ({ ...need.question, profileId: entrant.profileId })),
  );
  counts.forEach(({ entrant, need }, i) => {
    const answer = counted[i] as (typeof counted)[number];
    entrant.facts = {
      ...entrant.facts,
      counts: new Map(entrant.facts.counts).set(questionKey(need.question), answer),
    };
  });
  const lookBacks = ofKind('look_back');
  const found = await lookBackAt(
    db,
    storeId,
    lookBacks.map(({ entrant, need }) => ({ ...need.question, profileId: entrant.profileId })),
  );
  lookBacks.forEach(({ entrant, need }, i) => {
    const answer = found[i] as (typeof found)[number];
    entrant.facts = {
      ...entrant.facts,
      lookBacks: new Map(entrant.facts.lookBacks).set(questionKey(need.question), answer),
    };
  });
  await addItems(db, storeId, ofKind('item'));
  await addCoupons(db, storeId, ofKind('coupon'));
  await addCounted(db, storeId, ofKind('counted'));
  const runs = ofKind('run');
  const stored = await lockRuns(
    db,
    storeId,
    runs.map(({ need }) => need.id),
  );
  for (const { entrant, need } of runs) {
    const run = stored.find((one) => one.run.id === need.id)?.run ?? null;
    entrant.facts = { ...entrant.facts, runs: new Map(entrant.facts.runs).set(need.id, run) };
  }
}

async function addProfiles(db: Sql, storeId: string, asking: readonly Pick<Asking, 'entrant'>[]): Promise<void> {
  const profiles = await readProfiles(db, storeId, [...new Set(asking.map(({ entrant }) => entrant.profileId))]);
  for (const { entrant } of asking) {
    const profile = profiles.get(entrant.profileId) ?? { id: entrant.profileId, identifiers: {}, attributes: {} };
    entrant.facts = { ...entrant.facts, profile };
  }
}

async function addMemberships(
  db: Sql,
  storeId: string,
  asking: readonly (Pick<Asking, 'entrant'> & { need: Extract<Need, { type: 'membership' }> })[],
): Promise<void> {
  const questions = asking.map(({ entrant, need }) => ({ profileId: entrant.profileId, audience: need.audience }));
  const answers = await readMemberships(db, storeId, questions);
  asking.forEach(({ entrant, need }, i) => {
    const memberships = new Map(entrant.facts.memberships).set(audienceKey(need.audience), answers[i] ?? null);
    entrant.facts = { ...entrant.facts, memberships };
  });
}

/** Gives out codes, in the transaction that takes the runs further: a run that asks again gets the same. */
async function addCoupons(
  tx: Sql,
  storeId: string,
  asking: readonly (Pick<Asking, 'entrant'> & { need: Extract<Need, { type: 'coupon' }> })[],
): Promise<void> {
  const answers = await assignCodes(
    tx,
    storeId,
    asking.map(({ entrant: { profileId }, need: { poolId, runId } }) => ({ poolId, profileId, runId })),
  );
  asking.forEach(({ entrant, need }, i) => {
    const answer = answers[i] as (typeof answers)[number];
    const coupon =
      typeof answer === 'string'
        ? answer
        : { code: answer.code.code, poolId: need.poolId, expiresAt: answer.expiresAt?.getTime() ?? null };
    entrant.facts = { ...entrant.facts, coupons: new Map(entrant.facts.coupons).set(couponKey(need), coupon) };
  });
}

/** Counts webhooks as messages, in the transaction that takes the runs further. */
async function addCounted(
  tx: Sql,
  storeId: string,
  asking: readonly (Pick<Asking, 'entrant'> & { need: Extract<Need, { type: 'counted' }> })[],
): Promise<void> {
  const answers = await countAgainstCaps(
    tx,
    storeId,
    asking.map(({ entrant: { profileId }, need: { channel, runId, seq } }) => ({ profileId, channel, runId, seq })),
  );
  asking.forEach(({ entrant, need }, i) => {
    const counted = new Map(entrant.facts.counted).set(countedKey(need), answers[i] ?? null);
    entrant.facts = { ...entrant.facts, counted };
  });
}

/** As the catalog has them now. */
async function addItems(
  db: Sql,
  storeId: string,
  asking: readonly (Pick<Asking, 'entrant'> & { need: Extract<Need, { type: 'item' }> })[],
): Promise<void> {
  const refs = [...new Map(asking.map(({ need }) => [itemKey(need), need])).values()];
  const found = await readItemFacts(db, storeId, refs);
  const byKey = new Map(refs.map((ref, i) => [itemKey(ref), found[i] as (typeof found)[number]]));
  for (const { entrant, need } of asking) {
    const key = itemKey(need);
    const items = new Map(entrant.facts.items).set(key, byKey.get(key) as (typeof found)[number]);
    entrant.facts = { ...entrant.facts, items };
  }
}

async function addConsents(db: Sql, storeId: string, asking: readonly Pick<Asking, 'entrant'>[]): Promise<void> {
  const consents = await readConsents(db, storeId, [...new Set(asking.map(({ entrant }) => entrant.profileId))]);
  for (const { entrant } of asking)
    entrant.facts = { ...entrant.facts, consents: consents.get(entrant.profileId) ?? {} };
}
