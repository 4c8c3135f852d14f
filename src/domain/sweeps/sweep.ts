import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { RightOfWay } from '../../engine/right-of-way.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Counts, Gone, Step, SweepTools, Swept, Table } from './step.ts';

/** Milliseconds after which a store's turn ends, once its transaction in progress is done. */
const TURN_MS = 1_000;
/** Seconds before it is looked again whether transactions are over that may have read of the customer. */
const LOOK_AGAIN_S = 1;
/** Seconds before a sweep is tried again that has failed; others of the store go on meanwhile. */
const TRY_AGAIN_S = 60;
/** Times the milliseconds of a transaction that it rests after it, in general and where requests go first; and at the most. */
const [REST, LONG_REST, MAX_REST_MS] = [1, 16, 2_000];

/** What is due in a table whose rows are customers who are gone. */
export interface Sweep<Of extends Gone, Row extends object> {
  /** It has `store_id`, `id`, `due_at`, `completed_at`, `passes`, `counts` and `place`. */
  table: Table;
  /** What is read of a row besides these. */
  columns: RawBuilder<unknown>;
  /** Whom it is about: one after the other, each by all steps. */
  subjects: (tx: Sql, storeId: string, row: Row) => Promise<readonly Of[]>;
  steps: readonly Step<Of>[];
  /** Called at the end of a pass that has found something. */
  found?: (tx: Sql, storeId: string, row: Row) => Promise<unknown>;
  /** What else a row says once it is complete: assignments. */
  completed: (tx: Sql, storeId: string, row: Row) => Promise<RawBuilder<unknown>>;
}

/** How far a sweep has come. */
interface Place {
  /** When this pass began, or one before that found nothing: whatever began before may know the customer. */
  since: string;
  /** The number of the step. */
  step: number;
  /** Where the step goes on. */
  after: string;
  /** Rows that this pass has found, and those that are to be waited for. */
  found: number;
}

interface Due<Row> {
  id: string;
  row: Row;
  counts: Counts;
  place: Place | undefined;
  passes: number;
}

/**
 * Goes on with what a store has to sweep, a transaction for each part, and rests as long as it worked, whichever process would
 * go on; longer where requests have the right of way. All tables are gone through, and again once every transaction is over
 * that began before the pass that found something was done, until nothing is found: what has read a row that was still there
 * may have written another one of the customer meanwhile. Returns whether something may be left to do at once.
 */
export async function sweepDue<Of extends Gone, Row extends object>(
  db: Sql,
  storeId: string,
  kind: Sweep<Of, Row>,
  tools: SweepTools,
  way?: Pick<RightOfWay, 'isGiven'>,
): Promise<boolean> {
  const end = performance.now() + TURN_MS;
  for (;;) {
    const start = performance.now();
    const rest = way?.isGiven ? LONG_REST : REST;
    if (!(await sweepOnce(db, storeId, kind, { ...tools, rest }))) return false;
    await sleep(Math.min(MAX_REST_MS, rest * (performance.now() - start)));
    if (performance.now() > end) return true;
  }
}

interface PartTools extends SweepTools {
  /** Times the duration of the transaction after which it goes on. */
  rest: number;
}

/** Returns whether there was something to do. What fails is put off, and thrown. */
async function sweepOnce<Of extends Gone, Row extends object>(
  db: Sql,
  storeId: string,
  kind: Sweep<Of, Row>,
  tools: PartTools,
): Promise<boolean> {
  let due = undefined as Due<Row> | undefined;
  const work = async (tx: Sql) => {
    due = await takeDue(tx, storeId, kind);
    if (due) await sweepPart(tx, storeId, kind, due, tools);
    return due !== undefined;
  };
  try {
    return await retryConflicts(db, () => db.transaction().execute(work));
  } catch (error) {
    if (due) {
      await sql`
        update ${sql.table(kind.table)} set due_at = now() + make_interval(secs => ${TRY_AGAIN_S})
        where store_id = ${storeId} and id = ${due.id} and due_at is not null`.execute(db);
    }
    throw error;
  }
}

async function sweepPart<Of extends Gone, Row extends object>(
  tx: Sql,
  storeId: string,
  kind: Sweep<Of, Row>,
  due: Due<Row>,
  tools: PartTools,
): Promise<void> {
  const place = due.place ?? (await begin(tx));
  if (place.step === 0 && place.after === '' && due.passes > 0 && !(await isQuiet(tx, place.since))) {
    await sql`
      update ${sql.table(kind.table)}
      set due_at = now() + make_interval(secs => ${LOOK_AGAIN_S}), place = ${JSON.stringify(place)}::json
      where store_id = ${storeId} and id = ${due.id}`.execute(tx);
    return;
  }
  const { steps } = kind;
  const subjects = await kind.subjects(tx, storeId, due.row);
  const subject = subjects[Math.floor(place.step / steps.length)];
  if (!subject) throw new Error('There is nobody to sweep');
  const swept = await (steps[place.step % steps.length] as Step<Of>)(tx, subject, place.after, tools);
  const next = nextPlace(place, swept);
  const counts = addCounts(due.counts, swept.counts);
  if (next.step < subjects.length * steps.length) {
    await keepPlace(tx, storeId, kind, { ...due, counts, place: next }, tools);
    return;
  }
  if (next.found > 0) await kind.found?.(tx, storeId, due.row);
  if (due.passes === 0 || next.found > 0) {
    const again = next.found > 0 ? undefined : { since: place.since, step: 0, after: '', found: 0 };
    await keepPlace(tx, storeId, kind, { ...due, passes: due.passes + 1, counts, place: again }, tools);
  } else await complete(tx, storeId, kind, { ...due, counts });
}

async function takeDue<Of extends Gone, Row extends object>(
  tx: Sql,
  storeId: string,
  { table, columns }: Sweep<Of, Row>,
): Promise<Due<Row> | undefined> {
  const { rows } = await sql<Row & { id: string; passes: number; counts: RawJson; place: RawJson | null }>`
    select id, passes, counts, place, ${columns} from ${sql.table(table)}
    where store_id = ${storeId} and due_at <= now()
    order by due_at
    limit 1
    for update skip locked`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { id, passes, counts, place } = row;
  return { id, passes, row, counts: counts.parse<Counts>(), place: place?.parse<Place>() };
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

async function keepPlace<Of extends Gone, Row extends object>(
  tx: Sql,
  storeId: string,
  { table }: Sweep<Of, Row>,
  { id, passes, counts, place }: Due<Row>,
  { rest }: Pick<PartTools, 'rest'>,
): Promise<void> {
  await sql`
    update ${sql.table(table)}
    set due_at = clock_timestamp() + least(${MAX_REST_MS}::int * interval '1 ms', ${rest}::int * (clock_timestamp() - now())),
      place = ${place ? JSON.stringify(place) : null}::json, counts = ${JSON.stringify(counts)}::json, passes = ${passes}::int
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}

async function complete<Of extends Gone, Row extends object>(
  tx: Sql,
  storeId: string,
  kind: Sweep<Of, Row>,
  { id, passes, counts, row }: Due<Row>,
): Promise<void> {
  const assignments = await kind.completed(tx, storeId, row);
  await sql`
    update ${sql.table(kind.table)}
    set place = null, completed_at = coalesce(completed_at, now()), counts = ${JSON.stringify(counts)}::json,
      passes = ${passes + 1}::int, ${assignments}
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}
