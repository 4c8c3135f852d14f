import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { addTrigger } from '../support/obstacles.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'seen', profile: { email: 'a@example.com' } };
const SECONDS = 1.5;
const REQUESTS = 12;

describe('Large requests that the database is slow to write', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread({ MAX_BODY_MEMORY: '1000' });
    client = await service.client();
    // Only what is large, so that the rest of the service is as it is.
    await addTrigger(service.database, 'event', {
      when: 'after insert',
      referencing: 'referencing new table as added',
      for: 'each statement',
      body: `if (select count(*) from added) > 1 then perform pg_sleep(${SECONDS}); end if; return null;`,
    });
  });
  after(() => service.stop());

  it('are written or refused with Retry-After; waiting for a permit is not reported as a database failure', async () => {
    const events = Array.from({ length: 48 }, () => ({ ...EVENT, properties: { text: 'x'.repeat(100_000) } }));
    const body = JSON.stringify({ events });
    const headers = { 'Content-Type': 'application/json' };
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, () => client.send('POST', '/v1/events/bulk', body, { headers })),
    );
    expect(answers.map(({ status }) => status)).to.include.members([201, 502]);
    for (const { status, headers, body } of answers) {
      if (status === 201) continue;
      expect([status, body.error.code, headers['retry-after']]).to.deep.equal([502, 'upstream_error', '1']);
    }
    const written = answers.filter(({ status }) => status === 201).length;
    expect(await service.database.query('select id from event')).to.have.length(48 * written);
  });
});
