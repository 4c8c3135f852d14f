import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { countProfiles } from '../../reading/draw-profiles.ts';
import { type Evaluation, evaluate, type Verdicts } from '../evaluate.ts';
import { type Appointments, addAppointments, countOf, enterAll, noteDue, readMembers } from './apply.ts';
import { fail, failTooLarge, failWith } from './fail.ts';
import { firstPartition } from './find-expired.ts';
import { finish } from './finish-build.ts';
import { type GenerationRef, keyOf } from './generations.ts';
import { withSegments } from './lock.ts';
import { type KeptSegment, loadSegments, type OpenBuild } from './segments.ts';
import { setAside } from './set-aside.ts';
import { differenceOf, type Staging, writeStagings } from './stage.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';
import type { SegmentWork } from './work.ts';

/**
 * Builds one range of segments that have come equally far: the next customers in the order of their ids, whose events are
 * read once for all of them. Whoever has come meanwhile, with the changes of those who are done, is up to those who follow
 * changes. After the last one the new members serve. Returns undefined if another process works on the store's segments;
 * throws `OutOfTime` if the customers are too many for one transaction, one of whom alone is set aside.
 */
export async function buildRange(
  db: Sql,
  storeId: string,
  shared: SegmentTools,
  range: number,
): Promise<{ isMore: boolean; customers: number } | undefined> {
  const built = await withSegments(db, storeId, shared, async (tx, tools): Promise<Built> => {
    const segments = await loadSegments(tx, storeId, tools.generations);
    const next = nextToBuild(segments);
    if (next.length === 0) return { isMore: false };
    const isFailing = await failWithNamed(tx, storeId, next, segments);
    if (isFailing) return { isMore: true };
    const [{ build: first }] = next as [Building];
    if (!first.isStarted) {
      await start(tx, storeId, next, tools);
      return { isMore: true };
    }
    const ids = await nextProfiles(tx, storeId, first.afterProfileId, range);
    if (ids.length > 0) {
      await evaluateRange(tx, storeId, next, ids, tools);
      return { isMore: true, customers: ids.length, work: [{ evaluated: ids.length }] };
    }
    const work: Partial<SegmentWork>[] = [];
    for (const { segment, build } of next) {
      const done = await finish(tx, storeId, segment, build, tools);
      if (!done) throw new GivenUp();
      work.push(done);
    }
    return { isMore: true, work };
  }).catch((error): Built => {
    if (error instanceof GivenUp) return { isMore: true };
    throw error;
  });
  for (const work of built?.work ?? []) shared.work.add(work);
  return built && { isMore: built.isMore, customers: built.customers ?? 0 };
}

interface Building {
  segment: KeptSegment;
  build: OpenBuild;
}

interface Built {
  isMore: boolean;
  /** Who were evaluated. */
  customers?: number;
  work?: Partial<SegmentWork>[];
}

/** Somebody has changed or deleted the segment: what is built now is another one. */
class GivenUp extends Error {}

/**
 * Those that name no segment that is still to be built, and have come as far as the first one. Those that have begun come
 * first; the others begin together.
 */
function nextToBuild(segments: readonly KeptSegment[]): Building[] {
  const waiting = new Set(segments.filter(({ build }) => build).map(({ id }) => id));
  const ready = segments.flatMap((segment) => {
    const { build } = segment;
    return build && ![...build.uses.segments].some((id) => waiting.has(id)) ? [{ segment, build }] : [];
  });
  const begun = ready.filter(({ build }) => build.isStarted);
  const after = begun[0]?.build.afterProfileId;
  return after === undefined ? ready : begun.filter(({ build }) => build.afterProfileId === after);
}

/** Has those fail that name a segment which has failed. Returns whether there were any. */
async function failWithNamed(
  tx: Sql,
  storeId: string,
  next: readonly Building[],
  segments: readonly KeptSegment[],
): Promise<boolean> {
  let isFailing = false;
  for (const { segment, build } of next) {
    const named = segments.find(({ id, hasFailed }) => hasFailed && build.uses.segments.has(id));
    if (!named) continue;
    await failWith(tx, storeId, segment.id, named.id);
    isFailing = true;
  }
  return isFailing;
}

