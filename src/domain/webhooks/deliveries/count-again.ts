import { type RawBuilder, sql } from 'kysely';
import { exactly } from '../../../db/rows.ts';

/** A statement that has webhooks of runs count from now on which are sent again: `sent` has `run_id` and `seq`. */
export function countAgain(storeId: string, sent: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update counted_webhook c set counted_at = clock_timestamp()
    from ${sent} s
    cross join lateral (
      select profile_id from automation_run
      where store_id = ${storeId} and ${exactly('id', 's.run_id')} order by id limit 1
    ) r
    where c.store_id = ${storeId} and c.profile_id = r.profile_id and c.channel in ('email', 'sms')
      and c.run_id = s.run_id and c.seq = s.seq`;
}
