/** What becomes of the messages of a campaign that wait, as it is paused, goes on, or is cancelled: some at a time. */
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { idsOfCampaign } from '../../messages/read.ts';

/** Messages that are changed in one statement, and of about how many one looks for them: it has to end in time. */
const [MOST, MOST_LOOKED_AT] = [2_000, 50_000];
/** Parts that the ids of a campaign can be divided into, by the first digits of their hashes. */
const MOST_PARTS = 16 ** 3;

interface Of {
  id: string;
  startedAt: Date;
  recipients: number;
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
  campaign: Of,
  { where, set }: Change,
  after: string,
): Promise<string | undefined> {
  for (const [lowest, end] of partsFrom(campaign, after)) {
    const { rows } = await sql<{ last: string | null }>`
      with waiting as materialized (
        select ctid as place, id from message
        where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id > ${after} and source_id = ${campaign.id}
          and status = 'waiting' and ${where}
        order by id limit ${MOST}
        for update skip locked
      ), changed as (
        update message m set ${set} from waiting s where m.ctid = s.place
      )
      select (select id from waiting order by id desc limit 1) as last`.execute(db);
    if (rows[0]?.last) return rows[0].last;
  }
  return undefined;
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
  campaign: Of,
  from: string,
  which: RawBuilder<unknown> = sql`true`,
): Promise<OpenMessage | undefined> {
  for (const [lowest, end] of partsFrom(campaign, from)) {
    const { rows } = await sql<OpenMessage>`
      select id, status = 'waiting' and due_at > now() + interval '1 minute' as "isLater", due_at = 'infinity' as "isParked"
      from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id >= ${from} and source_id = ${campaign.id}
        and due_at is not null and ${which}
      order by id limit 1`.execute(db);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** Parts of the ids of a campaign, from the one with `from` on: each from an id to before another. Hashes fill them evenly. */
function partsFrom({ startedAt, recipients }: Of, from: string): [lowest: string, end: string][] {
  const [lowest, end] = idsOfCampaign(startedAt);
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(recipients / MOST_LOOKED_AT)));
  const bounds = Array.from({ length: parts - 1 }, (_, i) => {
    const digits = Math.floor(((i + 1) * MOST_PARTS) / parts).toString(16);
    return `${lowest.slice(0, 14)}7${digits.padStart(3, '0')}-0000-000000000000`;
  });
  const starts = [lowest, ...bounds];
  const ends = [...bounds, end];
  return starts.flatMap((start, i): [string, string][] => {
    const partEnd = ends[i] as string;
    return partEnd > from ? [[start, partEnd]] : [];
  });
}
