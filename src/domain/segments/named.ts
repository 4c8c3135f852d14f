import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { Condition } from '../conditions/condition.ts';
import type { FormerCondition } from '../conditions/former.ts';
import { leavesOf } from '../conditions/tree.ts';
import { invalid, invalidAll, type Violation } from '../service-error.ts';

/** Segments that may stand upon one another, the last one among them. */
export const MAX_LEVELS = 3;

/**
 * Throws `validation_error` if a definition names a list or a segment that there is not, or if segments would name one
 * another in a circle or beyond three levels. The lists stay until the transaction ends.
 */
export async function expectNamed(tx: Sql, storeId: string, id: string, definition: Condition): Promise<void> {
  const places = [...leavesOf(definition)].map(({ leaf, path }) => ({ leaf, path: ['definition', ...path] }));
  const lists = places.flatMap(({ leaf, path }) => ('list' in leaf ? [{ id: leaf.list.toLowerCase(), path }] : []));
  const found = await lockLists(tx, storeId, [...new Set(lists.map((list) => list.id))]);
  const wrong = lists.flatMap((list) => (found.has(list.id) ? [] : [missing([...list.path, 'list'], 'list')]));
  const named = places.flatMap(({ leaf, path }) =>
    'segment' in leaf ? [{ id: leaf.segment.toLowerCase(), path: [...path, 'segment'] }] : [],
  );
  if (named.length === 0 && !(await isNamed(tx, storeId, id))) {
    if (wrong.length > 0) throw invalidAll(wrong);
    return;
  }
  const { rows } = await sql<{ id: string; segmentIds: string[] }>`
    select id, segment_ids as "segmentIds" from segment where store_id = ${storeId}`.execute(tx);
  const graph = new Map(rows.map((row) => [row.id, row.segmentIds]));
  for (const one of named) {
    if (one.id === id) wrong.push({ path: one.path, problem: CIRCLE });
    else if (!graph.has(one.id)) wrong.push(missing(one.path, 'segment'));
  }
  if (wrong.length > 0) throw invalidAll(wrong);
  graph.set(
    id,
    named.map((one) => one.id),
  );
  const path = named[0]?.path ?? ['definition'];
  for (const one of named) {
    if (reaches(graph, one.id, id)) throw invalid({ path: one.path, problem: CIRCLE });
  }
  const levels = Math.max(...[...graph.keys()].map((each) => levelOf(graph, each)));
  if (levels > MAX_LEVELS) throw invalid({ path, problem: `leads to more than ${MAX_LEVELS} levels of segments` });
}

/** Returns which lists and segments a definition names that there are not, beside whatever else is wrong with it. */
export async function unknownNames(db: Sql, storeId: string, definition: FormerCondition): Promise<Violation[]> {
  const named = (['list', 'segment'] as const).flatMap((kind) =>
    [...leavesOf(definition)].flatMap(({ leaf, path }) => {
      const id = (leaf as Partial<Record<typeof kind, string>>)[kind];
      return id !== undefined && isId(id) ? [{ kind, id: id.toLowerCase(), path: [...path, kind] }] : [];
    }),
  );
  if (named.length === 0) return [];
  const ids = uuids([...new Set(named.map(({ id }) => id))]);
  const { rows } = await sql<{ id: string }>`
    select id from list where store_id = ${storeId} and id = any(${ids}::uuid[])
    union all
    select id from segment where store_id = ${storeId} and id = any(${ids}::uuid[])`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  return named.flatMap(({ kind, id, path }) => (known.has(id) ? [] : [missing(path, kind)]));
}

const CIRCLE = 'would make segments name one another in a circle';

function missing(path: Violation['path'], what: string): Violation {
  return { path, problem: `is not the id of a ${what} of the store` };
}

async function lockLists(tx: Sql, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from list where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

async function isNamed(tx: Sql, storeId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from segment where store_id = ${storeId} and ${id}::uuid = any(segment_ids) limit 1`.execute(tx);
  return rows.length > 0;
}

function reaches(graph: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  return (graph.get(from) ?? []).some((next) => next === to || reaches(graph, next, to));
}

function levelOf(graph: ReadonlyMap<string, readonly string[]>, id: string): number {
  return 1 + Math.max(0, ...(graph.get(id) ?? []).map((next) => levelOf(graph, next)));
}

/** Throws `validation_error` if segments of the store name a list or a segment. For a list, the caller holds its row. */
export async function expectNoSegmentNames(
  tx: Sql,
  storeId: string,
  { kind, id }: { kind: 'list' | 'segment'; id: string },
): Promise<void> {
  const column = sql.ref(kind === 'list' ? 'list_ids' : 'segment_ids');
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from segment where store_id = ${storeId} and ${id}::uuid = any(${column}) order by id limit 1`.execute(
    tx,
  );
  const [by] = rows;
  if (by) throw invalid({ path: ['id'], problem: `is named by the segment ${by.id} (${by.name}); change that first` });
}
