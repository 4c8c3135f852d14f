import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

/**
 * Tables that are looked up before the store is known, and so can't be stored apart by store: the stores themselves, and
 * the keys, by the hash of what a request carries.
 */
const BEFORE_THE_STORE = ['store', 'api_key'];
/** Of no store: what was migrated. */
const OF_THE_SERVICE = ['migration'];

describe('Tables can be stored apart by store', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  const namesOf = async (query: string) => (await database.query<{ name: string }>(query)).map(({ name }) => name);

  it('each has the store in its rows', async () => {
    const without = await namesOf(`
      select relname as name from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id')
      order by 1`);
    expect(without).to.deep.equal([...OF_THE_SERVICE, 'store']);
  });

  it('what is unique, is so within a store', async () => {
    const across = await namesOf(`
      select distinct t.relname as name
      from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and i.indisunique
        and not exists (
          select from pg_attribute a
          where a.attrelid = t.oid and a.attname = 'store_id' and a.attnum = any(i.indkey)
        )
      order by 1`);
    expect(across).to.have.members([...BEFORE_THE_STORE, ...OF_THE_SERVICE]);
  });

  it('what refers to a row, refers to one of the same store', async () => {
    const across = await namesOf(`
      select t.relname || ' → ' || f.relname as name
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
      where t.relnamespace = 'public'::regnamespace and c.contype = 'f'
        and not exists (
          select from pg_attribute a
          where a.attrelid = t.oid and a.attname = 'store_id' and a.attnum = any(c.conkey)
        )`);
    expect(across).to.deep.equal([]);
  });
});
