import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

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

  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  for (const [table, condition] of Object.entries(LOOK_UPS)) {
    // The service keeps the plans that it made when its tables were empty, until Postgres has counted their rows.
    it(`looks up a row of ${table} by the primary key, and by no other index`, async () => {
      const rows = await database.query<{ 'QUERY PLAN': string }>(`
        explain (generic_plan) select * from ${table} where store_id = $1::uuid and ${condition}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(/using (\w+)/g)).to.satisfy(
        (names: string[]) => names.every((name) => /_pkey/.test(name)),
        plan,
      );
    });
  }
});
