import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventDocument, eventJobDocument } from './documents.ts';
import { expectRefusal, profileOf, recordEvent, saveProfile } from './steps.ts';

describe('The profile of an event', () => {
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
  const visit = (profile: object) => recordEvent(client, { metric: 'Visit', profile: { email, ...profile } });

  it('is updated by the attributes sent with the event', async () => {
    await saveProfile(client, { email, first_name: 'Ada', title: 'Countess', properties: { tier: 'gold', age: 36 } });
    const event = await visit({
      last_name: 'Lovelace',
      title: null,
      location: { city: 'London' },
      properties: { tier: 'platinum', age: null },
    });
    const { attributes } = await profileOf(client, event);
    expect(attributes).to.include({ first_name: 'Ada', last_name: 'Lovelace', title: null });
    expect(attributes.location).to.include({ city: 'London', country: null });
    expect(attributes.properties).to.deep.equal({ tier: 'platinum' });
  });

  it('does not change if the event has nothing new', async () => {
    const before = await saveProfile(client, { email, external_id: 'c1' });
    const { attributes } = await profileOf(client, await visit({}));
    expect(attributes.updated).to.equal(before.attributes.updated);
  });

  it('has the time of its latest event, not of the last one received', async () => {
    expect((await saveProfile(client, { email })).attributes.last_event_date).to.equal(null);
    await recordEvent(client, { metric: 'Visit', profile: { email }, time: '2026-03-02T10:00:00.123Z' });
    const older = await recordEvent(client, { metric: 'Visit', profile: { email }, time: '2026-03-01T10:00:00Z' });
    const { attributes } = await profileOf(client, older);
    expect(attributes.last_event_date).to.equal('2026-03-02T10:00:00.123000+00:00');
  });

  const patch_properties = { append: { skus: '92538' }, unappend: { tags: ['new', 'vip'] }, unset: 'coupon' };
  for (const [place, fields] of [
    ['within the attributes', { meta: { patch_properties } }],
    ['beside the attributes', { beside: { meta: { patch_properties } } }],
  ] as const) {
    it(`is patched by a meta ${place}`, async () => {
      await saveProfile(client, { email, properties: { skus: ['40571'], tags: ['new', 'eu'], coupon: 'SPRING' } });
      const { attributes } = await profileOf(client, await visit(fields));
      expect(attributes.properties).to.deep.equal({ skus: ['40571', '92538'], tags: ['eu'] });
    });
  }

  it('is patched by meta in both places', async () => {
    const meta = (value: string) => ({ patch_properties: { append: { skus: value } } });
    const event = await visit({ meta: meta('1'), beside: { meta: meta('2') } });
    expect((await profileOf(client, event)).attributes.properties).to.deep.equal({ skus: ['1', '2'] });
  });

  it('leaves out a malformed phone number next to another identifier, and says so in a header', async () => {
    for (const phone_number of ['invalid-phone-number', '12', `+${'1'.repeat(16)}`]) {
      const body = eventDocument({ metric: 'Visit', profile: { email, phone_number } });
      const response = await client.post('/compat/v1/events', body, { expect: 202 });
      expect(response.headers['x-klaviyo-partial-failure']).to.equal('phone_number');
      expect((await profileOf(client, response.body.data)).attributes.phone_number).to.equal(null);
    }
  });

  it('leaves out a malformed address next to another identifier, and says so', async () => {
    for (const [profile, left] of [
      [{ email: 'ada@', external_id: 'c1' }, 'email'],
      [{ email: 'nobody', anonymous_id: 5 }, 'email'],
      [{ email: 'ada@', phone_number: '+4930123456' }, 'email'],
      [{ email: 'ada@', phone_number: 12, external_id: 'c1' }, 'email,phone_number'],
    ] as const) {
      const fields = { metric: 'Visit', profile };
      const { headers, body } = await client.post('/compat/v1/events', eventDocument(fields), { expect: 202 });
      expect(headers['x-klaviyo-partial-failure']).to.equal(left);
      expect((await profileOf(client, body.data)).attributes.email).to.equal(null);
      const job = await client.post(
        '/compat/v1/event-bulk-create-jobs',
        eventJobDocument([{ profile, events: [{ metric: 'Visit' }] }]),
        { expect: 202 },
      );
      expect(job.headers['x-klaviyo-partial-failure']).to.equal(left);
    }
  });

  it('keeps a valid phone number, without such a header', async () => {
    const body = eventDocument({ metric: 'Visit', profile: { email, phone_number: '+49 30 123456' } });
    const response = await client.post('/compat/v1/events', body, { expect: 202 });
    expect(response.headers).not.to.have.property('x-klaviyo-partial-failure');
    expect((await profileOf(client, response.body.data)).attributes.phone_number).to.equal('+4930123456');
  });

  it("can't be identified only by a malformed phone number", async () => {
    const body = eventDocument({ metric: 'Visit', profile: { phone_number: 'invalid-phone-number' } });
    const refused = await client.post('/compat/v1/events', body);
    expectRefusal(refused, '/data/attributes/profile/data/attributes/phone_number');
    expect(refused.headers).not.to.have.property('x-klaviyo-partial-failure');
  });

  it('leaves an identifier to the profile that owns it, and keeps the event', async () => {
    const grace = await saveProfile(client, { phone_number: '+4930123456' });
    const ada = await saveProfile(client, { email });
    const event = await visit({ phone_number: '+4930123456' });
    expect(event.relationships.profile.data.id).to.equal(ada.id);
    expect((await profileOf(client, event)).attributes.phone_number).to.equal(null);
    expect((await saveProfile(client, { phone_number: '+4930123456' })).id).to.equal(grace.id);
  });

  it('is refused together with the event that would make it too large', async () => {
    const properties = Object.fromEntries(Array.from({ length: 399 }, (_, i) => [`p${i}`, i]));
    await saveProfile(client, { email, properties });
    const event = { metric: 'Visit', profile: { email, properties: { q1: 1, q2: 2 } } };
    const refused = await client.post('/compat/v1/events', eventDocument(event));
    expectRefusal(refused, '/data/attributes/profile/data/attributes/properties');
    expect((await saveProfile(client, { email })).attributes.last_event_date).to.equal(null);
  });
});
