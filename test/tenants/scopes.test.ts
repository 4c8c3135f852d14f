import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

// What a scope gives beyond its name, as SECURITY.md and both specs say: no more than this.
describe('A key that may only write', () => {
  let service: TestService;
  let owner: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    storeId = await service.newStore();
    owner = await service.client({ storeId });
    const profile = { identifiers: { email: 'ada@example.com' }, attributes: { city: 'London' } };
    await owner.post('/v1/profiles/upsert', profile, { expect: 201 });
  });

  it('profiles returns the one whose identifier it has, and reads no list or event', async () => {
    const writer = await service.client({ storeId, scopes: ['profiles:write'] });
    const known = { identifiers: { email: 'ada@example.com' } };
    const { body } = await writer.post('/v1/profiles/upsert', known, { expect: 200 });
    expect(body.attributes).to.deep.equal({ city: 'London' });
    for (const path of ['/v1/profiles', `/v1/profiles/${body.id}`, `/v1/profiles/${body.id}/events`, '/v1/events']) {
      await writer.get(path, { expect: 403 });
    }
  });

  it('events returns the one whose idempotency key it has, adds identifiers, and reads no profile', async () => {
    const event = { event_type: 'visit', profile: { email: 'ada@example.com' }, idempotency_key: 'k' };
    await owner.post('/v1/events', { ...event, properties: { page: 'secret' } }, { expect: 201 });
    const writer = await service.client({ storeId, scopes: ['events:write'] });
    const { body } = await writer.post('/v1/events', event);
    expect(body.properties).to.deep.equal({ page: 'secret' });
    const identified = { event_type: 'visit', profile: { email: 'ada@example.com', external_id: 'c1' } };
    await writer.post('/v1/events', identified, { expect: 201 });
    const { profiles } = (await owner.get('/v1/profiles?external_id=c1', { expect: 200 })).body;
    expect(profiles.map(({ id }: any) => id)).to.deep.equal([body.profile_id]);
    for (const path of [`/v1/events/${body.id}`, '/v1/events', `/v1/profiles/${body.profile_id}`, '/v1/rejections']) {
      await writer.get(path, { expect: 403 });
    }
  });
});
