import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { Definition } from './core/definition/definition.ts';
import { segmentOf } from './core/definition/uses.ts';
import type { HeldSegment } from './expect-segment.ts';

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
