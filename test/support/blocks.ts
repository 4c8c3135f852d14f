import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, type openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';

/** Blocks of a table, or of an index, that a statement may touch. Once through the smallest that tests fill are more. */
const MOST_BLOCKS = 150;

/** A statement that touches many does so each time; what others do meanwhile, such as a service's engines, is counted too. */
const TRIES = 3;

type Works = Readonly<Record<string, (db: Sql) => Promise<unknown>>>;

/** The first plans of a statement are made for its parameters. */
const CUSTOM = { ...SETTINGS_OF_ENGINES, plan_cache_mode: 'auto' } as const;
const BY_INDEX = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' } as const;

interface Filling {
  /** Opens the database once more, with its own plans, by these settings. */
  open(settings: Parameters<typeof openDatabase>[2]): Promise<Database>;
  query(statement: string): Promise<unknown>;
  /** The statement that fills the tables. */
  rows: string;
  tables: readonly string[];
}

/**
 * The same of works that are planned while statistics say that all is empty, planned while they still do although it is not, and
 * planned once they are right.
 */
export async function expectFewBlocksAlways(works: Works, { open, query, rows, tables }: Filling): Promise<void> {
  // What this touches is counted now, rather than when something is measured.
  const change = (statement: string) => query(`${statement}; select pg_stat_force_next_flush()`);
  const early = [await open(SETTINGS_OF_ENGINES), await open(BY_INDEX)];
  for (const { sql: db } of early) for (const work of Object.values(works)) await work(db);
  for (const statement of [rows, `analyze ${tables.join(', ')}`]) {
    await change(statement);
    for (const one of early) await expectFewBlocks(one.sql, works);
    for (const settings of [SETTINGS_OF_ENGINES, CUSTOM]) await expectFewBlocks((await open(settings)).sql, works);
  }
}

/** Does each work, and expects that it touches something, and few blocks of each table and index. */
export async function expectFewBlocks(db: Sql, works: Works): Promise<void> {
  for (const [name, work] of Object.entries(works)) {
    let tooMany: string[] = [];
    for (let tried = 0; tried === 0 || (tooMany.length > 0 && tried < TRIES); tried++) {
      const touched = await touchedBy(db, work);
      expect(touched.size, `${name} touches something`).to.be.greaterThan(0);
      tooMany = [...touched].flatMap(([relation, blocks]) =>
        blocks > MOST_BLOCKS ? [`${blocks} of ${relation}`] : [],
      );
    }
    expect(tooMany, name).to.deep.equal([]);
  }
}

/** How many blocks of each table and index are touched while this is done, of those that are. */
async function touchedBy(db: Sql, work: (db: Sql) => Promise<unknown>): Promise<Map<string, number>> {
  const before = await blocksOf(db);
  await work(db);
  const after = [...(await blocksOf(db))].map(([relation, blocks]) => [relation, blocks - (before.get(relation) ?? 0)]);
  return new Map(after.filter((one): one is [string, number] => Number(one[1]) > 0));
}

/** How many blocks of each table and index have been touched. */
async function blocksOf(db: Sql): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; blocks: number }>`
    select indexrelname as name, (idx_blks_hit + idx_blks_read)::float8 as blocks from pg_statio_user_indexes
    union all
    select relname, (heap_blks_hit + heap_blks_read)::float8 from pg_statio_user_tables`.execute(db);
  return new Map(rows.map(({ name, blocks }) => [name, blocks]));
}
