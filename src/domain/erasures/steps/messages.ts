import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { noteChanged } from '../../campaign-counts.ts';
import { BATCH, type Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/**
 * Empties messages, which stay so that senders and campaigns count them, and deletes what was kept of them and of what came
 * back. One that waits is not sent. One that is being sent is left until that is over.
 */
export const sweepMessages: Step<Erasing> = async (tx, erasing) => {
  const { storeId, profileId } = erasing;
  const { rows } = await sql<{ id: string; source: string; sourceId: string | null }>`
    update message
    set profile_id = ${NOBODY}::uuid, address = null, response = null, context = null, is_awaited = false, due_at = null,
      finished_at = coalesce(finished_at, now()), status = case when status = 'waiting' then 'cancelled' else status end
    where store_id = ${storeId} and id = any(array(
      select id from message
      where store_id = ${storeId} and profile_id = ${profileId} and status not in ('claimed', 'sending')
      order by id limit ${BATCH}
      for update skip locked))
    returning id, source, source_id as "sourceId"`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const counts = { message: ids.length, ...(ids.length > 0 ? await deleteBeside(tx, storeId, ids) : {}) };
  await noteChanged(tx, storeId, rows);
  if (ids.length === BATCH) return { counts, next: 'more' };
  return { counts, next: null, waiting: await countLeft(tx, erasing) };
};

async function deleteBeside(tx: Sql, storeId: string, ids: readonly string[]): Promise<Record<string, number>> {
  const messages = sql`message_id = any(${uuids(ids)}::uuid[])`;
  const { rows } = await sql<{ mails: number; hits: number; feedback: number }>`
    with mail as (
      delete from outbox_message where store_id = ${storeId} and ${messages} returning 1
    ), hit as (
      delete from message_hit where store_id = ${storeId} and ${messages} returning 1
    ), told as (
      delete from feedback where store_id = ${storeId} and ${messages} returning 1
    )
    select (select count(*)::int from mail) as mails, (select count(*)::int from hit) as hits,
      (select count(*)::int from told) as feedback`.execute(tx);
  const [{ mails, hits, feedback }] = rows as [(typeof rows)[number]];
  return { outbox_message: mails, message_hit: hits, feedback };
}

async function countLeft(tx: Sql, { storeId, profileId }: Erasing): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from message where store_id = ${storeId} and profile_id = ${profileId}`.execute(tx);
  return rows[0]?.left ?? 0;
}
