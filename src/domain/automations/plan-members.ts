import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId, LOWEST_ID } from '../../ids/uuid-v7.ts';
import { holdSegments } from '../segments/engine/lock.ts';
import type { Violation } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import { segmentOf } from './core/definition/uses.ts';

/** A version that is being published. */
interface NewVersion {
  automationId: string;
  number: number;
  definition: Definition;
}

/**
 * Has the members of a segment start one after the other, if the trigger says so and that of the version before did not:
 * whoever publishes a new text does not start everybody again.
 */
export async function planMembers(
  tx: Sql,
  storeId: string,
  { automationId, number, definition }: NewVersion,
  segment: HeldSegment | undefined,
): Promise<void> {
  const { rows } = await sql<{ definition: RawJson }>`
    select definition from automation_version
    where store_id = ${storeId} and automation_id = ${automationId} and number = ${number - 1}`.execute(tx);
  const before = rows[0]?.definition.parse<Definition>();
  const includes = (one: Definition) => one.trigger.type === 'segment_entry' && one.trigger.include_members === true;
  const isPlanned = segment && includes(definition);
  if (isPlanned && before && includes(before) && segmentOf(before) === segment.id) return;
  await sql`
    delete from automation_member_fill where store_id = ${storeId} and automation_id = ${automationId}`.execute(tx);
  if (!isPlanned) return;
  await sql`
    with marked as (
      update automation_version set members_before = ${segment.now}::timestamptz
      where store_id = ${storeId} and automation_id = ${automationId} and number = ${number}
    )
    insert into automation_member_fill
      (store_id, automation_id, version, segment_id, generation, since, after_profile_id)
    values (${storeId}, ${automationId}, ${number}, ${segment.id}, ${segment.generation}, ${segment.now}::timestamptz,
      ${LOWEST_ID})`.execute(tx);
}

/** The segment that a trigger names, while nobody can enter or leave it. */
export interface HeldSegment {
  id: string;
  /** Of the members that serve. */
  generation: number;
  /** Why its members are not kept up to date; null if they are. */
  failure: string | null;
  /** The present by the clock of the database, as it prints it. */
  now: string;
}

/**
 * Returns the segment whose changes start runs, undefined if none do or the store does not have it; nobody enters, leaves or
 * deletes it until the transaction ends, so that each change comes before the publication or after it.
 */
export async function holdSegment(tx: Sql, storeId: string, definition: Definition): Promise<HeldSegment | undefined> {
  const id = segmentOf(definition);
  if (id === null || !isId(id)) return undefined;
  await holdSegments(tx, storeId);
  const { rows } = await sql<HeldSegment>`
    select id, generation, failure, clock_timestamp()::text as now from segment
    where store_id = ${storeId} and id = ${id}
    for key share`.execute(tx);
  return rows[0];
}

/** Returns why its changes can't start runs: its members have to be kept up to date. */
export function segmentProblems(segment: HeldSegment | undefined, { trigger }: Definition): Violation[] {
  if (!segment) return [];
  const refused = (problem: string): Violation[] => [{ path: ['trigger', 'segment'], problem }];
  if (segment.failure !== null) return refused('has failed; change it or have it built first');
  if (segment.generation > 0 || trigger.type !== 'segment_entry' || !trigger.include_members) return [];
  return refused('is built for the first time; with include_members, wait until its members are known');
}
