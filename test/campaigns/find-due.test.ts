import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { findDueCampaigns } from '../../src/domain/campaigns/engine/find-due.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

describe('Campaigns that something is to be done for', () => {
  let database: TestDatabase;
  let opened: Database;

  before(async () => {
    database = await createUndividedDatabase();
    opened = await openDatabase(database.url, 1);
  });
  after(() => opened.close());

  /** Due, each a second after the one before. */
  const add = (storeId: string, count: number) =>
    database.query(`
      insert into campaign (store_id, id, name, channel, status, revision, created_at, updated_at, due_at)
      select '${storeId}', uuidv7(), n::text, 'email', 'scheduled', 1, now(), now(), now() - interval '2 hours' + n * interval '1 second'
      from generate_series(1, ${count}) n`);

  it('are some of each store, the first of each before the second of any', async () => {
    const [many, few] = [newId(), newId()];
    await add(many, 1_000);
    await add(few, 2);
    const found = await findDueCampaigns(opened.sql);
    const places = found.flatMap(({ storeId }, place) => (storeId === few ? place : []));
    expect(places).to.have.length(2);
    expect(places[0]).to.be.below(2);
    expect(places[1]).to.be.below(4);
    const others = found.filter(({ storeId }) => storeId === many);
    expect(others).to.have.length(20);
    const oldest = await database.query(`select name from campaign where id = '${others[0]?.id}'`);
    expect(oldest).to.deep.equal([{ name: '1' }]);
  });
});
