import { sql } from 'kysely';
import { isOutage, isStatementError, isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import type { Sql } from '../../db/sql.ts';
import { eventsAskedIn } from '../conditions/asked.ts';
import { compile, type EvaluatedRow } from '../conditions/compile.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import { leavesOf } from '../conditions/tree.ts';
import { zonesOf } from './zones.ts';

/** Something to evaluate, under a key of the caller's. */
export interface Evaluable {
  key: string;
  definition: Condition;
}

/** Who is in the segment, and when that may change although nothing happens. Absent: whoever is no customer. */
export type Verdicts = Map<string, { isMember: boolean; next: number | null }>;

export interface Evaluation {
  /** By key; none for what has failed. */
  verdicts: Map<string, Verdicts>;
  /** How many events of each customer were read at once. */
  events: Map<string, number>;
  /** By key, what could not be evaluated, and for which customer. */
  failed: Map<string, { profileId: string; error: unknown }>;
  /** Keys for which there was not enough time, though there was only one customer: nothing is known of those. */
  tooLarge: Set<string>;
}

interface Place {
  storeId: string;
  /** Milliseconds. */
  now: number;
  /** How many milliseconds are left for it. */
  left: () => number;
}

/** Several customers are too many for the time that there was; fewer may not be. */
export class OutOfTime extends Error {
  readonly customers: number;

  constructor(customers: number) {
    super(`${customers} customers could not be evaluated for segments in time`);
    this.customers = customers;
  }
}

/**
 * Conditions of one statement, as Postgres allows some 1,600 columns of a subquery; and comparisons, those of filters
 * included, as it allows 65,535 parameters, and one may need 60.
 */
const [MAX_LEAVES, MAX_COMPARISONS] = [150, 600];
/** Milliseconds that one statement may take at the most, and that must be left for one to begin. */
const [STATEMENT_MS, MIN_LEFT_MS] = [5_000, 50];

/**
 * Evaluates definitions for customers in the caller's transaction. What is refused is tried again with half of the
 * customers, and then alone, so that one customer or one definition spoils nothing for the others. Throws `OutOfTime` if
 * several customers take too long: the transaction can go on.
 */
export async function evaluate(
  tx: Sql,
  all: readonly Evaluable[],
  profileIds: readonly string[],
  place: Place,
): Promise<Evaluation> {
  const evaluation: Evaluation = {
    verdicts: new Map(all.map(({ key }) => [key, new Map()])),
    events: new Map(),
    failed: new Map(),
    tooLarge: new Set(),
  };
  if (profileIds.length === 0) return evaluation;
  const work = new Evaluating(tx, place, evaluation, profileIds.length);
  for (const chunk of chunks(all)) await work.evaluate(chunk, profileIds);
  for (const key of evaluation.failed.keys()) evaluation.verdicts.delete(key);
  return evaluation;
}

function chunks(all: readonly Evaluable[]): Evaluable[][] {
  const chunked: Evaluable[][] = [];
  let [leaves, comparisons] = [0, 0];
  for (const one of all) {
    const own = [...leavesOf(one.definition)];
    const compared = own.reduce((sum, { leaf }) => sum + 1 + comparisonsIn(leaf), 0);
    if (chunked.length === 0 || leaves + own.length > MAX_LEAVES || comparisons + compared > MAX_COMPARISONS) {
      chunked.push([]);
      [leaves, comparisons] = [0, 0];
    }
    (chunked.at(-1) as Evaluable[]).push(one);
    leaves += own.length;
    comparisons += compared;
  }
  return chunked;
}

function comparisonsIn(whole: Leaf): number {
  const filters = eventsAskedIn(whole).flatMap(({ asked }) => asked.filter ?? []);
  const where = 'occurrence' in whole ? (whole.occurrence.where ?? []) : [];
  const leaves = [...filters, where].flat().flatMap((filter) => [...leavesOf(filter)]);
  return leaves.reduce((sum, { leaf }) => {
    return sum + 1 + ('items' in leaf ? [...leavesOf(leaf.items.where)].length : 0);
  }, 0);
}

class Evaluating {
  readonly #tx: Sql;
  readonly #place: Place;
  readonly #evaluation: Evaluation;
  readonly #customers: number;

  constructor(tx: Sql, place: Place, evaluation: Evaluation, customers: number) {
    this.#tx = tx;
    this.#place = place;
    this.#evaluation = evaluation;
    this.#customers = customers;
  }

  async evaluate(chunk: readonly Evaluable[], profileIds: readonly string[]): Promise<void> {
    const { failed, tooLarge } = this.#evaluation;
    const open = chunk.filter(({ key }) => !failed.has(key));
    if (open.length === 0) return;
    try {
      this.#note(open, await this.#read(open, profileIds));
    } catch (error) {
      if (error instanceof OutOfTime || isTimeout(error)) {
        if (this.#customers > 1) throw new OutOfTime(this.#customers);
        if (open.length > 1) for (const one of open) await this.evaluate([one], profileIds);
        else tooLarge.add((open[0] as Evaluable).key);
      } else if (!isOfData(error)) throw error;
      else if (profileIds.length > 1) {
        const half = profileIds.length >>> 1;
        await this.evaluate(open, profileIds.slice(0, half));
        await this.evaluate(open, profileIds.slice(half));
      } else if (open.length > 1) {
        for (const one of open) await this.evaluate([one], profileIds);
      } else {
        failed.set((open[0] as Evaluable).key, { profileId: profileIds[0] as string, error });
      }
    }
  }

  async #read(all: readonly Evaluable[], profileIds: readonly string[]): Promise<EvaluatedRow[]> {
    const [tx, left] = [this.#tx, this.#place.left()];
    if (left < MIN_LEFT_MS) throw new OutOfTime(this.#customers);
    const definitions = all.map(({ definition }) => definition);
    return await withSavepoint(tx, async () => {
      if (left < STATEMENT_MS) await limitStatements(tx, left);
      const zones = await zonesOf(tx, this.#place.storeId, definitions, profileIds);
      const statement = compile(definitions, profileIds, { ...this.#place, zones });
      const { rows } = await sql<EvaluatedRow>`${statement}`.execute(tx);
      if (left < STATEMENT_MS) await limitStatements(tx, STATEMENT_MS);
      return rows;
    });
  }

  #note(all: readonly Evaluable[], rows: readonly EvaluatedRow[]): void {
    const { events: counts, verdicts } = this.#evaluation;
    for (const { id, events, truths, nexts } of rows) {
      counts.set(id, Math.max(events, counts.get(id) ?? 0));
      const moments = nexts.slice(1, -1).split(',');
      for (const [i, { key }] of all.entries()) {
        verdicts.get(key)?.set(id, { isMember: truths[1 + 2 * i] === 't', next: ceil(moments[i]) });
      }
    }
  }
}

/** A millisecond too late is on time, too early would be once more for nothing. */
function ceil(ms: string | undefined): number | null {
  return ms === undefined || ms === 'NULL' ? null : Math.ceil(Number(ms));
}

/** What the data and the definition have caused: not the connection, nor a conflict, which the whole batch retries. */
function isOfData(error: unknown): boolean {
  return isStatementError(error) && !isOutage(error);
}

/** Has a customer's events read in the order of their index in a transaction, however many the planner expects. */
export async function readInOrder(tx: Sql): Promise<void> {
  await sql`select set_config('enable_sort', 'off', true)`.execute(tx);
}
