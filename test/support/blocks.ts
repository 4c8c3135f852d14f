import { expect } from 'chai';
import { sql } from 'kysely';
import type { Sql } from '../../src/db/orm.ts';

/** Blocks of a table, or of an index, that a statement may touch. Once through the smallest that tests fill are more. */
const MOST_BLOCKS = 150;

/** Does each work, and expects that it touches something, and few blocks of each table and index. */
export async function expectFewBlocks(
  db: Sql,
  works: Readonly<Record<string, (db: Sql) => Promise<unknown>>>,
): Promise<void> {
  for (const [name, work] of Object.entries(works)) {
    const before = await blocksOf(db);
    await work(db);
    const touched = [...(await blocksOf(db))].map(([relation, blocks]) => ({
      relation,
      blocks: blocks - (before.get(relation) ?? 0),
    }));
    expect(
      touched.some(({ blocks }) => blocks > 0),
      `${name} touches something`,
    ).to.equal(true);
    expect(
      touched.filter(({ blocks }) => blocks > MOST_BLOCKS),
      name,
    ).to.deep.equal([]);
  }
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
