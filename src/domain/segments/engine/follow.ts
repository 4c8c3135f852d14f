import { sql } from 'kysely';
import { integers, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { type Evaluable, evaluate, type Verdicts } from '../evaluate.ts';
import {
  type Appointments,
  addAppointments,
  type CurrentMembers,
  type Move,
  moveMembers,
  moveServing,
  noteDue,
  readMembers,
  type Serving,
} from './apply.ts';
import { fail, failTooLarge } from './fail.ts';
import { keyOf } from './generations.ts';
import { type DirtyProfiles, type Moved, type Origin, originOf, touches } from './origin.ts';
import type { KeptSegment } from './segments.ts';
import { setAside } from './set-aside.ts';
import { restage } from './stage.ts';
import type { TransactionTools } from './tools.ts';
import type { SegmentWork } from './work.ts';

export interface Followed {
  /** When to look at whom again. */
  appointments: Appointments;
  /** How many events of each customer were read. */
  events: Map<string, number>;
  work: Pick<SegmentWork, 'evaluated' | 'moves'>;
}

/**
 * Evaluates the segments that changes may concern, those that are named by others first, and moves their members.
 * Customers who enter or leave a segment are looked at again for those that name it, which they enter or leave by the same
 * cause. Throws `OutOfTime` if they are too many for one transaction, which then has to be rolled back; one alone is set
 * aside.
 */
export async function follow(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  dirty: DirtyProfiles,
  tools: TransactionTools,
): Promise<Followed> {
  const now = tools.now();
  const appointments: Appointments = new Map();
  const events = new Map<string, number>();
  const moved: Moved = new Map();
  for (const group of independent(segments)) {
    const evaluations = group.map((segment) => ({ segment, profileIds: concerned(segment, dirty, moved) }));
    for (const { profileIds, ofThese } of bySameProfiles(evaluations)) {
      const generations = ofThese.flatMap(({ serving, build }) => [serving ?? [], build ?? []].flat());
      const evaluables = generations.map((one): Evaluable => ({ key: keyOf(one), definition: one.definition }));
      const evaluation = await evaluate(tx, evaluables, [...profileIds], { storeId, now, left: tools.left });
      const { verdicts, failed, tooLarge } = evaluation;
      for (const [id, count] of evaluation.events) events.set(id, Math.max(count, events.get(id) ?? 0));
      const current = await readMembers(tx, storeId, generations, [...profileIds]);
      const lacking = ofThese.filter(({ serving, build }) =>
        [serving, build].some((one) => one && tooLarge.has(keyOf(one))),
      );
      await setAsideFor(tx, storeId, segments, lacking, profileIds, tools);
      const judged: Judgement[] = [];
      for (const segment of ofThese) {
        const failure = [segment.serving, segment.build].flatMap((one) => (one && failed.get(keyOf(one))) ?? [])[0];
        if (failure) await fail(tx, storeId, segments, { id: segment.id, ...failure }, tools);
        else judged.push({ segment, verdicts, originOf: (profileId) => originOf(profileId, segment, dirty, moved) });
      }
      const moves = await move(tx, storeId, judged, { now, current });
      for (const { segment, originOf: origin } of judged) {
        const ofSegment = moves.get(segment.id);
        if (ofSegment) {
          moved.set(segment.id, new Map(ofSegment.map(({ profileId }) => [profileId, origin(profileId)])));
        }
        for (const one of [segment.serving, segment.build]) {
          const ofOne = one && verdicts.get(keyOf(one));
          if (ofOne) addAppointments(appointments, ofOne);
        }
      }
    }
  }
  return { appointments, events, work: { evaluated: appointments.size, moves: countByCause(moved) } };
}

/** Sets the one customer aside who is too large for segments. */
async function setAsideFor(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  lacking: readonly KeptSegment[],
  [profileId]: Iterable<string>,
  tools: TransactionTools,
): Promise<void> {
  if (lacking.length === 0) return;
  const ids = lacking.map(({ id }) => id);
  const excess = await setAside(tx, storeId, profileId as string, ids, tools);
  for (const id of excess) await failTooLarge(tx, storeId, segments, id, tools);
}

function countByCause(moved: Moved): SegmentWork['moves'] {
  const moves: SegmentWork['moves'] = {};
  for (const ofSegment of moved.values()) {
    for (const { cause } of ofSegment.values()) moves[cause] = (moves[cause] ?? 0) + 1;
  }
  return moves;
}

/** Notes when to look again at whom. */
export async function noteFollowed(
  tx: Sql,
  storeId: string,
  { appointments, events }: Followed,
  now: number,
): Promise<void> {
  await noteDue(tx, storeId, appointments);
  await pauseLarge(tx, storeId, events, now);
}

/** What evaluation has found of a segment. */
interface Judgement {
  segment: KeptSegment;
  /** By generation. */
  verdicts: ReadonlyMap<string, Verdicts>;
  originOf: (profileId: string) => Origin;
}

/**
 * Moves the members that serve, and those of the generations that are being built, as far as these have come. Returns the
 * moves of those that serve, by segment.
 */
async function move(
  tx: Sql,
  storeId: string,
  judged: readonly Judgement[],
  options: { now: number; current: CurrentMembers },
): Promise<Map<string, Move[]>> {
  const serving = judged.flatMap(({ segment, verdicts: all, originOf }): Serving[] => {
    const verdicts = segment.serving && all.get(keyOf(segment.serving));
    return verdicts ? [{ segmentId: segment.id, generation: segment.generation, verdicts, originOf }] : [];
  });
  const moves = await moveServing(tx, storeId, serving, options);
  for (const { segment, verdicts } of judged) {
    const { build, generation } = segment;
    const ofBuild = build?.isStarted && verdicts.get(keyOf(build));
    if (!build || !ofBuild) continue;
    const built = new Map([...ofBuild].filter(([profileId]) => profileId <= build.afterProfileId));
    if (built.size === 0) continue;
    const moved = await moveMembers(tx, storeId, build, built, options);
    await restage(tx, storeId, { build, serving: generation, profileIds: [...built.keys()], moved });
  }
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
    if (!segment.setAside.has(id) && reasons.some((dirty) => generations.some((one) => touches(dirty, one))))
      profileIds.add(id);
  }
  for (const named of new Set(generations.flatMap(({ uses }) => [...uses.segments]))) {
    for (const id of moved.get(named)?.keys() ?? []) if (!segment.setAside.has(id)) profileIds.add(id);
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
    const key = [...profileIds].join();
    const group = groups.get(key) ?? { profileIds, ofThese: [] };
    group.ofThese.push(segment);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Events of one customer that are read again and again without a pause. */
const FEW_EVENTS = 250;
/** Milliseconds of pause for each event: to read one takes some microseconds. And the longest pause. */
const [PAUSE_MS, MAX_PAUSE_MS] = [6, 60_000];

/** Has customers left alone for a while of whom many events were read: `events` says how many, by their ids. */
async function pauseLarge(tx: Sql, storeId: string, events: ReadonlyMap<string, number>, now: number): Promise<void> {
  const large = [...events].filter(([, count]) => count > FEW_EVENTS);
  if (large.length === 0) return;
  const until = large.map(([, count]) => new Date(now + Math.min(MAX_PAUSE_MS, count * PAUSE_MS)));
  await sql`
    insert into segment_postponed (store_id, profile_id, events, not_before)
    select ${storeId}::uuid, * from unnest(
      ${uuids(large.map(([id]) => id))}::uuid[],
      ${integers(large.map(([, count]) => count))}::int[],
      ${timestamps(until)}::timestamptz[])
    on conflict (store_id, profile_id) do update
    set events = excluded.events, not_before = excluded.not_before`.execute(tx);
}
