import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import type { Client, Response } from '../support/client.ts';
import { freeze } from '../support/freeze.ts';
import { Metrics } from '../support/metrics.ts';
import { databaseAt } from '../support/postgres.ts';
import { AS_PROMISED, temporaryFolder, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

describe('Without its database, the service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: EmbeddedPostgres;
  let service: TestService;
  /** Its key is known to the service; that of the stranger has to be looked up. */
  let client: Client;
  let stranger: Client;

  before(async () => {
    folder = await temporaryFolder();
    postgres = await openEmbedded(folder.path);
    service = await TestService.start({ ...AS_PROMISED, DATABASE_POOL_SIZE: '4' }, databaseAt(postgres.url));
  });
  beforeEach(async () => {
    stranger = await service.client();
    client = await service.client();
    await client.post('/v1/events', EVENT, { expect: 201 });
  });
  after(async () => {
    await service.stop();
    await postgres.release();
    await folder.remove();
  });

  /** The answers to requests of every kind. */
  async function answers(): Promise<Response[]> {
    return await Promise.all([
      ...Array.from({ length: 20 }, () => client.post('/v1/events', EVENT)),
      client.post('/v1/events/bulk', { events: [EVENT] }),
      client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } }),
      stranger.post('/v1/events', EVENT),
      // By the entity manager; the others by statements.
      client.get('/v1/api-keys'),
    ]);
  }

  function expectDatabaseErrors(responses: Response<any>[]): void {
    const codes = new Set(responses.map(({ status, body }) => `${status} ${body.error?.code}`));
    expect([...codes]).to.deep.equal(['500 database_error']);
  }

  /** Nothing is said of what only the database knows. */
  async function expectNoMeasures(): Promise<void> {
    const metrics = await Metrics.of(service.url);
    expect(metrics.sum('footfall_database_up')).to.equal(0);
    for (const name of ['footfall_database_nodes_down', 'footfall_import_jobs_waiting', 'footfall_segments']) {
      expect(metrics.sum(name), name).to.equal(undefined);
    }
  }

  async function expectRecovery(): Promise<void> {
    await until(async () => (await client.get('/health/ready')).status === 200, 'it is ready again');
    const isUp = async () => (await Metrics.of(service.url)).sum('footfall_database_up') === 1;
    await until(isUp, 'the metrics say so');
    for (const { status } of await answers()) expect(status).to.be.oneOf([200, 201]);
    const profiles = { data: [{ type: 'profile', attributes: { email: 'grace@example.com' } }] };
    const job = { data: { type: 'profile-bulk-import-job', attributes: { profiles } } };
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', job, { expect: 202 });
    const status = async () =>
      (await client.get(`/compat/v1/profile-bulk-import-jobs/${body.data.id}`)).body.data.attributes.status;
    await until(async () => (await status()) === 'complete', 'the worker works again');
  }

  it('returns database_error within 5 s while Postgres is stopped, and recovers by itself', async () => {
    process.kill(postgres.pid, 'SIGINT');
    await until(() => !existsSync(join(folder.path, 'postgres/postmaster.pid')), 'it has stopped');
    expectDatabaseErrors(await answers());
    const { body } = await client.get('/health/ready', { expect: 503 });
    expect(body).to.deep.include({ status: 'unavailable', database: 'down' });
    await client.get('/health/live', { expect: 200 });
    await expectNoMeasures();

    const restarted = await openEmbedded(folder.path);
    await postgres.release();
    postgres = restarted;
    await expectRecovery();
  });

  it('returns database_error within 5 s while Postgres hangs, and recovers by itself', async () => {
    const thaw = await freeze(postgres);
    try {
      expectDatabaseErrors(await answers());
      await client.get('/health/ready', { expect: 503 });
      await expectNoMeasures();
      // Now that its connections are used up, too.
      expectDatabaseErrors(await answers());
    } finally {
      thaw();
    }
    await expectRecovery();
  });
});