async function start(tx: Sql, storeId: string, next: readonly Building[], tools: TransactionTools): Promise<void> {
  const builds = next.map(({ build }) => build);
  const { profiles } = await countProfiles(tx, storeId);
  await sql`
    update segment_build b
    set started_at = ${new Date(tools.now()).toISOString()}::timestamptz, first_partition = ${await firstPartition(tx)},
      total = ${profiles}::int
    from unnest(
      ${uuids(builds.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(builds.map(({ generation }) => generation))}::int[]) as w (segment_id, generation)
    where b.store_id = ${storeId} and b.segment_id = w.segment_id and b.generation = w.generation`.execute(tx);
}

async function nextProfiles(tx: Sql, storeId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from profile where store_id = ${storeId} and id > ${after}::uuid order by id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Evaluates the next customers, and enters those who are members of what is being built: nobody is one so far. */
async function evaluateRange(
  tx: Sql,
  storeId: string,
  next: readonly Building[],
  ids: readonly string[],
  tools: TransactionTools,
): Promise<void> {
  const now = tools.now();
  const evaluables = next.map(({ build }) => ({ key: keyOf(build), definition: build.definition }));
  const evaluation = await evaluate(tx, evaluables, ids, { storeId, now, left: tools.left });
  const evaluated = await withoutFailed(tx, storeId, next, ids, evaluation, tools);
  const inside = evaluated.map(({ build }) => membersBy(evaluation.verdicts.get(keyOf(build))));
  await enterAll(
    tx,
    storeId,
    evaluated.map(({ build }, i) => ({ ...build, inside: [...(inside[i] as Set<string>)] })),
    now,
  );
  const serving = evaluated.map(({ segment: { id, generation } }) => ({ segmentId: id, generation }));
  const current = await readMembers(tx, storeId, serving, ids);
  const stagings = evaluated.map(({ build }, i): Staging => {
    const [old, members] = [
      current.get(keyOf(serving[i] as GenerationRef)) ?? new Set<string>(),
      inside[i] as Set<string>,
    ];
    const changes = differenceOf(old, members);
    return { build, changes, members: members.size, ...countOf(changes) };
  });
  const reached = { after: ids.at(-1) as string, profiles: ids.length };
  if (!(await writeStagings(tx, storeId, stagings, reached))) throw new GivenUp();
  const appointments: Appointments = new Map();
  for (const verdicts of evaluation.verdicts.values()) addAppointments(appointments, verdicts);
  await noteDue(tx, storeId, appointments);
}

function membersBy(verdicts: Verdicts = new Map()): Set<string> {
  return new Set([...verdicts].filter(([, { isMember }]) => isMember).map(([id]) => id));
}

/** Has those fail that can't be evaluated for somebody, sets one customer aside who takes too long, and returns the others. */
async function withoutFailed(
  tx: Sql,
  storeId: string,
  next: readonly Building[],
  ids: readonly string[],
  { failed, tooLarge }: Evaluation,
  tools: TransactionTools,
): Promise<Building[]> {
  const gone = new Set<string>();
  for (const { segment, build } of next) {
    const failure = failed.get(keyOf(build));
    if (!failure) continue;
    await fail(tx, storeId, [], { id: segment.id, ...failure }, tools);
    gone.add(segment.id);
  }
  const lacking = next.filter(({ build }) => tooLarge.has(keyOf(build))).map(({ segment }) => segment.id);
  const excess = lacking.length > 0 ? await setAside(tx, storeId, ids[0] as string, lacking, tools) : [];
  for (const id of excess) {
    await failTooLarge(tx, storeId, [], id, tools);
    gone.add(id);
  }
  return next.filter(({ segment }) => !gone.has(segment.id));
}
