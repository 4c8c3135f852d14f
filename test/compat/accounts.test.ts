import { expect } from 'chai';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

describe('Accounts', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('GET /compat/v1/accounts returns the store to a key without scopes', async () => {
    const storeId = await service.newStore('Tea shop');
    const client = await service.client({ storeId, scopes: [] });
    const { body } = await client.get('/compat/v1/accounts', { expect: 200 });
    expect(body.data).to.have.length(1);
    const [{ id, attributes, links }] = body.data;
    expect(id).to.equal(storeId);
    expect(attributes).to.include({ test_account: false, timezone: 'UTC', public_api_key: storeId });
    const { street_address, ...contact } = attributes.contact_information;
    expect(contact).to.include({ organization_name: 'Tea shop', default_sender_name: 'Tea shop' });
    // The official SDK for Python refuses an account in which one of these is no text.
    for (const text of [contact.default_sender_email, street_address.city, attributes.preferred_currency]) {
      expect(text).to.be.a('string');
    }
    expect(links.self).to.equal(`${service.url}/compat/v1/accounts/${storeId}`);
  });

  it('GET /compat/v1/accounts/{id} returns it by its id, and no other', async () => {
    const storeId = await service.newStore('Coffee shop');
    const client = await service.client({ storeId, scopes: [] });
    const { body } = await client.get(`/compat/v1/accounts/${storeId}?fields[account]=locale`, { expect: 200 });
    expect(body.data).to.deep.include({ id: storeId, attributes: { locale: 'en-US' } });
    for (const id of [UNKNOWN_ID, await service.newStore('Other shop')]) {
      await client.get(`/compat/v1/accounts/${id}`, { expect: 404 });
    }
  });
});
