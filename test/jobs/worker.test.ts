import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase, SETTINGS_OF_JOBS } from '../../src/db/orm.ts';
import { type Attempt, beginAttempt, uncountAttempt } from '../../src/domain/imports/attempts.ts';
import { eventJobDocument, profileJobDocument } from '../compat/documents.ts';
import type { Client } from '../support/client.ts';
import { holdTable, refuseRows } from '../support/obstacles.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

const IMPORTS = '/compat/v1/profile-bulk-import-jobs';
const EVENT_JOBS = '/compat/v1/event-bulk-create-jobs';

describe('The worker of bulk jobs', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  const profiles = (count: number) =>
    profileJobDocument(Array.from({ length: count }, (_, i) => ({ external_id: `customer-${i}` })));

  const submit = async (client: Client, path: string, document: object): Promise<string> =>
    `${path}/${(await client.post(path, document, { expect: 202 })).body.data.id}`;

  const attributesOf = async (client: Client, job: string) =>
    (await client.get(job, { expect: 200 })).body.data.attributes;

  const completion = (client: Client, job: string) =>
    until(async () => (await attributesOf(client, job)).status === 'complete', 'the job is complete');

  const worker = () => new Command(process.execPath, [builtProgram('src/worker.ts')], { DATABASE_URL: database.url });

  it('runs as a separate process if the service leaves jobs to others, and exits with 0 on SIGTERM', async () => {
    const service = await TestService.start({ WORKER_CONCURRENCY: '0' }, database);
    const client = await service.client();
    const job = await submit(client, IMPORTS, profiles(10));
    expect(await attributesOf(client, job)).to.include({ status: 'queued', completed_count: 0, started_at: null });
    const process = worker();
    await completion(client, job);
    process.signal('SIGTERM');
    expect((await process.ended).code).to.equal(0);
    await service.stopService();
  });

  it('resumes a job where it was stopped', async () => {
    const service = await TestService.start({ WORKER_CONCURRENCY: '0' }, database);
    const client = await service.client();
    const job = await submit(client, IMPORTS, profiles(10_000));
    const first = worker();
    await until(async () => (await attributesOf(client, job)).completed_count > 0, 'some items are stored');
    first.signal('SIGTERM');
    expect((await first.ended).code).to.equal(0);
    const { completed_count: before } = await attributesOf(client, job);
    const stored = await database.query<{ n: number }>('select count(*)::int as n from profile');
    expect(stored[0]?.n).to.equal(before);

    const second = worker();
    await completion(client, job);
    expect(await attributesOf(client, job)).to.include({ completed_count: 10_000, failed_count: 0 });
    second.signal('SIGTERM');
    await second.ended;
    await service.stopService();
  });

  it('counts only stored items while two workers process the same jobs', async () => {
    const [one, other] = [await TestService.start({}, database), await TestService.start({}, database)];
    const client = await one.client();
    const jobs = [await submit(client, IMPORTS, profiles(5_000)), await submit(client, IMPORTS, profiles(5_000))];
    await until(async () => {
      const counted = await Promise.all(jobs.map((job) => attributesOf(client, job)));
      const [stored] = await database.query<{ n: number }>('select count(*)::int as n from profile');
      expect(stored?.n).to.be.at.least(Math.max(...counted.map(({ completed_count }) => completed_count)));
      return counted.every(({ status }) => status === 'complete');
    }, 'both jobs are complete');
    expect(await database.query('select count(*)::int as n from profile')).to.deep.equal([{ n: 5_000 }]);
    await one.stopService();
    await other.stopService();
  });

  it('fails an item that the database refuses, and records all others of its job', async () => {
    const database = await createDatabase();
    await refuseRows(database, 'profile', `new.external_id = 'customer-617'`, 'data_exception');
    const service = await TestService.start({}, database);
    const client = await service.client();
    const job = await submit(client, IMPORTS, profiles(1_200));
    await completion(client, job);
    expect(await attributesOf(client, job)).to.include({ completed_count: 1_199, failed_count: 1 });
    const { body } = await client.get(`${job}/import-errors`, { expect: 200 });
    expect(body.data).to.have.length(1);
    expect(body.data[0].attributes).to.deep.include({
      code: 'internal_error',
      source: { pointer: '/data/attributes/profiles/data/617' },
    });
    await service.stop();
  });

  it('waits for a lock that is held for long, without failing an item', async () => {
    const service = await TestService.start();
    const client = await service.client();
    const release = await holdTable(service.database, 'profile', 'share row exclusive');
    const job = await submit(client, IMPORTS, profiles(30));
    await sleep(5_000);
    expect(await attributesOf(client, job)).to.include({ completed_count: 0, failed_count: 0 });
    await release();
    await completion(client, job);
    expect(await attributesOf(client, job)).to.include({ completed_count: 30, failed_count: 0 });
    await service.stop();
  });

  it('uncounts an attempt that was interrupted only while none has followed it', async () => {
    const service = await TestService.start({ WORKER_CONCURRENCY: '0' }, database);
    await submit(await service.client(), IMPORTS, profiles(1));
    const opened = await openDatabase(database.address, 1, SETTINGS_OF_JOBS);
    const [job] = await database.query<{ storeId: string }>('select store_id as "storeId" from import_job');
    const storeId = job?.storeId as string;
    const db = opened.stores.of(storeId);
    const counted = () => database.query('select attempts, retry_at > now() as "isLater" from import_job');
    const first = await beginAttempt(db, storeId);
    await database.query('update import_job set retry_at = null');
    const second = await beginAttempt(db, storeId);
    await database.query('update import_job set retry_at = null');
    await uncountAttempt(db, first as Attempt);
    expect(await counted()).to.deep.equal([{ attempts: 2, isLater: null }]);
    await uncountAttempt(db, second as Attempt);
    expect(await counted()).to.deep.equal([{ attempts: 1, isLater: true }]);
    await opened.close();
    await service.stopService();
  });

  it('deletes expired jobs and all their rows', async () => {
    const service = await TestService.start({}, database);
    const client = await service.client();
    const unknown = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';
    const groups = [{ profile: { beside: { id: unknown } }, events: [{ metric: 'Visit' }] }];
    const job = await submit(client, EVENT_JOBS, eventJobDocument(groups));
    await completion(client, job);
    await database.query(`update import_job set expires_at = now() - interval '1 second'`);
    await client.get(job, { expect: 404 });
    await service.stopService();

    await (await TestService.start({}, database)).stopService();
    expect(await database.query('select * from import_job')).to.deep.equal([]);
    expect(await database.query('select * from import_error')).to.deep.equal([]);
  });
});
