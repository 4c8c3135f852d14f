import { expect } from 'chai';
import { sql } from 'kysely';
import type { Sql } from '../../src/db/orm.ts';

/** Blocks of a table, or of an index, that a statement may touch. Once through the smallest that tests fill are more. */
const MOST_BLOCKS = 150;

/** A statement that touches many does so each time; what others do meanwhile, such as a service's engines, is counted too. */
const TRIES = 3;

/** Does each work, and expects that it touches something, and few blocks of each table and index. */
export async function expectFewBlocks(
  db: Sql,
  works: Readonly<Record<string, (db: Sql) => Promise<unknown>>>,
): Promise<void> {
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
