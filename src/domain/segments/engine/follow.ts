import type { Sql } from '../../../db/sql.ts';
import { type Evaluable, evaluate, type Verdicts } from '../evaluate.ts';
import { type Appointments, addAppointments, type Move, moveMembers, moveServing } from './apply.ts';
import { stageChanges } from './build.ts';
import { fail } from './fail.ts';
import { type DirtyProfiles, type Moved, type Origin, originOf } from './origin.ts';
import { type KeptSegment, keyOf } from './segments.ts';
import type { SegmentTools } from './tools.ts';

/**
 * Evaluates the segments that changes may concern, those that are named by others first, and moves their members.
 * Customers who enter or leave a segment are looked at again for those that name it, which they enter or leave by the same
 * cause. Returns when to look at whom again.
 */
export async function follow(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  dirty: DirtyProfiles,
  tools: SegmentTools,
): Promise<Appointments> {
  const now = tools.now();
  const appointments: Appointments = new Map();
  const moved: Moved = new Map();
  for (const group of independent(segments)) {
    const evaluations = group.map((segment) => ({ segment, profileIds: concerned(segment, dirty, moved) }));
    for (const { profileIds, ofThese } of bySameProfiles(evaluations)) {
      const generations = ofThese.flatMap(({ serving, build }) => [serving ?? [], build ?? []].flat());
      const evaluables = generations.map((one): Evaluable => ({ key: keyOf(one), definition: one.definition }));
      const { verdicts, failed } = await evaluate(tx, evaluables, [...profileIds], { storeId, now });
      for (const segment of ofThese) {
        const failure = [segment.serving, segment.build].flatMap((one) => (one && failed.get(keyOf(one))) ?? [])[0];
        if (failure) {
          await fail(tx, storeId, segment, failure, tools);
          continue;
        }
        const originOfMove = (profileId: string) => originOf(profileId, segment, dirty, moved);
        const moves = await moveOne(tx, storeId, segment, verdicts, { now, originOf: originOfMove });
        if (moves.length > 0) {
          moved.set(segment.id, new Map(moves.map(({ profileId }) => [profileId, originOfMove(profileId)])));
        }
        for (const one of [segment.serving, segment.build]) {
          const ofOne = one && verdicts.get(keyOf(one));
          if (ofOne) addAppointments(appointments, ofOne);
        }
      }
    }
  }
  return appointments;
}

/** Moves the members that serve, and those of the generation that is being built, as far as it has come. */
async function moveOne(
  tx: Sql,
  storeId: string,
  { id, serving, build, generation }: KeptSegment,
  verdicts: ReadonlyMap<string, Verdicts>,
  options: { now: number; originOf: (profileId: string) => Origin },
): Promise<Move[]> {
  const ofServing = serving && verdicts.get(keyOf(serving));
  const moves = ofServing ? await moveServing(tx, storeId, { segmentId: id, generation }, ofServing, options) : [];
  const ofBuild = build && verdicts.get(keyOf(build));
  if (!ofBuild) return moves;
  const built = new Map([...ofBuild].filter(([profileId]) => build.isStarted && profileId <= build.afterProfileId));
  if (built.size === 0) return moves;
  const moved = await moveMembers(tx, storeId, build, built, options.now);
  await stageChanges(tx, storeId, { build, serving: generation, profileIds: [...built.keys()], moved });
  return moves;
}

/** Groups of segments in their order, none of which names another of its group. */
function independent(segments: readonly KeptSegment[]): KeptSegment[][] {
  const groups: KeptSegment[][] = [];
  const levels = new Map<string, number>();
  for (const segment of segments) {
    const named = [...(segment.serving?.uses.segments ?? []), ...(segment.build?.uses.segments ?? [])];
    const level = Math.max(-1, ...named.map((id) => levels.get(id) ?? -1)) + 1;
    levels.set(segment.id, level);
    groups[level] ??= [];
    groups[level].push(segment);
  }
  return groups;
}

function concerned(segment: KeptSegment, dirty: DirtyProfiles, moved: Moved): Set<string> {
  const generations = [segment.serving ?? [], segment.build ?? []].flat();
  const profileIds = new Set<string>();
  if (generations.length === 0) return profileIds;
  for (const [id, reasons] of dirty) {
    if (reasons.some(({ touches }) => !touches || generations.some(touches))) profileIds.add(id);
  }
  for (const named of new Set(generations.flatMap(({ uses }) => [...uses.segments]))) {
    for (const id of moved.get(named)?.keys() ?? []) profileIds.add(id);
  }
  return profileIds;
}

/** Segments that concern the same customers are evaluated together. */
function bySameProfiles(
  evaluations: readonly { segment: KeptSegment; profileIds: Set<string> }[],
): { profileIds: Set<string>; ofThese: KeptSegment[] }[] {
  const groups = new Map<string, { profileIds: Set<string>; ofThese: KeptSegment[] }>();
  for (const { segment, profileIds } of evaluations) {
    if (profileIds.size === 0) continue;
    const key = [...profileIds].sort().join();
    const group = groups.get(key) ?? { profileIds, ofThese: [] };
    group.ofThese.push(segment);
    groups.set(key, group);
  }
  return [...groups.values()];
}
