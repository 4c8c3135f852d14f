import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly, unindexed } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { ClaimedMessage } from './claim.ts';

/** Keeps what messages say besides with each that nobody else has taken since. */
export async function keepContexts(db: Sql, storeId: string, messages: readonly ClaimedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    update message m set context = s.context::jsonb
    from (
      select s.*, found.ctid as place from unnest(
        ${uuids(messages.map(({ id }) => id))}::uuid[],
        ${integers(messages.map(({ claim }) => claim))}::int[],
        ${texts(messages.map(({ context }) => JSON.stringify(context)))}::text[]
      ) as s (id, claim, context)
      cross join lateral (
        select ctid from message where store_id = ${storeId} and ${exactly('id', 's.id')} order by id limit 1
      ) found
    ) as s
    where m.ctid = s.place and m.claim = s.claim and ${unindexed(sql`m.status = 'claimed'`)}`.execute(db);
}
