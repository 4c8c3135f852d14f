import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';

const ROUNDS = 2 * Math.max(1, SOAK_ROUNDS);
const ROWS = 8_000;
/** Milliseconds that an import takes, more or less. */
const WORK_MS = 1_500;
const PART = 50_000;

describe('A kill during an import of customers', () => {
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

  const count = async (statement: string) => (await database.query<{ n: number }>(statement))[0]?.n;

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`at any moment leaves each row written once, and the counts right (${round})`, async () => {
      const client = new Client(await service.url(), key);
      const { body: list } = await client.post('/v1/lists', { name: `Round ${round}` }, { expect: 201 });
      const mapping = [
        { column: 'id', identifier: 'external_id' },
        { column: 'round', attribute: 'round' },
        { column: 'email', identifier: 'email' },
      ];
      // Each twentieth row is refused, and each tenth is of the customer before it.
      const rows = Array.from({ length: ROWS }, (_, i) => {
        const n = i % 10 === 9 ? i - 1 : i;
        return `round${round}-${n},${round},${i % 20 === 5 ? 'nobody' : ''}`;
      });
      const text = ['id,round,email', ...rows].join('\n');
      const consent = { email: 'subscribed', changed_at: '2026-01-01T00:00:00Z' };
      const opened = await client.post('/v1/imports', { mapping, consent, list_ids: [list.id] }, { expect: 201 });
      const path = `/v1/imports/${opened.body.id}`;
      for (let n = 0; n * PART < text.length; n += 1) {
        const part = JSON.stringify({ text: text.slice(n * PART, (n + 1) * PART) });
        const headers = { 'Content-Type': 'application/json' };
        await client.send('PUT', `${path}/parts/${n + 1}`, part, { headers, expect: 200 });
      }
      await client.post(`${path}/start`, {}, { expect: 202 });
      const moment = ((round - 0.5) / ROUNDS) * WORK_MS;
      await sleep(moment);
      service.signal('SIGKILL');
      await service.ended;

      const restarted = await start();
      const read = async () => (await restarted.get(path, { expect: 200 })).body;
      await until(async () => (await read()).ended_at !== null, 'the import has ended');
      const when = `killed after ${moment.toFixed(0)} ms`;
      const refused = ROWS / 20;
      const customers = ROWS - ROWS / 10 - refused;
      expect((await read()).rows, when).to.deep.equal({
        read: ROWS,
        created: customers,
        updated: ROWS / 10,
        failed: refused,
      });
      const profiles = `select count(*)::int as n from profile where attributes ->> 'round' = '${round}'`;
      expect(await count(profiles), when).to.equal(customers);
      const errors = `select count(*)::int as n from import_error where job_id = '${opened.body.id}'`;
      expect(await count(errors), when).to.equal(refused);
      expect((await restarted.get(`/v1/lists/${list.id}`)).body.member_count, when).to.equal(customers);
      expect(await count('select count(*)::int as n from customer_import_part'), when).to.equal(0);
    });
  }
});
