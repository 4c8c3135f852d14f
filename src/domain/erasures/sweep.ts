import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Counts, EventsOfErased, Subject } from './erasure.ts';
import { RULES, STEPS } from './rules.ts';
import type { Step, SweepTools, Swept } from './steps/step.ts';

/** Milliseconds after which a store's turn ends, once its transaction in progress is done. */
const TURN_MS = 1_000;
/** Seconds before it is looked again whether transactions are over that may have read of the customer. */
const LOOK_AGAIN_S = 1;
/** Milliseconds that it rests after a transaction, at the most. */
const MAX_REST_MS = 500;

/** How far a sweep has come. */
interface Place {
  /** When it began, by the clock of the database: whatever began before may know the customer. */
  since: string;
  /** The number of the step. */
  step: number;
  /** Where the step goes on. */
  after: string;
  /** Rows that this pass has found, and those that are to be waited for. */
  found: number;
}

interface DueErasure {
  id: string;
  events: EventsOfErased;
  subject: Subject;
  counts: Counts;
  place: Place | undefined;
  passes: number;
}

/**
 * Goes on with what a store has to erase, a transaction for each part, and rests as long as it worked. All tables are gone
 * through, and again once every transaction is over that began before the customer was gone, until nothing is found. Returns
 * whether something may be left to do at once.
 */
export async function sweepErasures(db: Sql, storeId: string, tools: SweepTools): Promise<boolean> {
  const end = performance.now() + TURN_MS;
  for (;;) {
    const start = performance.now();
    if (!(await retryConflicts(db, () => db.transaction().execute((tx) => sweepPart(tx, storeId, tools)))))
      return false;
    if (performance.now() > end) return true;
    await sleep(Math.min(MAX_REST_MS, performance.now() - start));
  }
}

/** Returns whether there was something to do. */
async function sweepPart(tx: Sql, storeId: string, tools: SweepTools): Promise<boolean> {
  const erasure = await takeDue(tx, storeId);
  if (!erasure) return false;
  const { subject, events } = erasure;
  const place = erasure.place ?? (await begin(tx));
  if (place.step === 0 && place.after === '' && erasure.passes > 0 && !(await isQuiet(tx, place.since))) {
    await sql`
      update erasure set due_at = now() + make_interval(secs => ${LOOK_AGAIN_S})
      where store_id = ${storeId} and id = ${erasure.id}`.execute(tx);
    return true;
  }
  const swept = await (STEPS[place.step] as Step)(tx, { ...subject, storeId, events }, place.after, tools);
  const next = nextPlace(place, swept);
  const counts = addCounts(erasure.counts, swept.counts);
  if (next.step < STEPS.length) await keepPlace(tx, storeId, erasure, counts, next);
  else if (erasure.passes === 0 || next.found > 0) {
    await keepPlace(tx, storeId, { ...erasure, passes: erasure.passes + 1 }, counts, {
      ...{ since: place.since, step: 0, after: '', found: 0 },
    });
  } else await complete(tx, storeId, erasure, counts);
  return true;
}

async function takeDue(tx: Sql, storeId: string): Promise<DueErasure | undefined> {
  const { rows } = await sql<
    Pick<DueErasure, 'id' | 'events' | 'passes'> & { subject: RawJson; counts: RawJson; place: RawJson | null }
  >`
    select id, events, passes, subject, counts, place from erasure
    where store_id = ${storeId} and due_at <= now()
    order by due_at
    limit 1
    for update skip locked`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  return {
    ...row,
    subject: row.subject.parse<Subject>(),
    counts: row.counts.parse<Counts>(),
    place: row.place?.parse<Place>(),
  };
}

async function begin(tx: Sql): Promise<Place> {
  const { rows } = await sql<{ since: string }>`select clock_timestamp()::text as since`.execute(tx);
  return { since: (rows[0] as { since: string }).since, step: 0, after: '', found: 0 };
}

/**
 * Whether no transaction is left that began before a time. Not by snapshots: a statement that has read of the customer and
 * has not written yet has no transaction id.
 */
async function isQuiet(tx: Sql, since: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and xact_start <= ${since}::timestamptz
    limit 1`.execute(tx);
  return rows.length === 0;
}

function nextPlace({ since, step, after, found }: Place, { counts, next, waiting = 0 }: Swept): Place {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, found + waiting);
  return next === null
    ? { since, step: step + 1, after: '', found: rows }
    : { since, step, after: next || after, found: rows };
}

function addCounts(counts: Counts, more: Counts): Counts {
  const added = Object.entries(more).filter(([, count]) => count > 0);
  return { ...counts, ...Object.fromEntries(added.map(([table, count]) => [table, (counts[table] ?? 0) + count])) };
}

async function keepPlace(
  tx: Sql,
  storeId: string,
  { id, passes }: Pick<DueErasure, 'id' | 'passes'>,
  counts: Counts,
  place: Place,
): Promise<void> {
  await sql`
    update erasure
    set place = ${JSON.stringify(place)}::json, counts = ${JSON.stringify(counts)}::json, passes = ${passes}::int
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}

async function complete(tx: Sql, storeId: string, { id, passes }: DueErasure, counts: Counts): Promise<void> {
  const residues = JSON.stringify(await readResidues(tx, storeId));
  await sql`
    update erasure
    set place = null, subject = null, due_at = null, completed_at = now(), counts = ${JSON.stringify(counts)}::json,
      residues = ${residues}::json, passes = ${passes + 1}::int
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}

/** What may hold something of the customer, and expires. */
async function readResidues(tx: Sql, storeId: string): Promise<{ table: string; until: string }[]> {
  const residues = [];
  for (const [table, rule] of Object.entries(RULES)) {
    if (!('expires' in rule)) continue;
    const { rows } = await sql<{ until: number | null }>`
      select (extract(epoch from ${rule.expires(storeId)}) * 1000)::float8 as until`.execute(tx);
    const until = rows[0]?.until ?? null;
    if (until !== null) residues.push({ table, until: new Date(until).toISOString() });
  }
  return residues;
}
