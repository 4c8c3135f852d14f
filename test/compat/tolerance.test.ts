import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import {
  type EventFields,
  eventDocument,
  eventJobDocument,
  type ProfileFields,
  profileDocument,
  profileJobDocument,
} from './documents.ts';
import { profileOf, recordEvent, runJob, saveProfile } from './steps.ts';

const email = 'ada@example.com';
const LOCATION_KEYS = [
  'address1',
  'address2',
  'city',
  'country',
  'region',
  'zip',
  'timezone',
  'ip',
  'latitude',
  'longitude',
];
const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

/** Every optional field of a profile, as null. */
const NO_PROFILE = {
  ...nulls('phone_number', 'external_id', 'anonymous_id', '_kx', 'first_name', 'last_name', 'organization', 'locale'),
  ...nulls('title', 'image', 'location', 'properties', 'meta'),
  beside: nulls('id', 'meta'),
};
const NO_PATCHES = {
  patch_properties: nulls('append', 'unappend', 'unset'),
  patch_identifiers: nulls('append', 'unappend'),
};

describe('The compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const event = (fields: object): EventFields => ({ metric: 'Visit', profile: { email }, ...fields });

  /** Sends an event alone and in bulk, and a profile alone and in bulk; all of them must be accepted. */
  async function acceptsProfile(fields: ProfileFields): Promise<void> {
    const single = await recordEvent(client, event({ profile: fields }));
    expect((await profileOf(client, single)).attributes).to.deep.equal((await saveProfile(client, fields)).attributes);
    for (const document of [
      eventJobDocument([{ profile: fields, events: [{ metric: 'Visit' }] }]),
      profileJobDocument([fields]),
    ]) {
      expect((await runJob(client, document)).attributes).to.include({ completed_count: 1, failed_count: 0 });
    }
  }

  const PROFILES: [what: string, fields: ProfileFields][] = [
    ['null in every optional field of a profile', { email, ...NO_PROFILE }],
    ['null in every field of a location', { email, location: nulls(...LOCATION_KEYS) }],
    ['null in every patch', { email, meta: NO_PATCHES, beside: { meta: NO_PATCHES } }],
    ['null for the patches', { email, meta: nulls('patch_properties', 'patch_identifiers') }],
    ['an empty location', { email, location: {} }],
    ['an empty list for a location', { email, location: [] }],
    ['an empty list for properties', { email, properties: [] }],
    ['empty lists for patches', { email, meta: { patch_properties: { append: [], unappend: [], unset: [] } } }],
    [
      'empty texts for identifiers',
      { email, external_id: '', phone_number: ' ', anonymous_id: '', beside: { id: '' } },
    ],
    [
      'unknown fields',
      { email, subscriptions: {}, list_id: 'x', location: { planet: 'Earth' }, beside: { links: {} } },
    ],
    ['properties misplaced beside the attributes', { email, beside: { properties: { plan: 'x' } } }],
  ];
  for (const [what, fields] of PROFILES) {
    it(`accepts ${what}`, () => acceptsProfile(fields));
  }

  it('accepts a number as an external id, and keeps its digits', async () => {
    const { id, attributes } = await saveProfile(client, { external_id: 7501337 });
    expect(attributes.external_id).to.equal('7501337');
    expect((await saveProfile(client, { external_id: '7501337' })).id).to.equal(id);
    await acceptsProfile({ external_id: 7501337 });
  });

  it('takes numbers as the texts that PHP makes them of', async () => {
    const numbers = {
      phone_number: 442079460958,
      anonymous_id: 17,
      first_name: 7,
      organization: 1871.5,
      location: { zip: 10115, address2: 4, region: 75, latitude: 52.5, longitude: '13.4' },
    };
    const texts = {
      phone_number: '442079460958',
      anonymous_id: '17',
      first_name: '7',
      organization: '1871.5',
      location: { zip: '10115', address2: '4', region: '75', latitude: 52.5, longitude: '13.4' },
    };
    const saved = await saveProfile(client, numbers);
    const { location, ...others } = texts;
    expect(saved.attributes).to.include(others);
    expect(saved.attributes.location).to.include(location);
    expect((await saveProfile(client, texts)).attributes.updated).to.equal(saved.attributes.updated);
    await acceptsProfile(numbers);
    await acceptsProfile({ phone_number: 442079460958 });
    const changes = JSON.stringify({ data: { type: 'profile', id: saved.id, attributes: numbers } });
    await client.send('PATCH', `/compat/v1/profiles/${saved.id}`, changes, {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    const subscribed = { type: 'profile', attributes: { phone_number: 442079460958 } };
    const attributes = { profiles: { data: [subscribed] } };
    const job = { data: { type: 'profile-subscription-bulk-create-job', attributes } };
    await client.post('/compat/v1/profile-subscription-bulk-create-jobs', job, { expect: 202 });
    const { body } = await client.get(`/v1/profiles/${saved.id}`, { expect: 200 });
    expect(body.consent.sms.status).to.equal('subscribed');
  });

  it('accepts coordinates as numbers and as text, and returns them as they were sent', async () => {
    for (const [latitude, longitude] of [
      [40.7128, -74.006],
      ['40.7128', '-74.0060'],
      [0, ''],
    ]) {
      const { attributes } = await saveProfile(client, { email, location: { latitude, longitude } });
      expect(attributes.location).to.include({ latitude, longitude });
    }
  });

  it('accepts null in every optional field of an event', async () => {
    const fields = nulls('properties', 'time', 'value', 'value_currency', 'unique_id', 'backfill');
    const { attributes } = await recordEvent(client, event({ ...fields, metric: { name: 'Visit', service: null } }));
    expect(attributes).to.deep.include({ properties: {}, value: null, unique_id: null, backfill: false });
    const grouped = { profile: { email }, backfill: null, events: [{ metric: 'Visit', ...fields }] };
    expect((await runJob(client, eventJobDocument([grouped]))).attributes.completed_count).to.equal(1);
  });

  for (const properties of [undefined, null, [], {}]) {
    it(`accepts ${JSON.stringify(properties) ?? 'nothing'} for the properties of an event`, async () => {
      const { attributes } = await recordEvent(client, event({ properties }));
      expect(attributes.properties).to.deep.equal({});
    });
  }

  for (const [sent, value] of [
    ['19.99', 19.99],
    ['-5', -5],
    [' 7 ', 7],
    ['1e3', 1000],
    ['', null],
    [0, 0],
    ['19.90', 19.9],
    ['47.950000000000003', 47.95],
    ['0.001000000000000000020816681711721685132943093776702880859375000000', 0.001],
  ]) {
    it(`accepts ${JSON.stringify(sent)} for a value`, async () => {
      expect((await recordEvent(client, event({ value: sent }))).attributes.value).to.equal(value);
    });
  }

  it('accepts numbers as PHP prints them, in events and bulk requests', async () => {
    const php = (document: object) => JSON.stringify(document).replaceAll('47.95', '47.950000000000003');
    const send = (path: string, document: object) =>
      client.send('POST', `/compat/v1/${path}`, php(document), {
        headers: { 'Content-Type': 'application/json' },
        expect: 202,
      });
    const fields = { value: 47.95, properties: { prices: [47.95] } };
    await send('events', eventDocument(event(fields)));
    await send(
      'event-bulk-create-jobs',
      eventJobDocument([{ profile: { email }, events: [{ metric: 'Visit', ...fields }] }]),
    );
    let read: any[] = [];
    await until(async () => {
      read = (await client.get<any>('/v1/events', { expect: 200 })).body.events;
      return read.length === 2;
    }, 'both are recorded');
    for (const { properties } of read) expect(properties).to.deep.equal({ prices: [47.95], value: 47.95 });
  });

  const TIMES = [
    ['2026-11-20T09:15:27Z', '2026-11-20T09:15:27.000Z'],
    ['2026-11-20T09:15:27', '2026-11-20T09:15:27.000Z'],
    ['2026-11-20 09:15:27', '2026-11-20T09:15:27.000Z'],
    ['2026-11-20 09:15:27Z', '2026-11-20T09:15:27.000Z'],
    ['2026-11-20T09:15:27.123456+00:00', '2026-11-20T09:15:27.123Z'],
    ['2026-11-20T09:15:27.999999', '2026-11-20T09:15:27.999Z'],
    ['2026-11-20T09:15:27+02:00', '2026-11-20T07:15:27.000Z'],
    ['2026-11-20T09:15:27-0330', '2026-11-20T12:45:27.000Z'],
    ['2026-11-20T09:15Z', '2026-11-20T09:15:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ];
  for (const [time, kept] of TIMES) {
    it(`accepts the time ${time}`, async () => {
      expect((await recordEvent(client, event({ time }))).attributes.time).to.equal(kept);
    });
  }

  it('accepts an empty time as the time of receipt', async () => {
    const before = Date.now();
    const { attributes } = await recordEvent(client, event({ time: '' }));
    expect(Date.parse(attributes.time)).to.be.within(before, Date.now());
  });

  it('accepts unknown fields at every level of a document', async () => {
    const document: any = eventDocument(event({ foo: 1 }));
    for (const level of [
      document,
      document.data,
      document.data.attributes.metric,
      document.data.attributes.metric.data,
      document.data.attributes.metric.data.attributes,
      document.data.attributes.profile,
    ]) {
      Object.assign(level, { meta: { a: 1 }, links: {}, jobIdentifier: 'user1:1' });
    }
    await client.post('/compat/v1/events', document, { expect: 202 });
    const profile = { ...profileDocument({ email }), jsonapi: { version: '1.0' }, included: [] };
    await client.post('/compat/v1/profiles', profile, { expect: 201 });
  });

  it('accepts the lists of an import, and imports', async () => {
    for (const lists of [{ data: [{ type: 'list', id: 'Y6nRLr' }] }, { data: [] }, null]) {
      const job = await runJob(client, profileJobDocument([{ email }], { lists }));
      expect(job.attributes.completed_count).to.equal(1);
    }
  });
});
