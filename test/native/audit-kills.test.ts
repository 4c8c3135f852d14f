import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { holdRows } from '../support/obstacles.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';

describe('A kill during a change that is audited', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let key: string | undefined;

  before(async () => {
    database = await createDatabase();
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
  });

  const start = async () => {
    service = new ServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
    const url = await service.url();
    key ??= service.key;
    return new Client(url, key);
  };
  const kill = async () => {
    service.signal('SIGKILL');
    await service.ended;
  };
  const namesOfKeys = async (client: Client) =>
    (await client.get<any>('/v1/api-keys', { expect: 200 })).body.api_keys.map(({ name }: any) => name);
  const openEntries = () =>
    database.query<{ id: string }>(`select id from audit_entry where outcome is null order by id desc`);

  /** Else Postgres would go on with what waits for a row, although its client is gone. */
  const endWaiting = () =>
    database.query(`select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);

  it('before or after it is made leaves its entry, which says that nobody knows', async () => {
    const client = await start();
    const create = (name: string) =>
      client.post('/v1/api-keys', { name, scopes: ['events:write'] }).catch(() => undefined);

    const releaseStore = await holdRows(database, 'store', 'true');
    const never = create('Never');
    await until(async () => (await openEntries()).length === 1, 'the entry of the first is written');
    await kill();
    await never;
    await endWaiting();
    await releaseStore();

    const again = await start();
    const release = await holdRows(database, 'store', 'true');
    const made = new Client(await service.url(), key).post('/v1/api-keys', { name: 'Made', scopes: ['events:write'] });
    const answered = made.catch(() => undefined);
    await until(async () => (await openEntries()).length === 2, 'the entry of the second is written');
    const [second] = await openEntries();
    const releaseEntry = await holdRows(database, 'audit_entry', `id = '${second?.id}'`);
    await release();
    await until(async () => (await namesOfKeys(again)).includes('Made'), 'the second is made');
    await kill();
    await answered;
    await endWaiting();
    await releaseEntry();

    const last = await start();
    expect(await namesOfKeys(last))
      .to.include('Made')
      .and.not.include('Never');
    await database.query(`update audit_entry set begun_at = now() - interval '1 hour'`);
    const { body } = await last.get<any>('/v1/audit-entries?operation=createApiKey', { expect: 200 });
    expect(body.entries.map(({ outcome, fields }: any) => [outcome, fields])).to.deep.equal([
      ['unknown', ['name', 'scopes']],
      ['unknown', ['name', 'scopes']],
    ]);
  });
});
