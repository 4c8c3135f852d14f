import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileDocument } from './documents.ts';
import { expectRefusal } from './steps.ts';

describe('POST /compat/v1/profile-import', () => {
  const PATH = '/compat/v1/profile-import';
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  it('returns 201 for a profile that it creates, and 200 for one that it updates', async () => {
    const document = profileDocument({ email: 'ada@example.com', properties: { a: 1 } });
    const created = await client.post(PATH, document, { expect: 201 });
    const change = profileDocument({ email: 'ada@example.com', first_name: 'Ada', properties: { b: 2 } });
    const updated = await client.post(PATH, change, { expect: 200 });
    expect(updated.body.data.id).to.equal(created.body.data.id);
    expect(updated.body.data.attributes).to.deep.include({ first_name: 'Ada', properties: { a: 1, b: 2 } });
    expect(updated.body.data.links.self).to.equal(`${service.url}/compat/v1/profiles/${created.body.data.id}`);
  });

  it('selects a profile by its id, and patches its properties', async () => {
    const { body } = await client.post(PATH, profileDocument({ external_id: 'c1', properties: { a: ['x'], b: 1 } }));
    const patch_properties = { append: { a: 'y' }, unset: 'b' };
    const document = profileDocument({ beside: { id: body.data.id, meta: { patch_properties } } });
    const patched = await client.post(PATH, document, { expect: 200 });
    expect(patched.body.data.attributes.properties).to.deep.equal({ a: ['x', 'y'] });
  });

  it('refuses what POST /compat/v1/profiles refuses', async () => {
    await client.post(PATH, profileDocument({ email: 'ada@example.com' }), { expect: 201 });
    await client.post(PATH, profileDocument({ external_id: 'c1' }), { expect: 201 });
    const taken = profileDocument({ external_id: 'c1', email: 'ada@example.com' });
    expectRefusal(await client.post(PATH, taken), '/data/attributes/email');
    expectRefusal(await client.post(PATH, profileDocument({ first_name: 'Ada' })), '/data/attributes');
    const id = '01936b2e-9f00-7b11-8d02-6a7c55e0c401';
    expectRefusal(await client.post(PATH, profileDocument({ beside: { id } })), '/data/id');
  });
});
