import { MikroORM, SchemaGenerator } from '@mikro-orm/postgresql';
import { expect } from 'chai';
import { ENTITIES } from '../../src/db/entities/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

/** What no entity describes: the ORM's own table, and the partitions of events, which come and go with the months. */
const SKIPPED_TABLES = ['migration', /^event_\d{4}_\d\d$/];

/** What entities cannot say: whether the function has ICU's rules is decided where the database is migrated. */
/** An entity needs a primary key; the table has none, as rows are only added to it and taken from it. */
const KEY_OF_ENTITY = 'event_count_new: PRIMARY KEY (store_id, start, event_type, month)';

describe('The entities', () => {
  let migrated: TestDatabase;
  let described: TestDatabase;
  let orm: MikroORM;

  before(async () => {
    [migrated, described] = [await createEmptyDatabase(), await createEmptyDatabase()];
    await migrate(migrated.url);
    orm = await MikroORM.init({
      clientUrl: migrated.url,
      entities: ENTITIES,
      extensions: [SchemaGenerator],
      schemaGenerator: { skipTables: SKIPPED_TABLES },
      logger: () => {},
    });
    await described.query(await orm.schema.getCreateSchemaSQL({ wrap: false }));
  });
  after(async () => {
    await orm.close();
    await migrated.drop();
    await described.drop();
  });

  it('do not differ from the migrated schema', async () => {
    const changes = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    expect(changes.trim()).to.equal('');
  });

  it('are one for each table', async () => {
    const tables = await migrated.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const names = tables.map(({ name }) => name).filter((name) => name !== 'migration');
    expect(ENTITIES.map(({ tableName }) => tableName)).to.have.members(names);
  });

  // Once more, for the generator compares indexes on expressions by their names alone, and no key that a table lacks.
  it('make the columns, constraints and indexes that the migrations make', async () => {
    const inEntities = await definitionsOf(described);
    expect(inEntities).to.include(KEY_OF_ENTITY);
    expect(inEntities.filter((definition) => definition !== KEY_OF_ENTITY)).to.deep.equal(
      await definitionsOf(migrated),
    );
  });
});

/** Columns with their types, collations, defaults and expressions; constraints but for those of columns; indexes. */
async function definitionsOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ definition: string }>(`
    with ours as (
      select oid, relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'
    )
    select concat_ws(' ', name || ':', attname, format_type(atttypid, atttypmod), 'collate ' || nullif(collname, 'default'),
      case when attnotnull then 'not null' end, attgenerated, pg_get_expr(adbin, adrelid)) as definition
    from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = ours.oid and adnum = attnum
    left join pg_collation c on c.oid = attcollation
    union all
    select concat_ws(' ', name || ':', pg_get_constraintdef(c.oid)) from ours join pg_constraint c on conrelid = ours.oid
    where contype <> 'n'
    union all
    select concat_ws(' ', name || ':', replace(indexdef, ' ON ONLY ', ' ON ')) from ours join pg_indexes on tablename = name
    where indexname <> 'event_count_new_pkey'
    order by 1`);
  return rows.map(({ definition }) => definition);
}
