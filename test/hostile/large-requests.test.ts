import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/orm.ts';
import type { Client } from '../support/client.ts';
import { addTrigger } from '../support/obstacles.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { AS_PROMISED, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'seen', profile: { email: 'a@example.com' } };
const SECONDS = 1.5;
const REQUESTS = 12;
const LOCK = 4711;

describe('Large requests that the database is slow to write', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread(
      { ...AS_PROMISED, MAX_BODY_MEMORY: '1000' },
      await createUndividedDatabase(),
    );
    client = await service.client();
    // Only what is large, so that the rest of the service is as it is.
    await addTrigger(service.database, 'event', {
      when: 'after insert',
      referencing: 'referencing new table as added',
      for: 'each statement',
      body: `
        if exists (select from added where event_type = 'held') then perform pg_advisory_xact_lock(${LOCK}); end if;
        if (select count(*) from added where event_type = 'seen') > 1 then perform pg_sleep(${SECONDS}); end if;
        return null;`,
    });
  });
  after(() => service.stop());

  it('are written or refused with Retry-After; waiting for a permit is not reported as a database failure', async () => {
    const bodies = Array.from({ length: REQUESTS }, (_, i) => {
      const event = {
        ...EVENT,
        profile: { email: `customer${i}@example.com` },
        properties: { text: 'x'.repeat(50_000) },
      };
      return JSON.stringify({ events: [event, event] });
    });
    const headers = { 'Content-Type': 'application/json' };
    const answers = await Promise.all(bodies.map((body) => client.send('POST', '/v1/events/bulk', body, { headers })));
    expect(answers.map(({ status }) => status)).to.include.members([201, 502]);
    for (const { status, headers, body } of answers) {
      if (status === 201) continue;
      expect([status, body.error.code, headers['retry-after']]).to.deep.equal([502, 'upstream_error', '1']);
    }
    const written = answers.filter(({ status }) => status === 201).length;
    expect(await service.database.query(`select id from event where event_type = 'seen'`)).to.have.length(2 * written);
  });

  it('let the next one of their store be written meanwhile', async () => {
    const send = (event_type: string) => {
      const events = Array.from({ length: 700 }, () => ({
        ...EVENT,
        event_type,
        properties: { text: 'x'.repeat(100) },
      }));
      return client.post('/v1/events/bulk', { events });
    };
    const holder = await openDatabase(service.database.url, 1);
    // Where the machine is so slow that the database gives up the first one, they are sent once more.
    let hasOverlapped = false;
    for (let tries = 0; tries < 5 && !hasOverlapped; tries += 1) {
      await holder.sql.transaction().execute(async (tx) => {
        await sql`select pg_advisory_lock(${LOCK})`.execute(tx);
        let isOver = false;
        const held = send('held').finally(() => {
          isOver = true;
        });
        await until(async () => {
          const { rows } =
            await sql`select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`.execute(tx);
          return rows.length > 0 || isOver;
        }, 'it waits');
        hasOverlapped = (await send('free')).status === 201 && !isOver;
        await sql`select pg_advisory_unlock(${LOCK})`.execute(tx);
        await held;
      });
    }
    await holder.close();
    expect(hasOverlapped).to.equal(true);
  });
});
