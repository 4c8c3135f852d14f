import { expect } from 'chai';
import { sql } from 'kysely';
import { fillProfileUpdates } from '../../src/db/background/fill-profile-updates.ts';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { deleteSuperseded } from '../../src/domain/profile-updates/delete-superseded.ts';
import { timeCursor } from '../../src/domain/reading/cursor.ts';
import type { ProfileSearch } from '../../src/domain/reading/profile-conditions.ts';
import { searchProfiles } from '../../src/domain/reading/profile-search.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

const PROFILES = 20_000;
/** Former changes of each profile that nobody has removed. */
const FORMER = 3;
/** Rows of the journal and of profiles that a page is read from. */
const MOST_READ = 1_000;

/** By the plans that a process made when there were no profiles yet. */
describe('Statements about the journal of changes', () => {
  const storeId = newId();
  let test: TestDatabase;
  let database: Database;
  let db: Sql;

  before(async () => {
    test = await createUndividedDatabase();
    database = await openDatabase(test.url, 1);
    db = database.sql;
    await test.query(`insert into store (id, name) values ('${storeId}', 'plans')`);
    for (const [, read] of Object.values(statements())) await read();
    await test.query(`
      insert into profile (store_id, id, attributes, created_at, updated_at)
      select '${storeId}', uuidv7(), '{}', now(), now() - n * interval '1 s' from generate_series(1, ${PROFILES}) n`);
    await test.query(`
      insert into profile_update (store_id, updated_at, profile_ids)
      select store_id, updated_at - age * interval '9 hours', array[id]
      from profile cross join generate_series(0, ${FORMER}) age`);
  });
  after(async () => {
    await database?.close();
    await test?.drop();
  });

  const search = (given: Partial<ProfileSearch>, cursor?: string) => {
    const all: ProfileSearch = { identifiers: [], created: {}, updated: {}, order: 'updated', descending: false };
    return searchProfiles(db, { storeId } as Caller, { ...all, ...given }, { limit: 50, cursor });
  };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const at = timeCursor({ at: hoursAgo(2), id: newId() });
  /** What each does, and how many rows it may read by indexes. */
  const statements = (): Record<string, [most: number, run: () => Promise<unknown>]> => ({
    'the latest changes': [MOST_READ, () => search({ descending: true })],
    'changes after one of them': [MOST_READ, () => search({}, at)],
    'changes before one of them': [MOST_READ, () => search({ descending: true }, at)],
    'changes of a time': [MOST_READ, () => search({ updated: { from: hoursAgo(3), before: hoursAgo(2) } })],
    // Looks at two thousand changes, each in the journal and with its profile, and may read twice as far.
    'changes of a time, of profiles created in another': [
      10_000,
      () => search({ updated: { from: hoursAgo(3) }, created: { before: hoursAgo(1) } }),
    ],
    'what is superseded': [5_000, () => deleteSuperseded(db, performance.now())],
    'what has not been entered': [5 * PROFILES, () => fillProfileUpdates(db, storeId, new AbortController().signal)],
  });

  for (const [name, [most]] of Object.entries(statements())) {
    it(`read no table whole: ${name}`, async () => {
      const before = await countsOf(db);
      await statements()[name]?.[1]();
      const after = await countsOf(db);
      expect(after.whole, 'tables that were read whole').to.equal(before.whole);
      expect(after.entries - before.entries).to.be.within(1, most);
    });
  }
});

async function countsOf(db: Sql): Promise<{ whole: number; entries: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ whole: number; entries: number }>`
    select sum(t.seq_scan)::float8 as whole,
      sum((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::float8 as entries
    from pg_stat_user_tables t where t.relname in ('profile', 'profile_update')`.execute(db);
  return rows[0] as (typeof rows)[number];
}
