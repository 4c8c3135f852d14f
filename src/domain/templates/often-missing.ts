import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { spellingsOf } from '../conditions/event-types.ts';
import { countProfiles, drawProfiles } from '../reading/draw-profiles.ts';
import type { CompiledTemplate, TemplateProblem } from './core/compiled.ts';

/** Customers, or events of a type, that are looked at; paths that are looked for; milliseconds of a statement. */
const [MAX_CUSTOMERS, MAX_EVENTS, MAX_PATHS, STATEMENT_MS] = [20_000, 1_000, 20, 500];
/** The share that may lack a value before that is worth saying. */
const MAX_LACKING = 0.05;

/** Warns of what a template reads of customers without a default, and many of the store's customers lack. */
export async function oftenMissingOfCustomers(
  db: Sql,
  storeId: string,
  compiled: CompiledTemplate,
): Promise<TemplateProblem[]> {
  const paths = withoutDefault(compiled, ['profile', 'attributes']);
  return await warn(db, paths, 'of your customers', async (tx) => {
    const { ids } = await drawProfiles(tx, storeId, await countProfiles(tx, storeId), MAX_CUSTOMERS);
    return sql`select attributes as value from profile where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])`;
  });
}

/** The same of events, by the latest of a type. */
export async function oftenMissingOfEvents(
  db: Sql,
  storeId: string,
  compiled: CompiledTemplate,
  eventType: string,
): Promise<TemplateProblem[]> {
  const paths = withoutDefault(compiled, ['event', 'properties']);
  return await warn(db, paths, `of the latest events of the type ${eventType}`, async () => {
    const types = [...spellingsOf(eventType)];
    return sql`
      select properties::jsonb as value from event
      where store_id = ${storeId} and event_type = any(${texts(types)}::text[])
      order by occurred_at desc, id desc limit ${MAX_EVENTS}`;
  });
}

/** The paths of the template that begin so, and have no default in one of its languages. */
function withoutDefault({ contents }: CompiledTemplate, beginning: readonly string[]): (readonly string[])[] {
  const found = Object.values(contents)
    .flatMap(({ paths }) => paths)
    .filter(
      ({ path, hasDefault }) =>
        !hasDefault && path.length > beginning.length && beginning.every((name, i) => path[i] === name),
    )
    .map(({ path }) => [JSON.stringify(path), path] as const);
  return [...new Map(found).values()].slice(0, MAX_PATHS);
}

/** Nothing is said where that would take too long. */
async function warn(
  db: Sql,
  paths: readonly (readonly string[])[],
  whose: string,
  rowsOf: (tx: Sql) => Promise<RawBuilder<unknown>>,
): Promise<TemplateProblem[]> {
  if (paths.length === 0) return [];
  try {
    return await db.transaction().execute(async (tx) => {
      await limitStatements(tx, STATEMENT_MS);
      const lacking = paths.map(
        (path) => sql`count(*) filter (where ${sql.join(readings(path).map(isMissing), sql` and `)})::int`,
      );
      const { rows } = await sql<{ all: number; lacking: number[] }>`
        select count(*)::int as all, array[${sql.join(lacking)}] as lacking
        from (${await rowsOf(tx)}) as looked_at`.execute(tx);
      const [row] = rows;
      return paths.flatMap((path, i) => {
        const share = (row?.lacking[i] ?? 0) / Math.max(1, row?.all ?? 0);
        return share > MAX_LACKING ? [warning(path, share, whose)] : [];
      });
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return [];
  }
}

/** What a path may mean: the first two names say where it is, and lists have members without a name. */
function readings([, , ...path]: readonly string[]): (readonly string[])[] {
  const inLists = path.map((name) => (name === 'first' ? '0' : name === 'last' ? '-1' : name));
  if (inLists.length > 1 && inLists.at(-1) === 'size') inLists.pop();
  return [path, inLists];
}

const isMissing = (path: readonly string[]) => sql`coalesce(value #>> ${texts(path)}::text[], '') in ('', '[]')`;

function warning(path: readonly string[], share: number, whose: string): TemplateProblem {
  const message = `${Math.round(share * 100)} % ${whose} have no ${path.join('.')}, which has no default`;
  return { severity: 'warning', code: 'often_missing', message, field: 'body', line: null, column: null };
}
