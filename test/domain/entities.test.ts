import { expect } from 'chai';
import { ProfileEntity } from '../../src/db/entities/profile.ts';
import { type OrmDatabase, openOrm } from '../../src/db/orm.ts';
import { RawJson, stringify } from '../../src/db/raw-json.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

describe('An entity with JSON', () => {
  let testDatabase: TestDatabase;
  let database: OrmDatabase;
  const key = { storeId: newId(), id: newId() };

  before(async () => {
    testDatabase = await createDatabase();
    database = await openOrm(testDatabase.url, 1, {}, [ProfileEntity]);
    const em = database.orm.em.fork();
    const now = new Date();
    em.create(ProfileEntity, {
      ...key,
      externalId: null,
      email: `o'hara?@example.com`,
      phone: null,
      anonymousId: null,
      attributes: new RawJson(`{"first_name": "Ada", "motto": "why? it's \\\\ so"}`),
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
  });
  after(async () => {
    await database.orm.close();
    await testDatabase.drop();
  });

  it('has it as the database has it, which goes into an answer unparsed', async () => {
    const profile = await database.orm.em.fork().findOneOrFail(ProfileEntity, key);
    expect(profile.email).to.equal(`o'hara?@example.com`);
    expect(profile.attributes).to.be.instanceOf(RawJson);
    expect(stringify({ attributes: profile.attributes })).to.equal(
      `{"attributes":{"motto": "why? it's \\\\ so", "first_name": "Ada"}}`,
    );
  });

  it('is written again only where it was replaced', async () => {
    const em = database.orm.em.fork();
    const profile = await em.findOneOrFail(ProfileEntity, key);
    const unit = em.getUnitOfWork();
    unit.computeChangeSets();
    expect(unit.getChangeSets()).to.deep.equal([]);
    profile.attributes = new RawJson('{"last_name": "Lovelace"}');
    await em.flush();
    const again = await database.orm.em.fork().findOneOrFail(ProfileEntity, key);
    expect(again.attributes.parse()).to.deep.equal({ last_name: 'Lovelace' });
  });
});
