import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { OLDEST_UNREAD } from '../../feed/readers.ts';
import type { SkipDetail, SkipReason } from '../core/machine/skip.ts';
import { READER } from '../stored/automations.ts';
import type { Decided } from './candidate.ts';

/** Returns what was decided about triggers and is written down, by their ids: runs, and reasons that may change. */
export async function readDecisions(
  db: Sql,
  storeId: string,
  automationId: string,
  triggerIds: readonly string[],
): Promise<Map<string, Decided>> {
  if (triggerIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; runId: string | null; reason: SkipReason | null; detail: RawJson | null }>`
    select w.id, run.id as "runId", skip.reason, skip.detail
    from unnest(${texts(triggerIds)}::text[]) as w (id)
    left join lateral (
      select id from automation_run
      where store_id = ${storeId} and automation_id = ${automationId} and trigger_id = w.id limit 1
    ) run on true
    left join lateral (
      select reason, detail from automation_skip
      where store_id = ${storeId} and automation_id = ${automationId} and trigger_id = w.id limit 1
    ) skip on true
    where run.id is not null or skip.reason is not null`.execute(db);
  return new Map(
    rows.map(({ id, runId, reason, detail }) => [
      id,
      runId === null
        ? { made: 'skipped', reason: reason as SkipReason, detail: detail?.parse<SkipDetail>() ?? {} }
        : { made: 'entered', runId },
    ]),
  );
}

/** Returns when the oldest change of a store was written that automations have not come to yet, in milliseconds. */
export async function oldestUnread(db: Sql, storeId: string): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from ${OLDEST_UNREAD}) * 1000)::float8 as at
    from feed_reader r
    where r.store_id = ${storeId} and r.name = ${READER}`.execute(db);
  return rows[0]?.at ?? undefined;
}
