import { sql } from 'kysely';
import { checkParsable, type RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { messageOfRun } from '../../messages/core/message-of-run.ts';
import type { TimelineEntry } from '../core/machine/timeline.ts';

/** Entries that are shown, and bytes of what they say, after which no further one is. */
const [MAX_ENTRIES, MAX_BYTES] = [1_000, 1024 * 1024];

/** An entry, with the delivery that it has queued, as long as that is kept, or the message. */
export type ShownEntry = TimelineEntry & { deliveryId?: string; messageId?: string };

type Row = Pick<TimelineEntry, 'runId' | 'seq' | 'stepId' | 'at' | 'outcome'> & {
  detail: RawJson;
  deliveryId: string | null;
};

/** Returns the first entries of a run's timeline. */
export async function readTimeline(db: Sql, storeId: string, runId: string): Promise<ShownEntry[]> {
  const { rows } = await sql<Row>`
    select run_id as "runId", seq, step_id as "stepId", (extract(epoch from at) * 1000)::float8 as at, outcome, detail,
      (
        select d.id from webhook_delivery d
        where d.store_id = ${storeId} and d.run_id = ${runId} and d.seq = measured.seq
      ) as "deliveryId"
    from (
      select *, sum(octet_length(detail::text)) over (order by seq rows between unbounded preceding and 1 preceding)
        as before
      from (
        select * from automation_step where store_id = ${storeId} and run_id = ${runId}
        order by seq limit ${MAX_ENTRIES}
      ) as entry
    ) as measured
    where coalesce(before, 0) < ${MAX_BYTES}
    order by seq`.execute(db);
  checkParsable(rows.map(({ detail }) => detail));
  return rows.map(({ detail, deliveryId, ...row }) => {
    const messageId = row.outcome === 'message_queued' ? messageOfRun(row) : null;
    const ids = { ...(deliveryId !== null && { deliveryId }), ...(messageId !== null && { messageId }) };
    return { ...detail.parse<object>(), ...row, ...ids } as ShownEntry;
  });
}
