import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { expectNoAutomationNames } from '../automations/stored/unnamed.ts';
import { expectNoCampaignNames } from '../campaigns/stored/named.ts';
import type { Audience } from '../conditions/audience.ts';
import { always, type Once } from '../kept-answers.ts';
import { LIST_COLUMNS, type List, type ListRow, listFromRow } from '../lists/lists.ts';
import { findSegment, type SegmentWithDefinition } from '../segments/find-segments.ts';
import { expectNoSegmentNames } from '../segments/named.ts';
import { giveUpBuilds } from '../segments/request-build.ts';
import { changeSegments } from '../segments/segments.ts';

/** All that may name a list or a segment, in the order in which it is reported: neither knows of what names it. */
const REFERENCES: readonly ((tx: Sql, storeId: string, audience: Audience) => Promise<void>)[] = [
  expectNoSegmentNames,
  expectNoAutomationNames,
  expectNoCampaignNames,
];

/** Throws `validation_error` if something names it: without it that would have no answer. The caller holds its row. */
async function expectUnnamed(tx: Sql, storeId: string, audience: Audience): Promise<void> {
  for (const expectNone of REFERENCES) await expectNone(tx, storeId, audience);
}

/**
 * Deletes a list, and returns it as it was; undefined if the store has no such list. Its members are deleted afterwards,
 * by `deleteMembersOfDeleted`. Throws `validation_error` if a segment, an automation or a campaign names it.
 */
export async function deleteList(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<List | undefined> = always,
): Promise<List | undefined> {
  const remove = async (tx: Sql) => {
    // Whoever creates a segment that names it, or publishes such an automation, waits until it is gone.
    await sql`select from list where store_id = ${storeId} and id = ${id} for update`.execute(tx);
    await expectUnnamed(tx, storeId, { kind: 'list', id });
    return await deleteUnnamed(tx, storeId, id);
  };
  return await db.transaction().execute((tx) => once(tx, () => remove(tx)));
}

async function deleteUnnamed(tx: Sql, storeId: string, id: string): Promise<List | undefined> {
  const { rows } = await sql<ListRow>`
    with deleted as (
      delete from list where store_id = ${storeId} and id = ${id} returning *
    ), left_over as (
      insert into list_deletion (store_id, list_id, deleted_at, reached)
      select store_id, id, clock_timestamp(), ${LOWEST_ID}::uuid from deleted where members > 0
    )
    select ${LIST_COLUMNS} from deleted`.execute(tx);
  return rows[0] && listFromRow(rows[0]);
}

/**
 * Deletes a segment, and returns it as it was; undefined if the store has none. Its members and changes are deleted
 * later. Throws `validation_error` if another one, an automation or a campaign names it.
 */
export async function deleteSegment(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<SegmentWithDefinition | undefined> = always,
): Promise<SegmentWithDefinition | undefined> {
  const remove = async (tx: Sql) => {
    // Whoever publishes an automation that names it waits until it is gone.
    await sql`select from segment where store_id = ${storeId} and id = ${id} for update`.execute(tx);
    await expectUnnamed(tx, storeId, { kind: 'segment', id });
    const segment = await findSegment(tx, storeId, id);
    const { rows } = await sql<{ lastGeneration: number }>`
      delete from segment where store_id = ${storeId} and id = ${id}
      returning last_generation as "lastGeneration"`.execute(tx);
    const [deleted] = rows;
    if (!deleted) return undefined;
    await giveUpBuilds(tx, storeId, sql`${uuids([id])}::uuid[]`);
    await sql`
      insert into segment_leftover (store_id, segment_id, generation, kind)
      values (${storeId}, ${id}, ${deleted.lastGeneration + 1}, 'segment')`.execute(tx);
    return segment;
  };
  return await changeSegments(db, storeId, (tx) => once(tx, () => remove(tx)));
}
