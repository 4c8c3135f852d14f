import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import type { Sql } from '../../db/sql.ts';
import { eventsAskedIn } from '../conditions/asked.ts';
import type { EventsAsked, Leaf, Occurrence, ValueOfEvents } from '../conditions/condition.ts';
import { spellingsOf } from '../conditions/event-types.ts';
import { MEASURES_OF_PROPERTY, type Measured } from '../conditions/measure.ts';
import { leavesOf, type Path, type PlacedLeaf } from '../conditions/tree.ts';

/** What is likely to be a mistake. */
export interface Warning {
  path: Path;
  problem: string;
}

type Condition = Pick<PlacedLeaf<Leaf>, 'leaf' | 'path'>;

/** For how many customers a condition finds nothing to look at. */
interface Share extends Condition {
  unset: number;
}

/** The latest events of a type whose properties are looked at. */
const LATEST = 200;
const MAX_WARNINGS = 100;

/** Says which names of a definition nobody has, in the caller's transaction; not those that can't be looked up in time. */
export async function warningsOf(
  tx: Sql,
  storeId: string,
  shares: readonly Share[],
  evaluated: number,
): Promise<Warning[]> {
  const warnings = [
    ...((await inTime(tx, () => ofEvents(tx, storeId, shares))) ?? []),
    ...((await inTime(tx, () => ofNamed(tx, storeId, shares))) ?? []),
    ...ofAttributes(shares, evaluated),
  ];
  return warnings.slice(0, MAX_WARNINGS);
}

/** Returns undefined if a statement took too long. */
async function inTime<Result>(tx: Sql, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await withSavepoint(tx, work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
}

/** Types of which the store has never had an event, and properties that the latest of a type do not have. */
async function ofEvents(tx: Sql, storeId: string, leaves: readonly Condition[]): Promise<Warning[]> {
  const conditions = leaves.flatMap(({ leaf, path }) =>
    eventsAskedIn(leaf).map(({ asked, path: within }) => {
      const own = [...path, ...within];
      return { types: spellingsOf(asked.event_type), path: own, asked: propertiesOf(asked, own) };
    }),
  );
  const known = await knownTypes(tx, storeId, [...new Set(conditions.flatMap(({ types }) => types))]);
  const asking = conditions.filter(({ asked }) => asked.length > 0);
  const typesAsked = [...new Set(asking.flatMap(({ types }) => types))].filter((type) => known.has(type));
  const properties = await inTime(tx, () => knownProperties(tx, storeId, typesAsked));
  return conditions.flatMap(({ asked, types, path }) => {
    if (!types.some((type) => known.has(type))) {
      return [{ path: [...path, 'event_type'], problem: 'is a type of which the store has no event' }];
    }
    return asked
      .filter(({ property }) => properties && !types.some((type) => properties.get(type)?.has(property)))
      .map((one) => ({ path: one.path, problem: 'is a property that none of the latest events of the type has' }));
  });
}

/** What else some conditions say of events. */
type Rest = Pick<Partial<ValueOfEvents>, 'property'> & Pick<Partial<Occurrence>, 'where'>;

/** Those at the top level that a condition asks for. */
function propertiesOf(
  { filter, ...events }: EventsAsked & Measured & Rest,
  path: Path,
): { property: string; path: Path }[] {
  const { where, property: ofValue } = events;
  const tests = [
    ...(filter ? leavesOf(filter, [...path, 'filter']) : []),
    ...(where ? leavesOf(where, [...path, 'where']) : []),
  ];
  const asked = tests.flatMap((one) => {
    if ('items' in one.leaf) return [{ name: one.leaf.items.property, path: [...one.path, 'items', 'property'] }];
    if ('date' in one.leaf) return [{ name: one.leaf.date.property ?? '', path: [...one.path, 'date', 'property'] }];
    return 'property' in one.leaf ? [{ name: one.leaf.property, path: [...one.path, 'property'] }] : [];
  });
  for (const of of MEASURES_OF_PROPERTY) {
    const measured = events[of];
    if (measured) asked.push({ name: measured.property, path: [...path, of, 'property'] });
  }
  if (ofValue !== undefined) asked.push({ name: ofValue, path: [...path, 'property'] });
  return asked.map(({ name, ...one }) => ({ ...one, property: typeof name === 'string' ? name : (name[0] ?? '') }));
}

async function knownTypes(tx: Sql, storeId: string, types: readonly string[]): Promise<Set<string>> {
  if (types.length === 0) return new Set();
  const { rows } = await sql<{ type: string }>`
    select w.type
    from unnest(${texts(types)}::text[]) as w (type)
    where exists (
      select from event e where e.store_id = ${storeId} and e.event_type = w.type order by e.occurred_at, e.id limit 1
    )`.execute(tx);
  return new Set(rows.map(({ type }) => type));
}

async function knownProperties(tx: Sql, storeId: string, types: readonly string[]): Promise<Map<string, Set<string>>> {
  if (types.length === 0) return new Map();
  const { rows } = await sql<{ type: string; names: string[] }>`
    select w.type, array(
      select distinct json_object_keys(e.properties)
      from (
        select properties from event where store_id = ${storeId} and event_type = w.type
        order by occurred_at desc, id desc limit ${LATEST}
      ) e
    ) as names
    from unnest(${texts(types)}::text[]) as w (type)`.execute(tx);
  return new Map(rows.map(({ type, names }) => [type, new Set(names)]));
}

/** Lists and segments that there are not, and segments that can't say yet who is in them. */
async function ofNamed(tx: Sql, storeId: string, leaves: readonly Condition[]): Promise<Warning[]> {
  const lists = leaves.flatMap(({ leaf, path }) =>
    'list' in leaf ? [{ id: leaf.list.toLowerCase(), path: [...path, 'list'] }] : [],
  );
  const segments = leaves.flatMap(({ leaf, path }) =>
    'segment' in leaf ? [{ id: leaf.segment.toLowerCase(), path: [...path, 'segment'] }] : [],
  );
  if (lists.length + segments.length === 0) return [];
  const wanted = (named: readonly { id: string }[]) =>
    sql`any(${uuids([...new Set(named.map(({ id }) => id))])}::uuid[])`;
  const { rows } = await sql<{ id: string; isBuilt: boolean; hasFailed: boolean }>`
    select id, true as "isBuilt", false as "hasFailed" from list where store_id = ${storeId} and id = ${wanted(lists)}
    union all
    select id, generation > 0, failure is not null from segment
    where store_id = ${storeId} and id = ${wanted(segments)}`.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  const problemOf = (id: string, kind: 'list' | 'segment') => {
    const one = found.get(id);
    if (!one) return `is not the id of a ${kind} of the store`;
    if (one.hasFailed) return 'is a segment that has failed, whose members may be out of date';
    return one.isBuilt ? undefined : 'is a segment that is still being built, and has no members yet';
  };
  return [
    ...lists.map(({ id, path }) => ({ path, problem: problemOf(id, 'list') })),
    ...segments.map(({ id, path }) => ({ path, problem: problemOf(id, 'segment') })),
  ].flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, problem }]));
}

function ofAttributes(shares: readonly Share[], evaluated: number): Warning[] {
  return shares.flatMap(({ leaf, path, unset }) =>
    ('attribute' in leaf || 'date' in leaf) && evaluated > 0 && unset === evaluated
      ? [
          {
            path: [...path, ...('date' in leaf ? ['date'] : []), 'attribute'],
            problem: 'is an attribute that no customer looked at has',
          },
        ]
      : [],
  );
}
