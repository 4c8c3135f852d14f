import { sql } from 'kysely';
import { isOutage, isStatementError } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import { compile, type EvaluatedRow } from './core/compile.ts';
import { type Definition, leavesOf } from './core/definition.ts';

/** Something to evaluate, under a key of the caller's. */
export interface Evaluable {
  key: string;
  definition: Definition;
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
}

interface Place {
  storeId: string;
  /** Milliseconds. */
  now: number;
}

/** Conditions of one statement: Postgres allows some 1,600 columns of a subquery. */
const MAX_LEAVES = 150;

/**
 * Evaluates definitions for customers in the caller's transaction. What fails is tried again with half of the customers,
 * and then alone, so that one customer or one definition spoils nothing for the others.
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
  };
  if (profileIds.length === 0) return evaluation;
  for (const chunk of chunks(all)) await evaluateChunk(tx, chunk, profileIds, place, evaluation);
  for (const key of evaluation.failed.keys()) evaluation.verdicts.delete(key);
  return evaluation;
}

function chunks(all: readonly Evaluable[]): Evaluable[][] {
  const chunked: Evaluable[][] = [];
  let room = 0;
  for (const one of all) {
    const leaves = [...leavesOf(one.definition)].length;
    if (room < leaves) {
      chunked.push([]);
      room = MAX_LEAVES;
    }
    (chunked.at(-1) as Evaluable[]).push(one);
    room -= leaves;
  }
  return chunked;
}

async function evaluateChunk(
  tx: Sql,
  chunk: readonly Evaluable[],
  profileIds: readonly string[],
  place: Place,
  evaluation: Evaluation,
): Promise<void> {
  const left = chunk.filter(({ key }) => !evaluation.failed.has(key));
  if (left.length === 0) return;
  const definitions = left.map(({ definition }) => definition);
  try {
    const rows = await withSavepoint(tx, async () => {
      const result = await sql<EvaluatedRow>`${compile(definitions, profileIds, place)}`.execute(tx);
      return result.rows;
    });
    for (const { id, events, truths, nexts } of rows) {
      evaluation.events.set(id, Math.max(events, evaluation.events.get(id) ?? 0));
      const moments = nexts.slice(1, -1).split(',');
      for (const [i, { key }] of left.entries()) {
        evaluation.verdicts.get(key)?.set(id, { isMember: truths[1 + 2 * i] === 't', next: ceil(moments[i]) });
      }
    }
  } catch (error) {
    if (!isOfData(error)) throw error;
    if (profileIds.length > 1) {
      const half = profileIds.length >>> 1;
      await evaluateChunk(tx, left, profileIds.slice(0, half), place, evaluation);
      await evaluateChunk(tx, left, profileIds.slice(half), place, evaluation);
    } else if (left.length > 1) {
      for (const one of left) await evaluateChunk(tx, [one], profileIds, place, evaluation);
    } else {
      evaluation.failed.set((left[0] as Evaluable).key, { profileId: profileIds[0] as string, error });
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

/** Whether it took too long: the statement was cancelled. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014';
}

/** Does something after which the transaction can go on, also where a statement of it is refused or cancelled. */
export async function withSavepoint<Result>(tx: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint evaluation`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint evaluation`.execute(tx);
    return result;
  } catch (error) {
    if (isStatementError(error)) await sql`rollback to savepoint evaluation`.execute(tx);
    throw error;
  }
}
