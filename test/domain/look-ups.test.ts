import { expect } from 'chai';
import pg from 'pg';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

/** What the primary key of each large table finds. */
const LOOK_UPS = {
  profile: 'id = $2::uuid',
  event: 'id = $2::uuid',
  profile_identifier: `kind = 'email' and value = $2::text`,
  consent: 'profile_id = $2::uuid',
  import_job: 'id = $2::uuid',
};

describe('A new database', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    // Plans are those of one server; a node of a cluster makes them for its shards.
    database = await createUndividedDatabase();
    client = new pg.Client(database.url);
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
  });
  after(async () => {
    await client?.end();
    await database.drop();
  });

  for (const [table, condition] of Object.entries(LOOK_UPS)) {
    // The service keeps the plans that it made when its tables were empty, until Postgres has counted their rows.
    it(`looks up a row of ${table} by the primary key, and by no other index`, async () => {
      await client.query(
        `prepare look_up_${table} as select * from ${table} where store_id = $1::uuid and ${condition}`,
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute look_up_${table} ('${newId()}', '${newId()}')`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(/using (\w+)/g)).to.satisfy(
        (names: string[]) => names.every((name) => /_pkey/.test(name)),
        plan,
      );
    });
  }
});
