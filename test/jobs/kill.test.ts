import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';

const ROUNDS = 3 * Math.max(1, SOAK_ROUNDS);
const PROFILES = 10_000;
const EVENTS = 1_000;
/** Milliseconds that both jobs take together, more or less. */
const WORK_MS = 700;

describe('A kill during bulk jobs', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let key: string | undefined;

  before(async () => {
    database = await createDatabase();
    await start();
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function start(): Promise<Client> {
    service = new ServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
    const url = await service.url();
    key ??= service.key;
    return new Client(url, key);
  }

  async function importProfiles(client: Client, round: number): Promise<string> {
    const data = Array.from({ length: PROFILES }, (_, i) => ({
      type: 'profile',
      attributes: { external_id: `round${round}-${i}`, properties: { round } },
    }));
    const document = { data: { type: 'profile-bulk-import-job', attributes: { profiles: { data } } } };
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', document, { expect: 202 });
    return `/compat/v1/profile-bulk-import-jobs/${body.data.id}`;
  }

  async function createEvents(client: Client, round: number): Promise<string> {
    const profile = { data: { type: 'profile', attributes: { external_id: `visitor-of-round${round}` } } };
    const metric = { data: { type: 'metric', attributes: { name: `Round ${round}` } } };
    const events = Array.from({ length: EVENTS }, () => ({ type: 'event', attributes: { metric, properties: {} } }));
    const groups = [{ type: 'event-bulk-create', attributes: { profile, events: { data: events } } }];
    const attributes = { 'events-bulk-create': { data: groups } };
    const document = { data: { type: 'event-bulk-create-job', attributes } };
    const { body } = await client.post('/compat/v1/event-bulk-create-jobs', document, { expect: 202 });
    return `/compat/v1/event-bulk-create-jobs/${body.data.id}`;
  }

  async function expectComplete(client: Client, path: string, total: number): Promise<void> {
    await until(
      async () => (await client.get(path, { expect: 200 })).body.data.attributes.status === 'complete',
      'the job is complete',
    );
    const { attributes } = (await client.get(path)).body.data;
    expect(attributes).to.include({ total_count: total, completed_count: total, failed_count: 0 });
  }

  const count = async (statement: string) => (await database.query<{ n: number }>(statement))[0]?.n;

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`at any moment leaves every item recorded once and the counts right (${round})`, async () => {
      const client = new Client(await service.url(), key);
      const jobs = [await importProfiles(client, round), await createEvents(client, round)] as const;
      const moment = ((round - 0.5) / ROUNDS) * WORK_MS;
      await sleep(moment);
      service.signal('SIGKILL');
      await service.ended;

      const restarted = await start();
      await expectComplete(restarted, jobs[0], PROFILES);
      await expectComplete(restarted, jobs[1], EVENTS);
      const when = `killed after ${moment.toFixed(0)} ms`;
      const profiles = `select count(*)::int as n from profile where attributes ->> 'round' = '${round}'`;
      const events = `select count(*)::int as n from event where event_type = 'round_${round}'`;
      expect(await count(profiles), when).to.equal(PROFILES);
      expect(await count(events), when).to.equal(EVENTS);
      expect(await count('select count(*)::int as n from import_chunk'), when).to.equal(0);
    });
  }
});
