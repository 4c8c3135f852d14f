import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { withCanonicalNumbers } from '../conditions/canonical-numbers.ts';
import type { Condition } from '../conditions/condition.ts';
import { type FormerCondition, inTodaysForm } from '../conditions/former.ts';
import { withReader } from '../feed/readers.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, invalidAll, ServiceError, type Violation } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { CURRENT_NIGHT } from './comparison/progress.ts';
import { problemsOf } from './core/check.ts';
import { type Uses, usesOf } from './core/uses.ts';
import { readDefinition } from './definition.ts';
import { READER } from './engine/reader.ts';
import { findSegment, type SegmentWithDefinition } from './find-segments.ts';
import { expectNamed, unknownNames } from './named.ts';
import { requestBuilds } from './request-build.ts';
import { expectScopesToDefine } from './scopes.ts';

/** Segments of one store. */
const MAX_SEGMENTS = 200;

export interface SegmentInput {
  name: string;
  /** In today's form or a former one, in which it is stored; telephone numbers as customers have them. */
  definition: FormerCondition;
}

/**
 * Creates a segment, whose members are then worked out. Throws `validation_error` if it can't be, and `forbidden` if the
 * caller may not read what it asks for.
 */
export async function createSegment(
  db: Sql,
  caller: Caller,
  { name, definition: given }: SegmentInput,
  once: Once<SegmentWithDefinition> = always,
): Promise<SegmentWithDefinition> {
  const { definition, stored } = await readGiven(db, caller, given);
  const { storeId } = caller;
  return await changeSegments(db, storeId, (tx) =>
    once(tx, async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from segment where store_id = ${storeId}`.execute(tx);
      if ((rows[0]?.count ?? 0) >= MAX_SEGMENTS) {
        const message = `The store already has ${MAX_SEGMENTS} segments; delete one first`;
        throw new ServiceError('validation_error', message);
      }
      const id = newId();
      await expectNamed(tx, storeId, id, definition);
      const { lists, segments } = usesOf(definition);
      await sql`
        insert into segment
          (store_id, id, name, definition, revision, generation, last_generation, members, list_ids, segment_ids,
            created_at, updated_at)
        values (${storeId}, ${id}, ${name}, ${stored}::json, 1, 0, 0, 0, ${uuids([...lists])}::uuid[],
          ${uuids([...segments])}::uuid[], now(), now())`.execute(tx);
      await requestBuilds(tx, storeId, [id], { reason: 'created', isStale: false });
      return (await findSegment(tx, storeId, id)) as SegmentWithDefinition;
    }),
  );
}

/**
 * Changes the name and the definition. While the new one is built, the old one serves. Returns undefined if the store has
 * no such segment; throws `validation_error` if somebody else has changed it since that revision, and `forbidden` as above.
 */
export async function reviseSegment(
  db: Sql,
  caller: Caller,
  { id, revision, name, definition: given }: SegmentInput & { id: string; revision: number },
  expectScopesOfDependents: (tx: Sql, caller: Caller, id: string) => Promise<void>,
): Promise<SegmentWithDefinition | undefined> {
  const { definition, stored } = await readGiven(db, caller, given);
  const { storeId } = caller;
  return await changeSegments(db, storeId, async (tx) => {
    const { rows } = await sql<{ name: string; revision: number; before: RawJson; served: RawJson | null }>`
      select name, revision, definition as before, served_definition as served
      from segment where store_id = ${storeId} and id = ${id} for update`.execute(tx);
    const [segment] = rows;
    if (!segment) return undefined;
    const isSame = isDeepStrictEqual(readDefinition(segment.before), definition);
    // A retry of what was done already.
    if (segment.revision === revision + 1 && isSame && segment.name === name) {
      return await findSegment(tx, storeId, id);
    }
    if (segment.revision !== revision) {
      throw invalid({ path: ['revision'], problem: 'is not the current one; the segment has been changed since' });
    }
    if (!isSame) await expectScopesOfDependents(tx, caller, id);
    await expectNamed(tx, storeId, id, definition);
    const uses = usesOf(definition);
    // What serves until then is asked for, too.
    const served: Pick<Uses, 'lists' | 'segments'> = segment.served
      ? usesOf(readDefinition(segment.served))
      : { lists: new Set(), segments: new Set() };
    await sql`
      update segment
      set name = ${name}, definition = ${stored}::json, revision = revision + 1, updated_at = now(),
        list_ids = ${uuids([...uses.lists.union(served.lists)])}::uuid[],
        segment_ids = ${uuids([...uses.segments.union(served.segments)])}::uuid[]
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    if (!isSame) await requestBuilds(tx, storeId, [id], { reason: 'changed', isStale: false });
    return await findSegment(tx, storeId, id);
  });
}

/** Has the members worked out anew. Returns undefined if the store has no such segment. */
export async function rebuildSegment(db: Sql, storeId: string, id: string): Promise<SegmentWithDefinition | undefined> {
  return await changeSegments(db, storeId, async (tx) => {
    const { rows } = await sql<{ isBuilding: boolean }>`
      select exists (
          select from segment_build b where b.store_id = s.store_id and b.segment_id = s.id and finished_at is null
        ) as "isBuilding"
      from segment s where store_id = ${storeId} and id = ${id} for update`.execute(tx);
    const [segment] = rows;
    if (!segment) return undefined;
    // One that is being built is not begun again: whoever asks twice would never see it done.
    if (!segment.isBuilding) await requestBuilds(tx, storeId, [id], { reason: 'requested', isStale: false });
    return await findSegment(tx, storeId, id);
  });
}

/** Throws `validation_error` with all that is wrong with a definition, which is in the field `definition`. */
export function expectValid(given: FormerCondition): void {
  const problems = problemsOf(given);
  if (problems.length === 0) return;
  throw invalidDefinition(problems);
}

function invalidDefinition(problems: readonly Violation[]): ServiceError {
  return invalidAll(problems.map((problem) => ({ ...problem, path: ['definition', ...problem.path] })));
}

/** Returns a definition that the caller may give to a segment, and what is stored of it, in the form in which it was given. */
async function readGiven(
  db: Sql,
  caller: Caller,
  given: FormerCondition,
): Promise<{ definition: Condition; stored: string }> {
  const problems = problemsOf(given);
  if (problems.length > 0) {
    const unknown = caller.scopes.has('audiences:read') ? await unknownNames(db, caller.storeId, given) : [];
    throw invalidDefinition([...problems, ...unknown]);
  }
  const canonical = withCanonicalNumbers(given, caller.country, (one) => [one]);
  const definition = inTodaysForm(canonical);
  expectScopesToDefine(caller, definition);
  return { definition, stored: JSON.stringify(canonical) };
}

/**
 * Changes segments of a store in a transaction, one at a time: what one names the other might delete. Their reader of the
 * change feed misses nothing that is committed afterwards.
 */
export async function changeSegments<Result>(
  db: Sql,
  storeId: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  const lock = (tx: Sql) =>
    sql`select pg_advisory_xact_lock(hashtext('footfall.segments'), hashtext(${storeId}))`.execute(tx);
  return await retryConflicts(db, () =>
    withReader(db, { storeId, name: READER }, lock, async (tx) => {
      await sql`
        insert into segment_store (store_id, compared_on) values (${storeId}, ${CURRENT_NIGHT})
        on conflict (store_id) do nothing`.execute(tx);
      return await work(tx);
    }),
  );
}
