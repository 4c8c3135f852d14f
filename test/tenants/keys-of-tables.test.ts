import { expect } from 'chai';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

/**
 * Tables that are looked up before the store is known, and so can't be stored apart by store: the stores themselves, and
 * the keys, sessions and invitations, by the hash of what a request carries.
 */
const BEFORE_THE_STORE = ['store', 'api_key', 'invitation', 'person_session', 'password_reset', 'provider_sign_in'];
/** Has a row for each store, and is wherever the stores are. */
const OF_STORES = ['identifier_check'];
/**
 * Of no store: what was migrated, what is left of that, the key of a service that has none in its settings, and persons, who
 * may be members of several.
 */
const OF_THE_SERVICE = [
  ...['migration', 'background_migration', 'drawn_key', 'person', 'sign_in_failure', 'second_factor', 'recovery_code'],
];
/** A constraint in a statement that gives it a name. */
const NAMED = /\bconstraint \w+\s+(check|unique|primary key|foreign key|references|exclude)\b/gi;

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
    expect(without).to.have.members(['store', ...OF_STORES, ...OF_THE_SERVICE]);
  });

  it('what is unique, is so within a store', async () => {
    const across = await namesOf(`
      select distinct t.relname as name
      from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and i.indisunique
        and not exists (
          select from pg_attribute a
          where a.attrelid = t.oid and a.attname = 'store_id'
            -- A column that is only included makes nothing unique.
            and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])
        )
      order by 1`);
    expect(across).to.have.members([...BEFORE_THE_STORE, ...OF_STORES, ...OF_THE_SERVICE]);
  });

  it('nothing is held apart but by what is unique', async () => {
    const excluding = await namesOf("select conname as name from pg_constraint where contype = 'x'");
    expect(excluding).to.deep.equal([]);
  });

  it('what refers to a row, refers to one of the same store', async () => {
    const across = await namesOf(`
      select t.relname || ' → ' || f.relname as name
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
      where t.relnamespace = 'public'::regnamespace and c.contype = 'f'
        and not exists (
          select from unnest(c.conkey, c.confkey) as pair (own, other)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = pair.own
          join pg_attribute b on b.attrelid = f.oid and b.attnum = pair.other
          where a.attname = 'store_id' and b.attname = case f.relname when 'store' then 'id' else 'store_id' end
        )`);
    expect(across).to.deep.equal([]);
  });

  // Citus gives those without a name others than Postgres does, and a later migration would not find them.
  it('what migrations add to tables that there are has a name', () => {
    const unnamed = MIGRATIONS.migrationsList.flatMap(({ name, class: Migration }) => {
      const migration = new Migration(undefined as never, undefined as never);
      migration.up();
      return migration
        .getQueries()
        .map(String)
        .filter((text) => /^\s*alter table/i.test(text))
        .filter((text) =>
          /\b(check|unique|primary key|foreign key|references|exclude)\b/i.test(text.replace(NAMED, '')),
        )
        .map((text) => `${name}: ${text.trim()}`);
    });
    expect(unnamed).to.deep.equal([]);
  });
});
