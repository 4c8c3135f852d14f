import { expect } from 'chai';
import pg from 'pg';
import {
  type EventFields,
  eventDocument,
  eventJobDocument,
  profileDocument,
  profileJobDocument,
} from '../compat/documents.ts';
import { followJob } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';
const [KNOWN, MORE] = [{ email: EMAIL }, { email: EMAIL, phone: '+31612345678' }];
const COMPAT = '/compat/v1';
const MORE_OF_COMPAT = { email: EMAIL, external_id: 'c1', properties: { tier: 'gold' } };
const VISIT: EventFields = { metric: 'Visit' };

/** What changes a customer, and so waits for the profile; jobs are followed to their end. */
const WRITES: Record<string, (client: Client) => Promise<unknown>> = {
  'an event': (client) => client.post('/v1/events', { event_type: 'visit', profile: MORE }, { expect: 201 }),
  'events in bulk': (client) => {
    const events = [MORE, KNOWN].map((profile) => ({ event_type: 'visit', profile }));
    return client.post('/v1/events/bulk', { events }, { expect: 201 });
  },
  'an upsert': (client) =>
    client.post('/v1/profiles/upsert', { identifiers: MORE, attributes: { tier: 'gold' } }, { expect: 201 }),
  'an event with attributes, of the compatibility surface': (client) =>
    client.post(`${COMPAT}/events`, eventDocument({ ...VISIT, profile: MORE_OF_COMPAT }), { expect: 202 }),
  'a profile of the compatibility surface': (client) =>
    client.post(`${COMPAT}/profile-import`, profileDocument(MORE_OF_COMPAT)),
  'a job of events': (client) => runJob(client, eventJobDocument([{ profile: MORE_OF_COMPAT, events: [VISIT] }])),
  'a job of profiles': (client) => runJob(client, profileJobDocument([MORE_OF_COMPAT])),
  'a choice': (client) => {
    const attributes = { email: EMAIL, subscriptions: { email: { marketing: { consent: 'SUBSCRIBED' } } } };
    const profiles = { data: [{ type: 'profile', attributes }] };
    const document = { data: { type: 'profile-subscription-bulk-create-job', attributes: { profiles } } };
    return client.post(`${COMPAT}/profile-subscription-bulk-create-jobs`, document, { expect: 202 });
  },
};

async function runJob(client: Client, document: { data: { type: string } }): Promise<void> {
  const { body } = await client.post(`${COMPAT}/${document.data.type}s`, document, { expect: 202 });
  const job = await followJob(client, body.data.links.self);
  expect(job.attributes.failed_count).to.equal(0);
}

/** Tables in which a customer's id stands alone. */
const TABLES = ['profile_identifier', 'event', 'consent', 'consent_change'];

describe('A customer who vanishes while a write waits for the profile', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  for (const [what, write] of Object.entries(WRITES)) {
    it(`is another one to ${what}, and nothing is stored for the one who is gone`, async () => {
      const { key, storeId } = await service.newKey();
      const client = new Client(service.url, key);
      const known = await client.post('/v1/profiles/upsert', { identifiers: KNOWN }, { expect: 201 });
      const { id } = known.body;
      const remover = new pg.Client(service.database.url);
      await remover.connect();
      let written: Promise<unknown>;
      try {
        await remover.query('begin');
        await remover.query(`delete from profile where store_id = '${storeId}' and id = '${id}'`);
        await remover.query(`delete from profile_identifier where store_id = '${storeId}' and profile_id = '${id}'`);
        written = write(client);
        written.catch(() => {});
        await until(() => service.database.isWaiting(), 'it waits for the profile');
        await remover.query('commit');
      } finally {
        await remover.end();
      }
      await written;
      const { body } = await client.get(`/v1/profiles?email=${EMAIL}`, { expect: 200 });
      expect(body.profiles).to.have.length(1);
      expect(body.profiles[0].id).not.to.equal(id);
      for (const table of TABLES) {
        const left = await service.database.query(
          `select from ${table} where store_id = '${storeId}' and profile_id = '${id}'`,
        );
        expect(left, table).to.have.length(0);
      }
    });
  }

  it('is not known to a write by the id', async () => {
    const { key, storeId } = await service.newKey();
    const client = new Client(service.url, key);
    const { body } = await client.post('/v1/profiles/upsert', { identifiers: KNOWN }, { expect: 201 });
    const remover = new pg.Client(service.database.url);
    await remover.connect();
    try {
      await remover.query(`begin; delete from profile where store_id = '${storeId}' and id = '${body.id}'`);
      const profile = { properties: { tier: 'gold' }, beside: { id: body.id } };
      const written = client.post(`${COMPAT}/events`, eventDocument({ metric: 'Visit', profile }));
      await until(() => service.database.isWaiting(), 'it waits for the profile');
      await remover.query('commit');
      expect((await written).status).to.equal(400);
    } finally {
      await remover.end();
    }
  });
});
