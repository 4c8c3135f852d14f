import { sql } from 'kysely';
import { isStatementError } from '../../db/driver-errors.ts';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { compileExplained, type ExplainedRow } from '../conditions/compile.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import { leavesOf, type Path } from '../conditions/tree.ts';
import { overloaded } from '../service-error.ts';
import { readDefinition } from './definition.ts';
import { readInOrder } from './evaluate.ts';
import { zonesOf } from './zones.ts';

/** What one condition says of a customer. */
export interface Finding {
  path: Path;
  leaf: Leaf;
  matches: boolean;
  /** What was looked at: a count, a sum, an attribute, a time. Undefined where it is unset or too long to show. */
  value: unknown;
  /** When it may change although nothing happens, in milliseconds. */
  nextCheck: number | null;
}

export interface Explanation {
  /** Whether the members that serve have the customer, and since when in milliseconds. */
  isMember: boolean;
  enteredAt: number | null;
  /** What the evaluator says now, of the latest definition. */
  matches: boolean;
  evaluatedAt: number;
  nextCheck: number | null;
  findings: Finding[];
}

/** Why a customer is in a segment or not; or which of the two the store does not have. */
export async function explainMember(
  db: Sql,
  storeId: string,
  { id, profileId, now }: { id: string; profileId: string; now: number },
): Promise<Explanation | 'no segment' | 'no profile'> {
  const { rows } = await sql<{ definition: RawJson; enteredAt: number | null }>`
    select s.definition, (extract(epoch from m.entered_at) * 1000)::float8 as "enteredAt"
    from segment s
    left join segment_member m on m.store_id = ${storeId} and m.segment_id = s.id and m.generation = s.generation
      and m.profile_id = ${profileId}
    where s.store_id = ${storeId} and s.id = ${id}`.execute(db);
  const [segment] = rows;
  if (!segment) return 'no segment';
  const definition = readDefinition(segment.definition);
  const [row] = await explained(db, definition, [profileId], { storeId, now });
  if (!row) return 'no profile';
  const { enteredAt } = segment;
  return {
    ...{ isMember: enteredAt !== null, enteredAt, matches: row.truths[0] === true, evaluatedAt: now },
    nextCheck: row.nexts[0] ?? null,
    findings: findingsOf(definition, row),
  };
}

/** Throws `upstream_error` if customers have more events than can be read in time. */
async function explained(
  db: Sql,
  definition: Condition,
  ids: readonly string[],
  place: { storeId: string; now: number },
) {
  try {
    return await db.transaction().execute(async (tx) => {
      await readInOrder(tx);
      const zones = await zonesOf(tx, place.storeId, [definition], ids);
      const { rows } = await sql<ExplainedRow>`${compileExplained(definition, ids, { ...place, zones })}`.execute(tx);
      return rows;
    });
  } catch (error) {
    if (!isStatementError(error)) throw error;
    throw overloaded('The customer has too many events to be evaluated in time; try again later');
  }
}

export function findingsOf(definition: Condition, row: ExplainedRow): Finding[] {
  return [...leavesOf(definition)].map(({ leaf, path }, i) => ({
    ...{ path, leaf, matches: row.leafTruths[i] === true, nextCheck: row.leafNexts[i] ?? null },
    value: parsed(row.leafValues[i] ?? null),
  }));
}

/** Undefined for JSON that was cut. */
function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
