import { sql } from 'kysely';
import { inTime } from '../../../db/in-time.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Caller } from '../../caller.ts';
import { spellingsOf } from '../../conditions/event-types.ts';
import { countByInterval } from '../../reading/event-stats.ts';
import { drawInTime, shareBounds } from '../../reading/sampling.ts';
import { overloaded } from '../../service-error.ts';
import { compileFunnel, type FunnelPlace, type FunnelRow } from './compile-funnel.ts';
import type { FunnelSteps } from './steps.ts';

/** Events up to which all are looked at. */
const MAX_EVENTS = 400_000;
/** Customers drawn of more; the second is for where the first takes too long. */
const [MANY, FEW] = [50_000, 5_000];
/** Milliseconds for all of it, for all events, and for many customers. */
const [MAX_MS, EXACT_MS, MANY_MS] = [3_000, 1_500, 1_500];
/** What a statement is given at least. */
const MIN_MS = 200;

/** Between `low` and `high` with 95 %; all the same where it is exact. */
export interface Estimate {
  estimate: number;
  low: number;
  high: number;
}

export interface StepNumbers {
  profiles: Estimate;
  /** From 0 to 1; null if nobody took that step. */
  shareOfFirst: Estimate | null;
  shareOfPrevious: Estimate | null;
  medianSeconds: number | null;
}

export interface Funnel {
  /** About. */
  events: number;
  /** Null if all events were looked at. */
  sample: { sampled: number; profiles: number } | null;
  steps: StepNumbers[];
  groups: { value: string | null; steps: StepNumbers[] }[];
}

/** When the first step may be; the end is excluded. What is looked at less than that only in tests. */
export interface FunnelRange {
  from: Date;
  to: Date;
  maxEvents?: number;
}

/** Works a funnel out. Throws `upstream_error` if that takes too long. */
export async function readFunnelNumbers(
  db: Sql,
  caller: Caller,
  funnel: FunnelSteps,
  { from, to, maxEvents = MAX_EVENTS }: FunnelRange,
): Promise<Funnel> {
  const { storeId } = caller;
  const [start, now] = [performance.now(), Date.now()];
  const until = Math.min(to.getTime() + funnel.window, now + 1);
  const place = { storeId, from: from.getTime(), to: to.getTime(), until, now };
  const events = until > place.from ? await countOf(db, caller, funnel, place) : 0;
  const left = () => Math.max(MIN_MS, start + MAX_MS - performance.now());
  return await db.transaction().execute(async (tx) => {
    if (events <= maxEvents) {
      const rows = await inTime(tx, Math.min(EXACT_MS, left()), () => rowsOf(tx, funnel, place));
      if (rows) return { events, sample: null, ...numbersOf(rows, null) };
    }
    const { ids, profiles, isExact } = await drawInTime(tx, storeId, MANY, tooLong);
    const few = ids.slice(0, FEW);
    const many = await inTime(tx, Math.min(MANY_MS, left()), () => rowsOf(tx, funnel, place, ids));
    const rows = many ?? (await inTime(tx, left(), () => rowsOf(tx, funnel, place, few)));
    const sampled = (many ? ids : few).length;
    if (!rows || (sampled === 0 && !isExact)) throw tooLong();
    // A small store is looked at as a whole.
    const sample = isExact && sampled >= profiles ? null : { sampled, profiles };
    return { events, sample, ...numbersOf(rows, sample) };
  });
}

function tooLong(): Error {
  return overloaded('This funnel takes too long to work out; ask for fewer days or a shorter window');
}

/** By the days and quarters of an hour that are counted anyway. */
async function countOf(db: Sql, caller: Caller, { steps }: FunnelSteps, place: FunnelPlace): Promise<number> {
  let events = 0;
  for (const type of new Set(steps.flatMap(({ eventType }) => spellingsOf(eventType)))) {
    const counted = await countByInterval(db, caller, [new Date(place.from), new Date(place.until)], type);
    events += counted.reduce((sum, { total }) => sum + total, 0);
  }
  return events;
}

async function rowsOf(tx: Sql, funnel: FunnelSteps, place: FunnelPlace, ids?: readonly string[]): Promise<FunnelRow[]> {
  const { rows } = await sql<FunnelRow>`${compileFunnel(funnel, place, ids)}`.execute(tx);
  return rows;
}

const same = (value: number): Estimate => ({ estimate: value, low: value, high: value });

/** What so many of a sample are of all, or of as many as `scale` says. */
function scaled(count: number, of: number, scale: number, round: (value: number) => number): Estimate {
  const { low, high } = shareBounds(count, of);
  return { estimate: round((scale * count) / of), low: round(scale * low), high: round(scale * high) };
}

function numbersOf(rows: readonly FunnelRow[], sample: Funnel['sample']): Pick<Funnel, 'steps' | 'groups'> {
  const profilesOf = (count: number) =>
    sample ? scaled(count, sample.sampled, sample.profiles, Math.round) : same(count);
  const shareOf = (count: number, of = 0) => {
    if (of === 0) return null;
    return sample ? scaled(count, of, 1, (share) => share) : same(count / of);
  };
  const stepsOf = ({ counts, medians }: FunnelRow) =>
    counts.map(
      (count, i): StepNumbers => ({
        profiles: profilesOf(count),
        shareOfFirst: shareOf(count, counts[0]),
        shareOfPrevious: shareOf(count, counts[Math.max(0, i - 1)]),
        medianSeconds: medians[i] ?? null,
      }),
    );
  const total = rows.find(({ isTotal }) => isTotal) as FunnelRow;
  const groups = rows.filter(({ isTotal }) => !isTotal).map((row) => ({ value: row.value, steps: stepsOf(row) }));
  return { steps: stepsOf(total), groups };
}
