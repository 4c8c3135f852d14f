/** What becomes of the messages of a campaign that wait, as it is paused, goes on, or is cancelled: some at a time. */
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { idsOfCampaign } from '../../messages/read.ts';

/** Messages that are changed in one statement. */
const MOST = 2_000;

interface Of {
  id: string;
  startedAt: Date;
}

/** A change of messages that wait. */
export interface Change {
  where: RawBuilder<unknown>;
  set: RawBuilder<unknown>;
}

/** They are due at no time: nobody looks at them before it goes on. What is to go later keeps its time, until that comes. */
export const PARK: Change = { where: sql`due_at <= now()`, set: sql`due_at = 'infinity'` };
export const RELEASE: Change = { where: sql`due_at = 'infinity'`, set: sql`due_at = now()` };
export const CANCEL: Change = {
  where: sql`due_at is not null`,
  set: sql`status = 'cancelled', due_at = null, finished_at = now()`,
};

/**
 * Changes the next messages after one that wait, and returns the last of them; undefined if nothing more was found. Those that
 * others hold are left to them: whoever claims a message does the same.
 */
export async function changeWaiting(
  db: Sql,
  storeId: string,
  { id, startedAt }: Of,
  { where, set }: Change,
  after: string,
): Promise<string | undefined> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<{ last: string | null }>`
    with waiting as materialized (
      select ctid as place, id from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id > ${after} and source_id = ${id}
        and status = 'waiting' and ${where}
      order by id limit ${MOST}
      for update skip locked
    ), changed as (
      update message m set ${set} from waiting s where m.ctid = s.place
    )
    select (select id from waiting order by id desc limit 1) as last`.execute(db);
  return rows[0]?.last ?? undefined;
}

/** A message that is not over. */
export interface OpenMessage {
  id: string;
  /** Whether it waits for its time. */
  isLater: boolean;
  /** Whether it was put aside. */
  isParked: boolean;
}

/** The first message from one on that is not over, of those which are meant; undefined if there is none. */
export async function firstOpen(
  db: Sql,
  storeId: string,
  { id, startedAt }: Of,
  from: string,
  which: RawBuilder<unknown> = sql`true`,
): Promise<OpenMessage | undefined> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<OpenMessage>`
    select id, status = 'waiting' and due_at > now() + interval '1 minute' as "isLater", due_at = 'infinity' as "isParked"
    from message
    where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id >= ${from} and source_id = ${id}
      and due_at is not null and ${which}
    order by id limit 1`.execute(db);
  return rows[0];
}
