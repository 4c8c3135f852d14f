import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { EVENT_COLUMNS, type EventRow, eventFromRow } from '../../event.ts';
import type { LookBackQuestion } from '../core/conditions/facts-needed.ts';
import { doesCount, MAX_HISTORY } from '../core/conditions/history.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion } from '../core/conditions/subject.ts';
import { findMatch } from '../core/machine/matching.ts';
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
}

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
/** Events that one statement reads. */
const MAX_READ = 200;

/** Counts events of customers, each up to what its question needs. */
export async function countEventsOf(
  db: Sql,
  storeId: string,
  questions: readonly Asked<HistoryQuestion>[],
): Promise<HistoryCount[]> {
  const spans = questions.map(({ profileId, eventType, from, to }) => ({ profileId, types: [eventType], from, to }));
  const candidates = await findCandidates(db, storeId, spans);
  const counts = candidates.map(({ ids }, i) => {
    const { filter, except } = questions[i] as HistoryQuestion;
    return filter ? 0 : ids.filter((id) => id !== except).length;
  });
  const filtered = questions.flatMap(({ filter }, i) => (filter ? [i] : []));
  await readInTurns(db, storeId, filtered, candidates, (i, event) => {
    const question = questions[i] as HistoryQuestion;
    if (doesCount(question, event)) counts[i] = (counts[i] as number) + 1;
    return (counts[i] as number) < question.enough;
  });
  return counts.map((count, i) => {
    const { enough } = questions[i] as HistoryQuestion;
    if (count >= enough) return enough;
    return (candidates[i] as Candidates).isTooLong ? 'too_long' : count;
  });
}

/** Finds for each question the event that fits and occurred first. */
export async function lookBackAt(
  db: Sql,
  storeId: string,
  questions: readonly Asked<LookBackQuestion>[],
): Promise<(CustomerEvent | 'too_long' | null)[]> {
  const spans = questions.map(({ profileId, matches, from }) => {
    return { profileId, types: matches.map((match) => match.event_type), from, to: null };
  });
  const candidates = await findCandidates(db, storeId, spans);
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
    from unnest(${uuids([...new Set(ids)])}::uuid[]) as w (id)
    cross join lateral (select * from event where store_id = ${storeId} and id = w.id limit 1) e`.execute(db);
  return new Map(rows.map((row) => [row.id, toCustomerEvent(eventFromRow(row))]));
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
      ${texts(spans.map(({ to }) => timeText(to)))}::text[]) with ordinality as w (profile_id, types, since, until, n)
    cross join lateral (
      select coalesce(string_agg(id::text, ',' order by occurred_at, id) filter (where w.types::jsonb ? event_type), '')
          as ids,
        count(*)::int as scanned
      from (
        select id, event_type, occurred_at from event
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
