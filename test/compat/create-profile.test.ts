import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileDocument } from './documents.ts';
import { expectRefusal, saveProfile } from './steps.ts';

const LOCATION = {
  address1: '12 St James Square',
  address2: 'Second floor',
  city: 'London',
  country: 'United Kingdom',
  region: 'England',
  zip: 'SW1Y 4JH',
  timezone: 'Europe/London',
  ip: '127.0.0.1',
  latitude: '51.5072',
  longitude: -0.1276,
};
const NO_LOCATION = Object.fromEntries(Object.keys(LOCATION).map((name) => [name, null]));

describe('POST /compat/v1/profiles', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const email = 'ada@example.com';

  it('returns 201 with the profile and all its attributes as they were sent', async () => {
    const sent = {
      email,
      phone_number: '+442079460000',
      external_id: 'cust_1001',
      anonymous_id: 'anon-1',
      first_name: 'Ada',
      last_name: "O'Lovelace-Łukasz",
      organization: 'Analytical Engines',
      locale: 'en-GB',
      title: 'Mathematician',
      image: 'https://example.com/ada.png',
      location: LOCATION,
      properties: { tier: 'gold', tags: ['a', 'b'], nested: { x: { y: 1.25 } }, active: false, score: 0 },
    };
    const { type, id, attributes, links } = await saveProfile(client, sent);
    const { created, updated, last_event_date, ...rest } = attributes;
    expect(type).to.equal('profile');
    expect(rest).to.deep.equal(sent);
    expect(created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect(updated).to.equal(created);
    expect(last_event_date).to.equal(null);
    expect(links).to.deep.equal({ self: `${service.url}/compat/v1/profiles/${id}` });
  });

  it('returns every key, with null if it is not set', async () => {
    const { attributes } = await saveProfile(client, { external_id: 'c1' });
    const { created, updated, ...rest } = attributes;
    expect(created).to.equal(updated);
    expect(rest).to.deep.equal({
      email: null,
      phone_number: null,
      external_id: 'c1',
      anonymous_id: null,
      first_name: null,
      last_name: null,
      organization: null,
      locale: null,
      title: null,
      image: null,
      last_event_date: null,
      location: NO_LOCATION,
      properties: {},
    });
  });

  it('returns 201 for an existing profile, and merges into it', async () => {
    const first = await saveProfile(client, { email, first_name: 'Ada', title: 'Ms', properties: { a: 1, b: 2 } });
    const second = await saveProfile(client, {
      email,
      last_name: 'Lovelace',
      title: null,
      properties: { b: null, c: { d: 3 } },
    });
    expect(second.id).to.equal(first.id);
    expect(second.attributes).to.include({ first_name: 'Ada', last_name: 'Lovelace', title: null });
    expect(second.attributes.properties).to.deep.equal({ a: 1, c: { d: 3 } });
    expect(second.attributes.created).to.equal(first.attributes.created);
    expect(Date.parse(second.attributes.updated)).to.be.at.least(Date.parse(first.attributes.updated));
  });

  it('merges the location by key, and removes it if it is null', async () => {
    await saveProfile(client, { email, location: LOCATION });
    const merged = await saveProfile(client, { email, location: { city: 'Paris', zip: null, latitude: 48.8566 } });
    expect(merged.attributes.location).to.deep.equal({ ...LOCATION, city: 'Paris', zip: null, latitude: 48.8566 });
    const removed = await saveProfile(client, { email, location: null });
    expect(removed.attributes.location).to.deep.equal(NO_LOCATION);
  });

  it('changes nothing when a request is repeated', async () => {
    const fields = { email, first_name: 'Ada', location: LOCATION, properties: { a: [1, { b: 2 }] } };
    const first = await saveProfile(client, fields);
    expect(await saveProfile(client, fields)).to.deep.equal(first);
  });

  it('keeps custom properties apart from standard attributes with the same names', async () => {
    const properties = {
      first_name: 'custom',
      title: 7,
      location: 'HQ',
      'properties.title': 'prefixed',
      email: 'other@example.com',
      $first_name: 'x',
    };
    const { attributes } = await saveProfile(client, { email, first_name: 'Ada', location: LOCATION, properties });
    expect(attributes).to.deep.include({ email, first_name: 'Ada', title: null, location: LOCATION, properties });
    const patched = await saveProfile(client, {
      email,
      properties: { title: null },
      meta: { patch_properties: { unset: ['first_name', 'properties.title'] } },
    });
    const { first_name, title, 'properties.title': prefixed, ...left } = properties;
    expect(patched.attributes.properties).to.deep.equal(left);
    expect(patched.attributes.first_name).to.equal('Ada');
  });

  it('returns the identifiers that were given last, and can still be found by the earlier ones', async () => {
    const { id } = await saveProfile(client, { external_id: 'c1', email });
    const moved = await saveProfile(client, { external_id: 'c1', email: 'ada@example.org' });
    expect(moved.attributes.email).to.equal('ada@example.org');
    expect((await saveProfile(client, { email })).id).to.equal(id);
  });

  it('refuses an identifier that another profile owns, and changes nothing', async () => {
    await saveProfile(client, { email: 'grace@example.com' });
    await saveProfile(client, { external_id: 'c1' });
    const document = profileDocument({ external_id: 'c1', email: 'grace@example.com', first_name: 'Ada' });
    const refused = await client.post('/compat/v1/profiles', document);
    expectRefusal(refused, '/data/attributes/email');
    expect(refused.body.errors[0].detail).to.equal('email belongs to another profile');
    expect((await saveProfile(client, { external_id: 'c1' })).attributes.first_name).to.equal(null);
  });

  it('refuses a malformed phone number, even with an e-mail address', async () => {
    const document = profileDocument({ email, phone_number: 'invalid-phone-number' });
    expectRefusal(await client.post('/compat/v1/profiles', document), '/data/attributes/phone_number');
  });

  it('creates one profile for many concurrent requests', async () => {
    const profiles = await Promise.all(
      Array.from({ length: 30 }, (_, i) => saveProfile(client, { email, properties: { [`p${i}`]: i } })),
    );
    expect(new Set(profiles.map(({ id }) => id))).to.have.property('size', 1);
    const { attributes } = await saveProfile(client, { email });
    expect(Object.keys(attributes.properties)).to.have.length(30);
  });
});
