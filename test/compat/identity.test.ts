import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventDocument, type ProfileFields, profileDocument } from './documents.ts';
import { expectRefusal, profileOf, recordEvent, saveProfile } from './steps.ts';

describe('Identity on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const visit = (profile: ProfileFields) => ({ metric: 'Visit', profile });
  const sendEvent = (profile: ProfileFields) => client.post('/compat/v1/events', eventDocument(visit(profile)));
  const sendProfile = (fields: ProfileFields) => client.post('/compat/v1/profiles', profileDocument(fields));

  const IDENTIFIERS = {
    external_id: 'c1',
    email: 'ada@example.com',
    phone_number: '+4930123456',
    anonymous_id: 'anon-1',
  };
  const kinds = Object.keys(IDENTIFIERS) as (keyof typeof IDENTIFIERS)[];

  for (const [i, stronger] of kinds.entries()) {
    for (const weaker of kinds.slice(i + 1)) {
      it(`gives ${stronger} precedence over ${weaker}`, async () => {
        const decided = await saveProfile(client, { [stronger]: IDENTIFIERS[stronger] });
        const other = await saveProfile(client, { [weaker]: IDENTIFIERS[weaker] });
        const both = { [weaker]: IDENTIFIERS[weaker], [stronger]: IDENTIFIERS[stronger] };
        const event = await recordEvent(client, visit(both));
        expect(event.relationships.profile.data).to.deep.equal({ type: 'profile', id: decided.id });
        // The weaker one stays with its owner, so an upsert that would move it is refused.
        expectRefusal(await sendProfile(both), `/data/attributes/${weaker}`);
        expect((await saveProfile(client, { [weaker]: IDENTIFIERS[weaker] })).id).to.equal(other.id);
      });
    }
  }

  it('gives the id precedence over all identifiers', async () => {
    const decided = await saveProfile(client, { email: 'ada@example.com' });
    await saveProfile(client, { external_id: 'c1' });
    const event = await recordEvent(client, visit({ external_id: 'c1', beside: { id: decided.id } }));
    expect(event.relationships.profile.data.id).to.equal(decided.id);
  });

  it('adds identifiers without an owner, which find the profile from then on', async () => {
    const { id } = await saveProfile(client, { anonymous_id: IDENTIFIERS.anonymous_id });
    const event = await recordEvent(client, visit(IDENTIFIERS));
    expect((await profileOf(client, event)).attributes).to.include(IDENTIFIERS);
    const native = await client.get(`/v1/profiles/${id}`, { expect: 200 });
    expect(native.body.identifiers.anonymous_id).to.equal(IDENTIFIERS.anonymous_id);
    for (const kind of kinds) {
      expect((await saveProfile(client, { [kind]: IDENTIFIERS[kind] })).id).to.equal(id);
    }
  });

  it('compares e-mail addresses without case and spaces, and phone numbers without punctuation', async () => {
    const { id, attributes } = await saveProfile(client, {
      email: ' Ada@Example.COM ',
      phone_number: '+49 (30) 123-456',
    });
    expect(attributes).to.include({ email: 'ada@example.com', phone_number: '+4930123456' });
    expect((await saveProfile(client, { email: 'ada@example.com' })).id).to.equal(id);
    expect((await saveProfile(client, { phone_number: '+49.30.123456' })).id).to.equal(id);
  });

  it('compares external ids exactly', async () => {
    const lower = await saveProfile(client, { external_id: 'c1' });
    const upper = await saveProfile(client, { external_id: 'C1' });
    expect(upper.id).not.to.equal(lower.id);
  });

  it('accepts an id without attributes if the profile exists', async () => {
    const { id } = await saveProfile(client, { email: 'ada@example.com' });
    const document = { ...eventDocument({ metric: 'Visit' }) };
    Object.assign(document.data.attributes, { profile: { data: { type: 'profile', id } } });
    const { body } = await client.post('/compat/v1/events', document, { expect: 202 });
    expect(body.data.relationships.profile.data.id).to.equal(id);
  });

  for (const [whose, id] of [
    ['of the third party', '01J0CUSTOMEROFTHEOTHERSIDE'],
    ['that no profile has', '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77'],
  ] as const) {
    it(`refuses an id ${whose}, even with an identifier`, async () => {
      const fields = { email: 'ada@example.com', beside: { id } };
      expectRefusal(await sendEvent(fields), '/data/attributes/profile/data/id');
      expectRefusal(await sendProfile(fields), '/data/id');
    });
  }

  it("refuses the id of another store's profile", async () => {
    const { id } = await saveProfile(await service.client(), { email: 'ada@example.com' });
    expectRefusal(await sendProfile({ beside: { id } }), '/data/id');
    expectRefusal(await sendEvent({ beside: { id } }), '/data/attributes/profile/data/id');
  });

  it('requires an identifier', async () => {
    for (const fields of [{}, { email: '', phone_number: null, beside: { id: '' } }, { first_name: 'Ada' }]) {
      const refused = await sendProfile(fields);
      expectRefusal(refused, '/data/attributes');
      expect(refused.body.errors[0].detail).to.include(
        'at least one of email, phone_number, external_id, anonymous_id',
      );
      expectRefusal(await sendEvent(fields), '/data/attributes/profile/data/attributes');
    }
  });

  it('accepts _kx next to another identifier, and alone says who could resolve it', async () => {
    await recordEvent(client, visit({ _kx: 'tlGb.Sw', email: 'ada@example.com' }));
    const refused = await sendEvent({ _kx: 'tlGb.Sw' });
    expectRefusal(refused, '/data/attributes/profile/data/attributes/_kx');
    expect(refused.body.errors[0].detail).to.match(/only be resolved by the third party/);
    expectRefusal(await sendProfile({ _kx: 'tlGb.Sw' }), '/data/attributes/_kx');
  });
});
