import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
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

export type Asked<Question> = Question & { profileId: string };

/** Events of a customer that a question may be about, the one that occurred first at the beginning. */
interface Candidates {
  ids: string[];
  /** Whether the customer has more events in that time than may be read. */
  isTooLong: boolean;
}

interface Span {
  profileId: string;
  types: readonly string[];
  /** Milliseconds; null for all. */
  from: number | null;
  to: number | null;
  /** Whether events of pages and apps are candidates, too. */
  fromClient: boolean;
}

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
/** Events that one statement reads. */
const MAX_READ = 200;

/** Counts events of customers, each up to what its question needs, or adds up what they come to. */
export async function countEventsOf(
  db: Sql,
  storeId: string,
  questions: readonly Asked<HistoryQuestion>[],
): Promise<HistoryCount[]> {
  const spans = questions.map(({ profileId, eventType, from, to, fromClient = false }) => {
    return { profileId, types: [eventType], from, to, fromClient };
  });
  const candidates = await findCandidates(db, storeId, spans);
  const totals = questions.map((question) => new Total(question));
  const isRead = ({ filter, sumOf }: HistoryQuestion) => filter !== undefined || sumOf !== undefined;
  const toRead = questions.flatMap((question, i) => (isRead(question) ? [i] : []));
  await readInTurns(db, storeId, toRead, candidates, (i, event) => {
    const total = totals[i] as Total;
    total.add(event);
    return !total.isEnough;
  });
  return questions.map((question, i) => {
    const { ids, isTooLong } = candidates[i] as Candidates;
    const found = isRead(question) ? (totals[i] as Total).value : ids.filter((id) => id !== question.except).length;
    if (found >= question.enough) return question.enough;
    return isTooLong ? 'too_long' : found;
  });
}

/** Finds for each question the event that fits and occurred first. */
export async function lookBackAt(
  db: Sql,
  storeId: string,
  questions: readonly Asked<LookBackQuestion>[],
): Promise<(CustomerEvent | 'too_long' | null)[]> {
  const spans = questions.map(({ profileId, matches, from }) => {
    return { profileId, types: matches.map((match) => match.event_type), from, to: null, fromClient: true };
  });
  const unread = await findUnread(db, storeId, questions);
  const others = [...questions.keys()].filter((i) => !unread.has(i));
  const read = await findCandidates(
    db,
    storeId,
    others.map((i) => spans[i] as Span),
  );
  const candidates = [...questions.keys()].map((i) => unread.get(i) ?? (read[others.indexOf(i)] as Candidates));
  const found: (CustomerEvent | 'too_long' | null)[] = candidates.map(({ isTooLong }) =>
    isTooLong ? 'too_long' : null,
  );
  await readInTurns(db, storeId, [...questions.keys()], candidates, (i, event) => {
    if (findMatch(questions[i] as LookBackQuestion, event) < 0) return true;
    found[i] = event;
    return false;
  });
  return found;
}

/** Hands over the candidates of questions, by their numbers, until `wantsMore` says no. */
async function readInTurns(
  db: Sql,
  storeId: string,
  numbers: readonly number[],
  candidates: readonly Candidates[],
  wantsMore: (number: number, event: CustomerEvent) => boolean,
): Promise<void> {
  let open = numbers.map((number) => ({ number, ids: (candidates[number] as Candidates).ids, next: 0 }));
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
        if (!event || wantsMore(one.number, event)) continue;
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
 * Finds the candidates of questions, by their numbers, for which events are enough that nobody has read: however many the
 * customer has, these are few. Where they are not, or some were deleted before anybody read them, there is no answer here.
 */
async function findUnread(
  db: Sql,
  storeId: string,
  questions: readonly Asked<LookBackQuestion>[],
): Promise<Map<number, Candidates>> {
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
        string_agg(e.profile_id || ' ' || e.id, ',' order by e.occurred_at, e.id)
          filter (where e.profile_id = any(${profiles}::uuid[])), '') as found
    from unread
    left join lateral (
      select id, profile_id, occurred_at from event where store_id = ${storeId} and id = unread.id limit 1
    ) e on true`.execute(db);
  const [{ count, hasGap, found }] = rows as [(typeof rows)[number]];
  if (count > MAX_HISTORY || hasGap) return new Map();
  const pairs = found === '' ? [] : found.split(',').map((pair) => pair.split(' ') as [string, string]);
  const byProfile = Map.groupBy(pairs, ([profileId]) => profileId);
  return new Map(
    asking.map((i) => {
      const own = byProfile.get((questions[i] as Asked<LookBackQuestion>).profileId) ?? [];
      return [i, { ids: own.map(([, id]) => id), isTooLong: false }];
    }),
  );
}

/**
 * The types are looked at only after the limit, as the index has none: who has very many events of other types costs no
 * more than who has as many of these.
 */
async function findCandidates(db: Sql, storeId: string, spans: readonly Span[]): Promise<Candidates[]> {
  if (spans.length === 0) return [];
  const { rows } = await sql<{ n: number; ids: string; scanned: number }>`
    select w.n::int, e.ids, e.scanned
    from unnest(
      ${uuids(spans.map(({ profileId }) => profileId))}::uuid[],
      ${texts(spans.map(({ types }) => JSON.stringify(types)))}::text[],
      ${texts(spans.map(({ from }) => timeText(from)))}::text[],
      ${texts(spans.map(({ to }) => timeText(to)))}::text[],
      ${integers(spans.map(({ fromClient }) => (fromClient ? 1 : 0)))}::int[])
      with ordinality as w (profile_id, types, since, until, of_clients, n)
    cross join lateral (
      select count(*)::int as scanned,
        coalesce(string_agg(id::text, ',' order by occurred_at, id) filter (where
          case when w.types::jsonb ? event_type
            then w.of_clients = 1 or (source ->> 'client') is distinct from 'true'
            else false
          end), '') as ids
      from (
        select id, event_type, occurred_at, source from event
        where store_id = ${storeId} and profile_id = w.profile_id
          and occurred_at >= coalesce(w.since::timestamptz, '-infinity')
          and occurred_at <= coalesce(w.until::timestamptz, 'infinity')
        order by occurred_at, id
        limit ${sql.lit(MAX_HISTORY + 1)}
      ) as event
    ) e
    order by w.n`.execute(db);
  return rows.map(({ ids, scanned }) => ({
    ids: ids === '' ? [] : ids.split(','),
    isTooLong: scanned > MAX_HISTORY,
  }));
}

/** Null where that is as good as no limit: a duration may be longer than there is a calendar for. */
function timeText(ms: number | null): string | null {
  return ms === null || ms < YEAR_1 ? null : new Date(ms).toISOString();
}
