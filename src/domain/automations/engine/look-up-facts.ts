import type { Sql } from '../../../db/sql.ts';
import { audienceKey } from '../../conditions/standing.ts';
import { type Facts, questionKey } from '../core/machine/facts.ts';
import type { Need } from '../core/machine/need.ts';
import { countEventsOf, lookBackAt } from '../stored/history.ts';
import { readProfiles } from '../stored/profiles.ts';
import { lockRuns } from '../stored/runs.ts';
import { readConsents, readMemberships } from '../stored/standing.ts';

interface Asking {
  lane: { profileId: string; facts: Facts };
  needs: readonly Need[];
}

/** Answers what lanes need to know, with a query or two of each kind for all of them. */
export async function lookUpFacts(db: Sql, storeId: string, asking: readonly Asking[]): Promise<void> {
  const ofKind = <Type extends Need['type']>(type: Type) =>
    asking.flatMap(({ lane, needs }) =>
      needs.flatMap((need) => (need.type === type ? [{ lane, need: need as Extract<Need, { type: Type }> }] : [])),
    );
  await addProfiles(db, storeId, ofKind('profile'));
  await addMemberships(db, storeId, ofKind('membership'));
  await addConsents(db, storeId, ofKind('consents'));
  const counts = ofKind('count');
  const counted = await countEventsOf(
    db,
    storeId,
    counts.map(({ lane, need }) => ({ ...need.question, profileId: lane.profileId })),
  );
  counts.forEach(({ lane, need }, i) => {
    const answer = counted[i] as (typeof counted)[number];
    lane.facts = { ...lane.facts, counts: new Map(lane.facts.counts).set(questionKey(need.question), answer) };
  });
  const lookBacks = ofKind('look_back');
  const found = await lookBackAt(
    db,
    storeId,
    lookBacks.map(({ lane, need }) => ({ ...need.question, profileId: lane.profileId })),
  );
  lookBacks.forEach(({ lane, need }, i) => {
    const answer = found[i] as (typeof found)[number];
    lane.facts = { ...lane.facts, lookBacks: new Map(lane.facts.lookBacks).set(questionKey(need.question), answer) };
  });
  const runs = ofKind('run');
  const stored = await lockRuns(
    db,
    storeId,
    runs.map(({ need }) => need.id),
  );
  for (const { lane, need } of runs) {
    const run = stored.find((one) => one.run.id === need.id)?.run ?? null;
    lane.facts = { ...lane.facts, runs: new Map(lane.facts.runs).set(need.id, run) };
  }
}

async function addProfiles(db: Sql, storeId: string, asking: readonly Pick<Asking, 'lane'>[]): Promise<void> {
  const profiles = await readProfiles(db, storeId, [...new Set(asking.map(({ lane }) => lane.profileId))]);
  for (const { lane } of asking) {
    const profile = profiles.get(lane.profileId) ?? { id: lane.profileId, identifiers: {}, attributes: {} };
    lane.facts = { ...lane.facts, profile };
  }
}

async function addMemberships(
  db: Sql,
  storeId: string,
  asking: readonly (Pick<Asking, 'lane'> & { need: Extract<Need, { type: 'membership' }> })[],
): Promise<void> {
  const questions = asking.map(({ lane, need }) => ({ profileId: lane.profileId, audience: need.audience }));
  const answers = await readMemberships(db, storeId, questions);
  asking.forEach(({ lane, need }, i) => {
    const memberships = new Map(lane.facts.memberships).set(audienceKey(need.audience), answers[i] as boolean);
    lane.facts = { ...lane.facts, memberships };
  });
}

async function addConsents(db: Sql, storeId: string, asking: readonly Pick<Asking, 'lane'>[]): Promise<void> {
  const consents = await readConsents(db, storeId, [...new Set(asking.map(({ lane }) => lane.profileId))]);
  for (const { lane } of asking) lane.facts = { ...lane.facts, consents: consents.get(lane.profileId) ?? {} };
}
