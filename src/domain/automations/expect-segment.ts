import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { holdSegments } from '../segments/engine/lock.ts';
import { invalid } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import { segmentOf } from './core/definition/uses.ts';

/** The segment that a trigger names, while nobody can enter or leave it. */
export interface HeldSegment {
  id: string;
  /** Of the members that serve. */
  generation: number;
  /** The present by the clock of the database, as it prints it. */
  now: string;
}

/**
 * Returns the segment whose changes start runs, undefined if none do; nobody enters, leaves or deletes it until the
 * transaction ends, so that each change comes before the publication or after it. Throws `validation_error` unless the
 * store has it and keeps its members up to date.
 */
export async function expectSegment(
  tx: Sql,
  storeId: string,
  definition: Definition,
): Promise<HeldSegment | undefined> {
  const id = segmentOf(definition);
  if (id === null) return undefined;
  await holdSegments(tx, storeId);
  const { rows } = await sql<HeldSegment & { failure: string | null }>`
    select id, generation, failure, clock_timestamp()::text as now from segment
    where store_id = ${storeId} and id = ${id}
    for key share`.execute(tx);
  const [segment] = rows;
  const problem = !segment ? 'is not the id of a segment of the store' : problemOf(segment, definition);
  if (problem) throw invalid({ path: ['trigger', 'segment'], problem });
  return segment;
}

function problemOf(
  { generation, failure }: { generation: number; failure: string | null },
  { trigger }: Definition,
): string | undefined {
  if (failure !== null) return 'has failed; change it or have it built first';
  if (generation > 0 || trigger.type !== 'segment_entry' || !trigger.include_members) return undefined;
  return 'is built for the first time; with include_members, wait until its members are known';
}
