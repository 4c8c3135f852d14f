import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { type ProfileFields, profileDocument } from './documents.ts';
import { expectRefusal, saveProfile } from './steps.ts';

describe('PATCH /compat/v1/profiles/{id}', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  function patch(id: string, fields: ProfileFields, expect?: number) {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(profileDocument(fields));
    return client.send<any>('PATCH', `/compat/v1/profiles/${id}`, body, { headers, ...(expect && { expect }) });
  }

  it('changes what is given, clears what is null, and keeps identifiers that are null', async () => {
    const { id } = await saveProfile(client, {
      email: 'ada@example.com',
      title: 'Ms',
      location: { city: 'London' },
      properties: { a: 1, b: 2 },
    });
    const { body } = await patch(
      id,
      { email: null, title: null, first_name: 'Ada', location: null, properties: { b: null }, beside: { id } },
      200,
    );
    expect(body.data.id).to.equal(id);
    const { email, title, first_name, location, properties } = body.data.attributes;
    expect({ email, title, first_name, properties }).to.deep.equal({
      email: 'ada@example.com',
      title: null,
      first_name: 'Ada',
      properties: { a: 1 },
    });
    expect(location.city).to.equal(null);
  });

  it('adds identifiers to the profile of the path, with or without its id in the body', async () => {
    const { id } = await saveProfile(client, { external_id: 'c1' });
    await patch(id, { email: 'Ada@Example.com' }, 200);
    const { body } = await patch(id.toUpperCase(), { phone_number: '+49 30 123456', beside: { id } }, 200);
    expect(body.data.attributes).to.include({ email: 'ada@example.com', phone_number: '+4930123456' });
  });

  it('refuses the id of another profile, an identifier of another, and a malformed one', async () => {
    const { id } = await saveProfile(client, { external_id: 'c1' });
    const other = await saveProfile(client, { email: 'grace@example.com' });
    expectRefusal(await patch(id, { beside: { id: other.id } }), '/data/id');
    expectRefusal(await patch(id, { email: 'grace@example.com' }), '/data/attributes/email');
    expectRefusal(await patch(id, { phone_number: 'unknown' }), '/data/attributes/phone_number');
  });

  it('returns 404 for an id that no profile of the store has', async () => {
    const stranger = await saveProfile(await service.client(), { external_id: 'c1' });
    for (const id of [UNKNOWN_ID, 'nothing', '%20', stranger.id]) {
      const { body } = await patch(id, { first_name: 'Ada', email: 'new@example.com' }, 404);
      expect(body.errors[0].code).to.equal('not_found');
      await patch(id, { email: 'new@example.com' }, 404);
    }
  });
});
