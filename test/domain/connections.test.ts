import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TcpProxy } from '../support/proxy.ts';

const CONNECTIONS = 5;

describe('The connections of a pool', () => {
  let postgres: TestDatabase;
  let proxy: TcpProxy;
  let database: Database;

  before(async () => {
    postgres = await createUndividedDatabase();
    proxy = await TcpProxy.start(postgres.url);
    database = await openDatabase(proxy.url, CONNECTIONS, { query_timeout: 500, connectionTimeoutMillis: 5_000 });
  });
  after(async () => {
    await database.close();
    await proxy.stop();
    await postgres.drop();
  });

  const ask = () => sql`select pg_sleep(0.05)`.execute(database.sql);

  it('are closed once one of them does not answer, so that only one query finds the others forgotten', async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    expect(database.pool.idleCount).to.equal(CONNECTIONS);
    proxy.blackHole();
    proxy.forget();
    const failed = await ask().then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failed).to.equal('Query read timeout');
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  });
});
