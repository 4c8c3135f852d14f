import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventDocument, eventJobDocument, profileDocument, profileJobDocument } from './documents.ts';
import { expectRefusal, pointersOf } from './steps.ts';

const email = 'ada@example.com';
const profile = { email };
const EVENT = eventDocument({ metric: 'Visit', profile });
const PROFILE = profileDocument(profile);

const A = '/data/attributes';

describe('Documents that the compatibility surface refuses', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const data = (fields: object) => ({ data: fields });
  const event = (fields: object) => eventDocument({ metric: 'Visit', profile, ...fields });
  const CASES: [path: string, what: string, document: object, pointer: string][] = [
    ['events', 'no data', {}, '/data'],
    ['events', 'data that is a list', data([EVENT.data]), '/data'],
    ['events', 'null for data', { data: null }, '/data'],
    ['events', 'another type', data({ ...EVENT.data, type: 'profile' }), '/data/type'],
    ['events', 'no attributes', data({ type: 'event' }), A],
    ['events', 'no profile', eventDocument({ metric: 'Visit' }), `${A}/profile`],
    [
      'events',
      'a metric that is a text',
      data({ type: 'event', attributes: { ...EVENT.data.attributes, metric: 'Visit' } }),
      `${A}/metric`,
    ],
    ['events', 'an empty metric name', event({ metric: '' }), `${A}/metric/data/attributes/name`],
    ['events', 'a metric name that is a number', event({ metric: { name: 1 } }), `${A}/metric/data/attributes/name`],
    ['events', 'a metric without a name', event({ metric: {} }), `${A}/metric/data/attributes/name`],
    ['events', 'properties that are a list', event({ properties: [1] }), `${A}/properties`],
    ['events', 'properties that are a text', event({ properties: 'a=1' }), `${A}/properties`],
    ['events', 'a value that is no number', event({ value: 'ten' }), `${A}/value`],
    ['events', 'a value that would lose digits', event({ value: '9007199254740993.5' }), `${A}/value`],
    ['events', 'a value with a comma', event({ value: '19,99' }), `${A}/value`],
    ['events', 'a value that is true', event({ value: true }), `${A}/value`],
    ['events', 'a time that is a number', event({ time: 1_763_629_200 }), `${A}/time`],
    ['events', 'a time that is no date', event({ time: 'yesterday' }), `${A}/time`],
    ['events', 'a day that does not exist', event({ time: '2026-02-29T00:00:00Z' }), `${A}/time`],
    ['events', 'a leap second', event({ time: '2016-12-31T23:59:60Z' }), `${A}/time`],
    ['events', 'a backfill that is a text', event({ backfill: 'yes' }), `${A}/backfill`],
    ['events', 'a unique_id that is an object', event({ unique_id: {} }), `${A}/unique_id`],
    [
      'events',
      'a malformed e-mail address',
      event({ profile: { email: 'ada@' } }),
      `${A}/profile/data/attributes/email`,
    ],
    ['profiles', 'another type', data({ ...PROFILE.data, type: 'profiles' }), '/data/type'],
    ['profiles', 'attributes that are a list', data({ type: 'profile', attributes: [] }), A],
    ['profiles', 'a list for an e-mail address', profileDocument({ email: [email] }), `${A}/email`],
    ['profiles', 'an external id with a fraction', profileDocument({ external_id: 1.5 }), `${A}/external_id`],
    ['profiles', 'an external id that is an object', profileDocument({ external_id: {} }), `${A}/external_id`],
    ['profiles', 'a name that is true', profileDocument({ email, first_name: true }), `${A}/first_name`],
    ['profiles', 'a number of four digits', profileDocument({ email, phone_number: 1234 }), `${A}/phone_number`],
    [
      'profiles',
      'a telephone number with a fraction',
      profileDocument({ phone_number: 1e5 + 0.5 }),
      `${A}/phone_number`,
    ],
    [
      'events',
      'a malformed address beside a malformed number',
      event({ profile: { email: 'ada@', phone_number: 12, external_id: '' } }),
      `${A}/profile/data/attributes/email`,
    ],
    ['profiles', 'a location that is a text', profileDocument({ email, location: 'London' }), `${A}/location`],
    ['profiles', 'a city that is an object', profileDocument({ email, location: { city: {} } }), `${A}/location/city`],
    [
      'profiles',
      'a latitude that is true',
      profileDocument({ email, location: { latitude: true } }),
      `${A}/location/latitude`,
    ],
    [
      'profiles',
      'a patch that is a text',
      profileDocument({ email, meta: { patch_properties: 'x' } }),
      `${A}/meta/patch_properties`,
    ],
    ['profiles', 'a text beyond 100 KB', profileDocument({ email, title: 'x'.repeat(102_401) }), `${A}/title`],
    [
      'event-bulk-create-jobs',
      'no groups',
      data({ type: 'event-bulk-create-job', attributes: {} }),
      `${A}/events-bulk-create`,
    ],
    [
      'event-bulk-create-jobs',
      'a group that is a text',
      data({ type: 'event-bulk-create-job', attributes: { 'events-bulk-create': { data: ['x'] } } }),
      `${A}/events-bulk-create/data/0`,
    ],
    ['event-bulk-create-jobs', 'another type', { data: { ...eventJobDocument([]).data, type: 'event' } }, '/data/type'],
    [
      'profile-bulk-import-jobs',
      'profiles that are no list',
      data({ type: 'profile-bulk-import-job', attributes: { profiles: { data: {} } } }),
      `${A}/profiles/data`,
    ],
    [
      'profile-bulk-import-jobs',
      'a profile of another type',
      profileJobDocument([profile, { email, beside: { type: 'person' } }]),
      `${A}/profiles/data/1/type`,
    ],
  ];
  for (const [path, what, document, pointer] of CASES) {
    it(`${what}, to /${path}`, async () => {
      expectRefusal(await client.post(`/compat/v1/${path}`, document), pointer);
    });
  }

  /** What can be said in JSON, but could not be stored and returned as it is. */
  const UNSTORABLE: [what: string, json: string, detail: RegExp][] = [
    ['a NUL character', '"a\\u0000b"', /NUL/],
    ['a lone surrogate', '"\\ud800"', /surrogate/],
    ['a number that would lose digits', '12345678901234567890', /lose digits/],
    ['a number that is too large', '1e400', /lose digits/],
  ];
  for (const [what, json, detail] of UNSTORABLE) {
    it(`${what}, anywhere in them`, async () => {
      const text = (document: object) => JSON.stringify(document).replaceAll('"HERE"', json);
      for (const [path, document, pointer] of [
        ['events', event({ properties: { p: ['HERE'] } }), `${A}/properties/p/0`],
        ['profiles', profileDocument({ email, properties: { p: 'HERE' } }), `${A}/properties/p`],
        ['profiles', profileDocument({ email, first_name: 'HERE' }), `${A}/first_name`],
        ['profiles', profileDocument({ email, location: 'HERE' }), `${A}/location`],
        ['profiles', profileDocument({ email, location: { latitude: 'HERE' } }), `${A}/location/latitude`],
        ['profiles', profileDocument({ email, meta: 'HERE' }), `${A}/meta`],
        ...['patch_properties', 'patch_identifiers'].map(
          (patch) => ['profiles', profileDocument({ email, meta: { [patch]: 'HERE' } }), `${A}/meta/${patch}`] as const,
        ),
        [
          'profiles',
          profileDocument({ email, meta: { patch_properties: { append: { p: 'HERE' } } } }),
          `${A}/meta/patch_properties/append/p`,
        ],
        [
          'profile-bulk-import-jobs',
          profileJobDocument([profile, { email, properties: { p: 'HERE' } }]),
          `${A}/profiles/data/1/attributes/properties/p`,
        ],
      ] as const) {
        const headers = { 'Content-Type': 'application/vnd.api+json' };
        const refused = await client.send<any>('POST', `/compat/v1/${path}`, text(document), { headers });
        expectRefusal(refused, pointer);
        expect(refused.body.errors[0].detail).to.match(detail);
      }
    });
  }

  it('__proto__ as a name in free-form data', async () => {
    const text = JSON.stringify(event({ properties: { p: {} } })).replace('"p":{}', '"p":{"__proto__":1}');
    const headers = { 'Content-Type': 'application/json' };
    const refused = await client.send<any>('POST', '/compat/v1/events', text, { headers });
    expectRefusal(refused, `${A}/properties/p/__proto__`);
    expect(refused.body.errors[0].detail).to.match(/not allowed as a name/);
  });

  it('one document with all its errors at once', async () => {
    const fields = { metric: '', value: 'ten', time: 'yesterday', profile: { email: 'ada@', first_name: true } };
    const refused = await client.post('/compat/v1/events', eventDocument(fields), { expect: 400 });
    expect(pointersOf(refused)).to.have.members([
      `${A}/metric/data/attributes/name`,
      `${A}/value`,
      `${A}/time`,
      `${A}/profile/data/attributes/email`,
      `${A}/profile/data/attributes/first_name`,
    ]);
  });

  it('names that need escaping in a JSON Pointer', async () => {
    const properties = { 'a/b~c': 'x'.repeat(102_401) };
    expectRefusal(await client.post('/compat/v1/events', event({ properties })), `${A}/properties/a~1b~0c`);
  });
});
