import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { overloaded } from '../service-error.ts';
import { compileExplained, type ExplainedRow } from './core/compile.ts';
import { type Definition, type Leaf, leavesOf, type Path } from './core/definition.ts';
import { isTimeout, readInOrder } from './evaluate.ts';
import { type Finding, findingsOf } from './explain.ts';

/** Customers that a preview evaluates at most, and those of one statement. */
const [MAX_SAMPLE, PER_STATEMENT] = [20_000, 2_000];
/** Milliseconds for which customers are evaluated, and that one statement may take. */
const [EVALUATE_MS, STATEMENT_MS] = [1_200, 1_500];
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
  /** Customers of the store, and those who were evaluated. */
  profiles: number;
  evaluated: number;
  /** How many members there would be, with the bounds between which it is with 95 %. */
  members: { estimate: number; low: number; high: number };
  conditions: ConditionShare[];
  /** Some of the members, with what each condition says. */
  sample: { profileId: string; findings: Finding[] }[];
  warnings: { path: Path; problem: string }[];
}

/**
 * Evaluates a definition for customers drawn at random, for all of them if they are few, in the caller's transaction.
 * Throws `upstream_error` if not even some can be evaluated in time.
 */
export async function previewSegment(tx: Sql, storeId: string, definition: Definition, now: number): Promise<Preview> {
  const end = performance.now() + EVALUATE_MS;
  await readInOrder(tx);
  await sql`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`.execute(tx);
  const { profiles, ids } = await drawProfiles(tx, storeId);
  const leaves = [...leavesOf(definition)];
  const shares = leaves.map(({ leaf, path }): ConditionShare => ({ path, leaf, matches: 0, unset: 0 }));
  const sample: Preview['sample'] = [];
  let [evaluated, matching] = [0, 0];
  for (let from = 0; from < ids.length && (from === 0 || performance.now() < end); from += PER_STATEMENT) {
    const chunk = ids.slice(from, from + PER_STATEMENT);
    const { rows } = await tooLongIfCancelled(
      sql<ExplainedRow>`${compileExplained(definition, chunk, { storeId, now })}`.execute(tx),
    );
    evaluated += rows.length;
    for (const row of rows) {
      if (row.truths[0]) matching += 1;
      if (row.truths[0] && sample.length < MAX_SHOWN) {
        sample.push({ profileId: row.id, findings: findingsOf(definition, row) });
      }
      for (const [i, share] of shares.entries()) {
        if (row.leafTruths[i]) share.matches += 1;
        if ((row.leafValues[i] ?? null) === null) share.unset += 1;
      }
    }
  }
  const warnings = [...(await unknownTypes(tx, storeId, leaves)), ...unsetAttributes(shares, evaluated)];
  const members = estimate(matching, evaluated, profiles);
  return { profiles, evaluated, members, conditions: shares, sample, warnings };
}

async function drawProfiles(tx: Sql, storeId: string): Promise<{ profiles: number; ids: string[] }> {
  const { rows: counted } = await tooLongIfCancelled(
    sql<{ count: number }>`select count(*)::float8 as count from profile where store_id = ${storeId}`.execute(tx),
  );
  const profiles = counted[0]?.count ?? 0;
  const share = profiles <= MAX_SAMPLE ? 2 : MAX_SAMPLE / profiles;
  const rows = await tooLongIfCancelled(
    sql<{ id: string }>`
      select id from profile where store_id = ${storeId} and random() < ${share}::float8
      limit ${2 * MAX_SAMPLE}`.execute(tx),
  );
  // In no order, as not all may be evaluated.
  return { profiles, ids: shuffled(rows.rows.map(({ id }) => id)).slice(0, MAX_SAMPLE) };
}

async function tooLongIfCancelled<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded('The store is too large, or too busy, for a preview in time; try again later');
  }
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j] as Item, items[i] as Item];
  }
  return items;
}

/** Wilson's interval, which has bounds also where none or all match. */
function estimate(matching: number, evaluated: number, profiles: number): Preview['members'] {
  if (evaluated === 0) return { estimate: 0, low: 0, high: profiles };
  if (evaluated >= profiles) return { estimate: matching, low: matching, high: matching };
  const z = 1.96;
  const share = matching / evaluated;
  const middle = share + z ** 2 / (2 * evaluated);
  const width = z * Math.sqrt((share * (1 - share)) / evaluated + z ** 2 / (4 * evaluated ** 2));
  const bound = (value: number) => Math.round(profiles * Math.min(1, Math.max(0, value)));
  const scale = 1 + z ** 2 / evaluated;
  return {
    estimate: Math.round(profiles * share),
    low: bound((middle - width) / scale),
    high: bound((middle + width) / scale),
  };
}

/** Names the types of which the store has never had an event. */
async function unknownTypes(
  tx: Sql,
  storeId: string,
  leaves: readonly { leaf: Leaf; path: Path }[],
): Promise<Preview['warnings']> {
  const asked = leaves.flatMap(({ leaf, path }) =>
    'event' in leaf ? [{ type: leaf.event.type, path: [...path, 'event', 'type'] }] : [],
  );
  if (asked.length === 0) return [];
  const { rows } = await sql<{ type: string }>`
    select w.type
    from unnest(${texts([...new Set(asked.map(({ type }) => type))])}::text[]) as w (type)
    where not exists (
      select from event e where e.store_id = ${storeId} and e.event_type = w.type order by e.occurred_at, e.id limit 1)`.execute(
    tx,
  );
  const unknown = new Set(rows.map(({ type }) => type));
  return asked
    .filter(({ type }) => unknown.has(type))
    .map(({ path }) => ({ path, problem: 'is a type of which the store has no event' }));
}

function unsetAttributes(shares: readonly ConditionShare[], evaluated: number): Preview['warnings'] {
  return shares.flatMap(({ leaf, path, unset }) =>
    'attribute' in leaf && evaluated > 0 && unset === evaluated
      ? [{ path: [...path, 'attribute', 'name'], problem: 'is an attribute that no customer looked at has' }]
      : [],
  );
}
