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
 * Changes the next messages from one on that wait, and returns from which to go on; undefined once all are changed. Those that
 * others hold are left to them: whoever claims a message does the same.
 */
export async function changeWaiting(
  db: Sql,
  storeId: string,
  campaign: Of,
  { where, set }: Change,
  from: string,
): Promise<string | undefined> {
  return await nextWaiting(campaign, from, async (range) => {
    const { rows } = await sql<{ count: number; last: string | null }>`
      with waiting as materialized (${waitingIn(storeId, campaign, range, sql`ctid as place, id`, where)}), changed as (
        update message m set ${set} from waiting s where m.ctid = s.place
      )
      select count(*)::int as count, (select id from waiting order by id desc limit 1) as last from waiting`.execute(
      db,
    );
    return rows[0];
  });
}

/** A part of the ids of a campaign: from one, and to before another. */
export interface IdRange {
  from: string;
  end: string;
}

/** The first messages of a part that wait, locked; as many as are changed in one statement. */
export function waitingIn(
  storeId: string,
  campaign: Of,
  { from, end }: IdRange,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select ${columns} from message n
    where store_id = ${storeId} and id >= ${from} and id < ${end} and source_id = ${campaign.id}
      and status = 'waiting' and ${where}
    order by id limit ${MOST}
    for update skip locked`;
}

/** Has something done with the messages of the next part; it returns how many it has found, and the last of them. */
export async function nextWaiting(
  campaign: Of,
  from: string,
  take: (range: IdRange) => Promise<{ count: number; last: string | null } | undefined>,
): Promise<string | undefined> {
  const [part, next] = partsFrom(campaign, from);
  if (!part) return undefined;
  const found = await take(part);
  return found?.count === MOST && found.last !== null ? found.last : next?.from;
}

/** A message that is not over. */
export interface OpenMessage {
  id: string;
  /** Whether nobody has it in hand. */
  isWaiting: boolean;
  /** Whether it waits for its time. */
  isLater: boolean;
  /** Whether it was put aside. */
  isParked: boolean;
}

/**
 * The first message from one on that is not over, of those which are meant, if it is in the next part; otherwise from which to
 * go on. Undefined if there is none.
 */
export async function nextOpen(
  db: Sql,
  storeId: string,
  campaign: Of,
  from: string,
  which: RawBuilder<unknown> = sql`true`,
): Promise<{ open: OpenMessage } | { from: string } | undefined> {
  const [part, next] = partsFrom(campaign, from);
  if (!part) return undefined;
  const { rows } = await sql<OpenMessage>`
    select id, status = 'waiting' as "isWaiting", status = 'waiting' and due_at > now() + interval '1 minute' as "isLater",
      due_at = 'infinity' as "isParked"
    from message
    where store_id = ${storeId} and id >= ${part.from} and id < ${part.end} and source_id = ${campaign.id}
      and due_at is not null and ${which}
    order by id limit 1`.execute(db);
  if (rows[0]) return { open: rows[0] };
  return next && { from: next.from };
}

/** Parts of the ids of a campaign, from `from` on. Hashes fill them evenly. */
function partsFrom({ startedAt, recipients }: Of, from: string): IdRange[] {
  const [lowest, end] = idsOfCampaign(startedAt);
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(recipients / MOST_LOOKED_AT)));
  const bounds = Array.from({ length: parts - 1 }, (_, i) => {
    const digits = Math.floor(((i + 1) * MOST_PARTS) / parts).toString(16);
    return `${lowest.slice(0, 14)}7${digits.padStart(3, '0')}-0000-000000000000`;
  });
  const starts = [lowest, ...bounds];
  const ends = [...bounds, end];
  return starts.flatMap((start, i): IdRange[] => {
    const partEnd = ends[i] as string;
    return partEnd > from ? [{ from: start < from ? from : start, end: partEnd }] : [];
  });
}
