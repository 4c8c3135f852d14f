import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  ApiKeySession,
  EventsApi,
  type EventsBulkCreateQueryResourceObject,
  OAuthBasicSession,
  ProfilesApi,
  type Session,
} from 'klaviyo-api';
import { TestService } from '../support/service.ts';

/** The SDK's key session, with this service's scheme word. */
class CompatSession extends ApiKeySession {
  protected override _apiKeyPrefix = 'Compat-API-Key';
}

const profile = { type: 'profile', attributes: { email: 'ada@example.com', firstName: 'Ada' } } as const;
const metric = { data: { type: 'metric', attributes: { name: 'Placed Order' } } } as const;

describe("The third party's SDK", () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ COMPAT_AUTH_SCHEMES: 'Klaviyo-API-Key' });
  });
  after(() => service.stop());

  const SESSIONS: [word: string, open: (key: string) => Session][] = [
    ['Bearer', (key) => new OAuthBasicSession(key)],
    ['Compat-API-Key', (key) => new CompatSession(key)],
    ['Klaviyo-API-Key, which is built in', (key) => new ApiKeySession(key)],
  ];

  for (const [word, open] of SESSIONS) {
    describe(`with the scheme ${word}`, () => {
      let events: EventsApi;
      let profiles: ProfilesApi;
      let storeId: string;

      beforeEach(async () => {
        const { key, storeId: store } = await service.newKey();
        storeId = store;
        const session = open(key);
        events = new EventsApi(session);
        profiles = new ProfilesApi(session);
        for (const api of [events, profiles]) api.basePath = `${service.url}/compat/v1`;
      });

      const count = async (table: string) =>
        (await service.database.query(`select 1 from ${table} where store_id = '${storeId}'`)).length;

      async function followImport(id: string) {
        for (;;) {
          const { body } = await profiles.getBulkImportProfilesJob(id);
          if (body.data.attributes.status === 'complete') return body.data.attributes;
          await sleep(20);
        }
      }

      it('creates an event', async () => {
        const attributes = {
          metric,
          profile: { data: profile },
          properties: { order_id: 'o1' },
          time: new Date('2026-11-20T09:15:27Z'),
          value: 59.9,
          valueCurrency: 'EUR',
          uniqueId: 'o1',
        };
        const { response } = await events.createEvent({ data: { type: 'event', attributes } });
        expect(response.status).to.equal(202);
        expect(response.data.data.attributes).to.deep.include({
          properties: { order_id: 'o1' },
          time: '2026-11-20T09:15:27.000Z',
          value: 59.9,
          value_currency: 'EUR',
          unique_id: 'o1',
        });
      });

      it('creates a profile, and reads every field of it', async () => {
        const attributes = {
          ...profile.attributes,
          phoneNumber: '+4930123456',
          externalId: 'c1',
          lastName: 'Lovelace',
          location: { city: 'London', latitude: 51.5 },
          properties: { tier: 'gold' },
        };
        const { response, body } = await profiles.createProfile({ data: { type: 'profile', attributes } });
        expect(response.status).to.equal(201);
        expect(body.data.id).to.be.a('string');
        expect(body.data.links.self).to.equal(`${service.url}/compat/v1/profiles/${body.data.id}`);
        expect(body.data.attributes).to.deep.include({ ...attributes, location: body.data.attributes.location });
        expect(body.data.attributes.location).to.include({ city: 'London', latitude: 51.5 });
        expect(body.data.attributes.created).to.be.an.instanceOf(Date);
      });

      it('creates events in bulk', async () => {
        const grouped = (uniqueId: string) =>
          ({ type: 'event', attributes: { metric, properties: {}, uniqueId } }) as const;
        const group: EventsBulkCreateQueryResourceObject = {
          type: 'event-bulk-create',
          attributes: { profile: { data: profile }, events: { data: [grouped('a'), grouped('b')] } },
        };
        const { response } = await events.bulkCreateEvents({
          data: { type: 'event-bulk-create-job', attributes: { eventsBulkCreate: { data: [group] } } },
        });
        expect(response.status).to.equal(202);
        while ((await count('event')) < 2) await sleep(20);
      });

      it('imports profiles, and follows the job to completion and its errors', async () => {
        const unknown = { type: 'profile', id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77', attributes: {} } as const;
        const { response, body } = await profiles.bulkImportProfiles({
          data: { type: 'profile-bulk-import-job', attributes: { profiles: { data: [profile, unknown] } } },
        });
        expect(response.status).to.equal(202);
        expect(await followImport(body.data.id)).to.include({ totalCount: 2, completedCount: 1, failedCount: 1 });
        expect(await count('profile')).to.equal(1);
        const errors = await profiles.getErrorsForBulkImportProfilesJob(body.data.id);
        expect(errors.body.data).to.have.length(1);
        expect(errors.body.data[0]?.attributes.source.pointer).to.equal('/data/attributes/profiles/data/1/id');
      });

      it('reads events, with their metrics and profiles', async () => {
        const attributes = { metric, profile: { data: profile }, properties: { n: 1 }, uniqueId: 'o1', value: 2 };
        for (const uniqueId of ['o1', 'o2']) {
          await events.createEvent({ data: { type: 'event', attributes: { ...attributes, uniqueId } } });
        }
        const options = {
          filter: 'equals(metric_id,"placed_order")',
          pageSize: 1,
          include: ['metric', 'profile'] as const,
        };
        const { body: first } = await events.getEvents({ ...options, include: [...options.include] });
        const [event] = first.data;
        expect(event?.attributes.eventProperties).to.deep.equal({ n: 1, $value: 2, $event_id: 'o2' });
        expect(event?.attributes.datetime).to.be.an.instanceOf(Date);
        expect(first.included?.map(({ type }) => type)).to.deep.equal(['metric', 'profile']);
        const { body: second } = await events.getEvents({ pageSize: 1, pageCursor: first.links?.next as string });
        expect(second.data[0]?.attributes.eventProperties).to.include({ $event_id: 'o1' });
        expect(second.links?.next).to.equal(null);
        const id = event?.id as string;
        expect((await events.getEvent(id)).body.data.attributes.uuid).to.equal(id);
        expect((await events.getMetricForEvent(id)).body.data?.attributes.name).to.equal('Placed Order');
        expect((await events.getProfileForEvent(id)).body.data?.attributes.email).to.equal('ada@example.com');
      });

      it('lists the jobs that import profiles, and their profiles', async () => {
        const accepted = await profiles.bulkImportProfiles({
          data: { type: 'profile-bulk-import-job', attributes: { profiles: { data: [profile] } } },
        });
        const { id } = accepted.body.data;
        await followImport(id);
        const { body } = await profiles.getBulkImportProfilesJobs({ filter: 'equals(status,"complete")' });
        expect(body.data.map((job) => job.id)).to.deep.equal([id]);
        const imported = await profiles.getProfilesForBulkImportProfilesJob(id);
        expect(imported.body.data[0]?.attributes.email).to.equal('ada@example.com');
        const ids = await profiles.getProfileIdsForBulkImportProfilesJob(id);
        expect(ids.body.data[0]?.id).to.equal(imported.body.data[0]?.id);
        expect((await profiles.getListForBulkImportProfilesJob(id)).body.data).to.deep.equal([]);
      });

      it('reports what was wrong with a request', async () => {
        const attributes = { email: 'not-an-email' };
        const error = await profiles.createProfile({ data: { type: 'profile', attributes } }).then(
          () => undefined,
          (thrown) => thrown,
        );
        expect(error?.response.status).to.equal(400);
        expect(error?.response.data.errors[0].source.pointer).to.equal('/data/attributes/email');
      });
    });
  }
});
