import { expect } from 'chai';
import { sql } from 'kysely';
import { isDatabaseError } from '../../src/db/driver-errors.ts';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

describe('A query that times out', () => {
  let place: TestDatabase;
  let database: Database;

  before(async () => {
    place = await createDatabase();
    await place.query('create table note (text text)');
    database = await openDatabase(place.url, 1, { query_timeout: 300 });
  });
  after(async () => {
    await database.close();
    await place.drop();
  });

  it('closes its connection and with it the transaction, so that the next query gets a fresh one', async () => {
    const slow = database.sql.transaction().execute(async (tx) => {
      await sql`insert into note values ('half')`.execute(tx);
      await sql`select pg_sleep(3)`.execute(tx);
    });
    expect(isDatabaseError(await slow.catch((error) => error))).to.equal(true);

    await sql`insert into note values ('whole')`.execute(database.sql);
    expect(await place.query('select text from note')).to.deep.equal([{ text: 'whole' }]);
  });
});
