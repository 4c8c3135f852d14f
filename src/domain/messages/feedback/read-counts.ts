import { sql } from 'kysely';
import type { FeedbackRecord } from '../../../db/entities/feedback.ts';
import type { Sql } from '../../../db/sql.ts';

/** How much came in for a sender lately. */
export interface FeedbackCounts extends Record<FeedbackRecord['kind'], number> {
  /** Of them, those of which the store has no message, and of answers those whose number no customer has. */
  unmatched: number;
  lastReceivedAt: Date | null;
}

/** Items that are counted, the latest, and the days of which. */
const [MOST, DAYS] = [10_000, 7];

/** Counts what was told of the messages of a sender: of the last 10,000 items those of seven days. */
export async function countFeedback(db: Sql, storeId: string, senderId: string): Promise<FeedbackCounts> {
  const count = (kind: FeedbackRecord['kind']) => sql`(count(*) filter (where is_recent and kind = ${kind}))::int`;
  const { rows } = await sql<Omit<FeedbackCounts, 'lastReceivedAt'> & { last: number | null }>`
    select ${count('delivered')} as delivered, ${count('deferred')} as deferred, ${count('bounced')} as bounced,
      ${count('complained')} as complained, ${count('unsubscribed')} as unsubscribed,
      ${count('subscribed')} as subscribed, ${count('help')} as help, ${count('replied')} as replied,
      (count(*) filter (where is_recent and message_id is null and is_known is not true))::int as unmatched,
      (extract(epoch from max(received_at)) * 1000)::float8 as last
    from (
      select kind, message_id, is_known, received_at, received_at > now() - make_interval(days => ${DAYS}::int) as is_recent
      from feedback
      where store_id = ${storeId} and sender_id = ${senderId}
      order by received_at desc limit ${MOST}
    ) latest`.execute(db);
  const { last, ...counts } = rows[0] as (typeof rows)[number];
  return { ...counts, lastReceivedAt: last === null ? null : new Date(last) };
}
