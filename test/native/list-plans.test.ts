import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { deleteList } from '../../src/domain/audiences/deletion.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { addMembers, removeMembers } from '../../src/domain/lists/change-members.ts';
import { deleteMembersOfDeleted } from '../../src/domain/lists/delete-members.ts';
import { findListsByName } from '../../src/domain/lists/find-by-name.ts';
import { createList, findList, type List, updateList } from '../../src/domain/lists/lists.ts';
import { readListsOf, readMembers } from '../../src/domain/lists/read-members.ts';
import { searchLists } from '../../src/domain/lists/search-lists.ts';
import { search } from '../../src/domain/search/search.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

const MEMBERS = 30_000;
const LISTS = 900;
/** Entries of indexes that a statement reads: each list of a store, and a page. */
const MOST_READ = 3_000;
const PAGE = { limit: 50, cursor: undefined };

/** By the plans that a process made when there were no lists yet. */
describe('Statements about lists', () => {
  const storeId = newId();
  const profileId = newId();
  let test: TestDatabase;
  let database: Database;
  let db: Sql;
  let list: List;

  before(async () => {
    test = await createUndividedDatabase();
    database = await openDatabase(test.url, 1);
    db = database.sql;
    list = await createList(db, storeId, { name: 'Large', sourceId: 'large' });
    for (const work of Object.values(statements())) await work();
    await test.query(`
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select '${storeId}', '${list.id}', uuidv7(), now(), 'api' from generate_series(1, ${MEMBERS})`);
    await test.query(`
      insert into list (store_id, id, name, members, created_at, updated_at)
      select '${storeId}', uuidv7(), 'L', 0, now(), now() from generate_series(1, ${LISTS})`);
  });
  after(async () => {
    await database?.close();
    await test?.drop();
  });

  const reader: Caller = {
    storeId,
    actor: { kind: 'key', id: storeId },
    windowId: storeId,
    scopes: new Set(['audiences:read']),
    tier: 'standard',
    expiresAt: null,
    country: null,
    keepsHistory: false,
  };
  const statements = (): Record<string, () => Promise<unknown>> => ({
    'a list': () => findList(db, storeId, list.id),
    'a list by its source_id': () => findListsByName(db, storeId, ['large', newId()]),
    'lists page by page': () => searchLists(db, storeId, { latestFirst: true }, PAGE),
    'lists of a name': () => searchLists(db, storeId, { names: ['x'], latestFirst: false }, PAGE),
    'a search for lists': () => search(db, reader, { text: 'l', address: 'l', limit: 5, knowsNames: true }),
    'members of a list': () => readMembers(db, storeId, list.id, PAGE),
    'the lists of a customer': () => readListsOf(db, storeId, profileId, PAGE),
    'a change of a list': () => updateList(db, storeId, list.id, { name: 'Large', sourceId: 'large' }),
    'another list, and its deletion': async () => {
      const { id } = await createList(db, storeId, { name: 'Other', sourceId: 'other' });
      await deleteList(db, storeId, id);
    },
    'members who join': () => addMembers(db, storeId, list.id, [{ profileId }], { how: 'api', source: null }),
    'members who leave': () => removeMembers(db, storeId, list.id, [{ profileId }, { identifiers: { email: 'x' } }]),
    'what is left of lists': () => deleteMembersOfDeleted(db, performance.now() + 10),
  });

  for (const name of Object.keys(statements())) {
    it(`read no table whole: ${name}`, async () => {
      const before = await countsOf(db);
      await statements()[name]?.();
      const after = await countsOf(db);
      const bad = [...after].filter(([table, { whole, entries }]) => {
        const earlier = before.get(table) ?? { whole: 0, entries: 0 };
        return whole > earlier.whole || entries - earlier.entries > MOST_READ;
      });
      expect(bad).to.deep.equal([]);
    });
  }

  it('delete the members of a deleted list in batches, and pass over none twice', async () => {
    await test.query(`update list set members = ${MEMBERS} where id = '${list.id}'`);
    await deleteList(db, storeId, list.id);
    const entriesOf = async () => (await countsOf(db)).get('list_member')?.entries ?? 0;
    const before = await entriesOf();
    await deleteMembersOfDeleted(db, performance.now() + 10_000);
    const left = await test.query<{ n: number }>('select count(*)::int as n from list_member');
    expect(left[0]?.n).to.equal(0);
    // Each is looked up in its batch, and then deleted.
    expect((await entriesOf()) - before).to.be.below(3 * MEMBERS);
    const batches = await test.query<{ n: number }>(
      `select max(cardinality(ids)) as n from addition where list_id = '${list.id}' and not has_joined`,
    );
    expect(batches[0]?.n).to.equal(5_000);
  });
});

async function countsOf(db: Sql): Promise<Map<string, { whole: number; entries: number }>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ table: string; whole: number; entries: number }>`
    select t.relname as table, t.seq_scan::float8 as whole,
      (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid)::float8 as entries
    from pg_stat_user_tables t where t.relname ~ '^list'`.execute(db);
  return new Map(rows.map(({ table, ...counts }) => [table, counts]));
}
