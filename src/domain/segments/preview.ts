import { sql } from 'kysely';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { withCanonicalNumbers } from '../conditions/canonical-numbers.ts';
import { compileExplained, type ExplainedRow } from '../conditions/compile.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import { type FormerCondition, inTodaysForm, placeInFormer } from '../conditions/former.ts';
import { leavesOf, type Path } from '../conditions/tree.ts';
import type { ProfileCount } from '../reading/draw-profiles.ts';
import { drawInTime, shareBounds } from '../reading/sampling.ts';
import { overloaded } from '../service-error.ts';
import { readInOrder } from './evaluate.ts';
import { type Finding, findingsOf } from './explain.ts';
import { type Warning, warningsOf } from './preview-warnings.ts';
import { zonesOf } from './zones.ts';

/** Customers that a preview evaluates at most, and those of one statement: at first, at most, and at least. */
const [MAX_SAMPLE, FIRST_STEP, MAX_STEP, MIN_STEP] = [20_000, 250, 2_000, 2];
/** Milliseconds for which customers are evaluated, and that one statement may take. */
const [EVALUATE_MS, STATEMENT_MS] = [1_200, 700];
/** Milliseconds for which somebody is looked for who can be evaluated. */
const SEARCH_MS = 2_500;
/** Members that are shown. */
const MAX_SHOWN = 10;

export interface ConditionShare {
  path: Path;
  leaf: Leaf;
  /** Customers of the sample for whom it holds, and those for whom what it looks at is unset. */
  matches: number;
  unset: number;
}

export interface Preview {
  /** Customers of the store, about where there are very many, and those who were evaluated. */
  profiles: number;
  evaluated: number;
  /** How many members there would be, with the bounds between which it is with 95 %. */
  members: { estimate: number; low: number; high: number };
  conditions: ConditionShare[];
  /** Some of the members, with what each condition says. */
  sample: { profileId: string; findings: Finding[] }[];
  warnings: Warning[];
}

/**
 * Evaluates a definition for customers drawn at random, for all of them if they are few, in the caller's transaction.
 * Throws `upstream_error` if not even some can be evaluated in time.
 */
export async function previewSegment(
  tx: Sql,
  { storeId, country }: Pick<Caller, 'storeId' | 'country'>,
  given: FormerCondition,
  now: number,
): Promise<Preview> {
  const definition = inTodaysForm(withCanonicalNumbers(given, country, (one) => [one]));
  const start = performance.now();
  await readInOrder(tx);
  const { ids, ...count } = await drawInTime(tx, storeId, MAX_SAMPLE, tooLong);
  await limitStatements(tx, STATEMENT_MS);
  const leaves = [...leavesOf(definition)];
  const shares = leaves.map(({ leaf, path }): ConditionShare => ({ path, leaf, matches: 0, unset: 0 }));
  const sample: Preview['sample'] = [];
  let [evaluated, matching] = [0, 0];
  for await (const rows of explainedInTime(tx, definition, ids, { storeId, now, start })) {
    evaluated += rows.length;
    for (const row of rows) {
      if (row.truths[0]) matching += 1;
      if (row.truths[0] && sample.length < MAX_SHOWN) {
        sample.push({ profileId: row.id, findings: findingsOf(definition, row) });
      }
      for (const [i, share] of shares.entries()) {
        if (row.leafTruths[i]) share.matches += 1;
        if (isUnset(share.leaf, row.leafValues[i])) share.unset += 1;
      }
    }
  }
  if (evaluated === 0 && ids.length > 0) throw tooLong();
  const found = await warningsOf(tx, storeId, shares, evaluated);
  const warnings = found.map(({ path, problem }) => ({ path: placeInFormer(given, path), problem }));
  const members = estimate(matching, evaluated, count);
  return { profiles: count.profiles, evaluated, members, conditions: shares, sample, warnings };
}

/**
 * Evaluates some customers after the other until time is up: more at a time where that is fast, and fewer where it takes
 * too long. Those who take too long by themselves are left out.
 */
async function* explainedInTime(
  tx: Sql,
  definition: Condition,
  ids: readonly string[],
  { start, ...place }: { storeId: string; now: number; start: number },
): AsyncGenerator<readonly ExplainedRow[]> {
  let step = FIRST_STEP;
  let ms = SEARCH_MS;
  for (let from = 0; from < ids.length && performance.now() < start + ms; ) {
    const chunk = ids.slice(from, from + step);
    try {
      const { rows } = await withSavepoint(tx, async () => {
        const zones = await zonesOf(tx, place.storeId, [definition], chunk);
        return await sql<ExplainedRow>`${compileExplained(definition, chunk, { ...place, zones })}`.execute(tx);
      });
      yield rows;
      ms = EVALUATE_MS;
      from += step;
      step = Math.min(MAX_STEP, step * 2);
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (step === MIN_STEP) from += step;
      step = Math.max(MIN_STEP, Math.floor(step / 10));
    }
  }
}

/** Everybody has some consent, or none; what a condition asks of events is a count or a sum. */
function isUnset(leaf: Leaf, value: string | null | undefined): boolean {
  return !('consent' in leaf) && (value ?? null) === null;
}

function tooLong(): Error {
  return overloaded('The store is too large, or too busy, for a preview in time; try again later');
}

function estimate(matching: number, evaluated: number, { profiles, isExact }: ProfileCount): Preview['members'] {
  if (evaluated === 0) return { estimate: 0, low: 0, high: profiles };
  if (isExact && evaluated >= profiles) return { estimate: matching, low: matching, high: matching };
  const { low, high } = shareBounds(matching, evaluated);
  const estimate = Math.round((profiles * matching) / evaluated);
  return { estimate, low: Math.round(profiles * low), high: Math.round(profiles * high) };
}
