import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { MAX_HISTORY, Total } from '../../conditions/history.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion } from '../../conditions/subject.ts';
import { EVENT_COLUMNS, type EventRow, eventFromRow } from '../../event.ts';
import { HAS_GAP, unreadEntries } from '../../feed/readers.ts';
import { findMatch } from '../core/machine/matching.ts';
import type { LookBackQuestion } from '../core/machine/need.ts';
import { READER } from './automations.ts';
import { toCustomerEvent } from './customer-event.ts';
import { EventScan, scanOn } from './event-scan.ts';

export type Asked<Question> = Question & { profileId: string };

/** Events that one statement reads. */
const MAX_READ = 200;

interface Counting {
  scan: EventScan;
  question: HistoryQuestion;
  total: Total;
  /** Of those that need not be read. */
  count: number;
}

/**
 * Counts events of customers, each up to what its question needs, or adds up what they come to. The latest come first, so
 * that what somebody has done lately is known at once.
 */
export async function countEventsOf(
  db: Sql,
  storeId: string,
  questions: readonly Asked<HistoryQuestion>[],
): Promise<HistoryCount[]> {
  const all = questions.map((question): Counting => {
    const { profileId, eventType, from, to, fromClient = false, except, enough } = question;
    const wanted = { profileId, types: [eventType], from, to, fromClient };
    const isBounded = !isRead(question) && Number.isFinite(enough);
    const most = isBounded ? enough + (except === undefined ? 0 : 1) : undefined;
    return { scan: new EventScan(wanted, 'last', most), question, total: new Total(question), count: 0 };
  });
  const take = async (some: readonly Counting[]) => {
    for (const one of some) one.count += one.scan.fresh.filter((id) => id !== one.question.except).length;
    await readInTurns(
      db,
      storeId,
      some.flatMap(({ question, scan, total }) => (isRead(question) ? [{ ids: scan.fresh, total }] : [])),
      ({ total }, event) => {
        total.add(event);
        return !total.isEnough;
      },
    );
  };
  await scanOn(db, storeId, all, take, (one) => counted(one) >= one.question.enough);
  return all.map((one) => {
    const { question, scan, total, count } = one;
    if (counted(one) >= question.enough) return question.enough;
    if (scan.isTooLong) return 'too_long';
    return isRead(question) ? total.answer : count;
  });
}

function isRead({ filter, measure }: HistoryQuestion): boolean {
  return filter !== undefined || measure !== undefined;
}

function counted({ question, total, count }: Counting): number {
  return isRead(question) ? (total.value ?? 0) : count;
}

interface LookingBack {
  scan: EventScan;
  question: LookBackQuestion;
  ids: readonly string[];
  found: CustomerEvent | null;
}

/** Finds for each question the event that fits and arrived first: ids are drawn then. */
export async function lookBackAt(
  db: Sql,
  storeId: string,
  questions: readonly Asked<LookBackQuestion>[],
): Promise<(CustomerEvent | 'too_long' | null)[]> {
  const all = questions.map((question): LookingBack => {
    const { profileId, matches, from } = question;
    const wanted = { profileId, types: matches.map((match) => match.event_type), from, to: null, fromClient: true };
    return { scan: new EventScan(wanted, 'first'), question, ids: [], found: null };
  });
  const unread = await findUnread(db, storeId, questions);
  const gather = async (some: readonly LookingBack[]) => {
    for (const one of some) one.ids = [...one.ids, ...one.scan.fresh];
  };
  await scanOn(
    db,
    storeId,
    all.filter((_, i) => !unread.has(i)),
    gather,
    () => false,
  );
  for (const [i, one] of all.entries()) one.ids = (unread.get(i) ?? one.ids).toSorted();
  await readInTurns(db, storeId, all, (one, event) => {
    if (findMatch(one.question, event) < 0) return true;
    one.found = event;
    return false;
  });
  return all.map(({ scan, found }) => found ?? (scan.isTooLong ? 'too_long' : null));
}

/** Hands over events by their ids, in turns, until `wantsMore` says no. */
async function readInTurns<Own extends { ids: readonly string[] }>(
  db: Sql,
  storeId: string,
  all: readonly Own[],
  wantsMore: (one: Own, event: CustomerEvent) => boolean,
): Promise<void> {
  let open = all.map((own) => ({ own, ids: own.ids, next: 0 }));
  for (;;) {
    open = open.filter(({ ids, next }) => next < ids.length);
    if (open.length === 0) return;
    const each = Math.max(1, Math.floor(MAX_READ / open.length));
    const turns = open.slice(0, MAX_READ).map((one) => ({ one, ids: one.ids.slice(one.next, one.next + each) }));
    const events = await readEvents(
      db,
      storeId,
      turns.flatMap(({ ids }) => ids),
    );
    for (const { one, ids } of turns) {
      one.next += ids.length;
      for (const id of ids) {
        const event = events.get(id);
        if (!event || wantsMore(one.own, event)) continue;
        one.next = one.ids.length;
        break;
      }
    }
  }
}

async function readEvents(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, CustomerEvent>> {
  const { rows } = await sql<EventRow>`
    select ${EVENT_COLUMNS}
    from ${rowsById('event', storeId, [...new Set(ids)])} e`.execute(db);
  return new Map(rows.map((row) => [row.id, toCustomerEvent(eventFromRow(row))]));
}

/**
 * Finds the events that may answer questions, by their numbers, for which events are enough that nobody has read: however many the
 * customer has, these are few. Where they are not, or some were deleted before anybody read them, there is no answer here.
 */
async function findUnread(
  db: Sql,
  storeId: string,
  questions: readonly Asked<LookBackQuestion>[],
): Promise<Map<number, string[]>> {
  const asking = [...questions.keys()].filter((i) => questions[i]?.isUnread);
  if (asking.length === 0) return new Map();
  const profiles = uuids([...new Set(asking.map((i) => (questions[i] as Asked<LookBackQuestion>).profileId))]);
  const reader = { storeId, name: READER };
  const { rows } = await sql<{ count: number; hasGap: boolean; found: string }>`
    with unread as materialized (
      select unnest(ids) as id
      from ${unreadEntries(reader, sql`a.ids`, MAX_HISTORY + 1, sql`a.kind = 'event'`)} as entries
      limit ${sql.lit(MAX_HISTORY + 1)}
    )
    select count(*)::int as count,
      exists (
        select from feed_reader r join feed_head h on h.store_id = r.store_id
        where r.store_id = ${storeId} and r.name = ${READER} and ${HAS_GAP}
      ) as "hasGap",
      coalesce(
        string_agg(e.profile_id || ' ' || e.id, ',') filter (where e.profile_id = any(${profiles}::uuid[])), '')
        as found
    from unread
    left join lateral (
      select id, profile_id from event where store_id = ${storeId} and id = unread.id limit 1
    ) e on true`.execute(db);
  const [{ count, hasGap, found }] = rows as [(typeof rows)[number]];
  if (count > MAX_HISTORY || hasGap) return new Map();
  const pairs = found === '' ? [] : found.split(',').map((pair) => pair.split(' ') as [string, string]);
  const byProfile = Map.groupBy(pairs, ([profileId]) => profileId);
  return new Map(
    asking.map((i) => {
      const own = byProfile.get((questions[i] as Asked<LookBackQuestion>).profileId) ?? [];
      return [i, own.map(([, id]) => id)];
    }),
  );
}
