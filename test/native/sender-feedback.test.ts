import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const UNKNOWN = '01a1f852-d730-7a18-9f4c-52b0e8d7a631';
const SECRET = 'a-secret-of-24-characters';

let service: TestService;
let client: Client;
let id: string;

const put = (body: object, expected = 200, of = id) =>
  client.send<any>('PUT', `/v1/senders/${of}/feedback`, JSON.stringify(body), {
    headers: { 'Content-Type': 'application/json' },
    expect: expected,
  });
const get = async () => (await client.get<any>(`/v1/senders/${id}/feedback`, { expect: 200 })).body;

before(async () => {
  service = await TestService.start({ PUBLIC_URL: 'https://mail.footfall.example/' });
});
beforeEach(async () => {
  client = await service.client();
  id = (await client.get<any>('/v1/senders', { expect: 200 })).body.senders[0].id;
});
after(() => service.stop());

describe('GET /v1/senders/{id}/feedback', () => {
  it('says where to tell it, at the address of the service, the same each time', async () => {
    const feedback = await get();
    expect(feedback).to.include({ provider: null, secret_set: false, key_set: false, last_received_at: null });
    expect(feedback.events_url).to.match(/^https:\/\/mail\.footfall\.example\/m\/hooks\/[\w-]{66}\/events$/);
    expect(feedback.dsn_url).to.equal(feedback.events_url.replace('/events', '/dsn'));
    expect(await get()).to.deep.equal(feedback);
  });

  it('knows no sender of others', async () => {
    await client.get(`/v1/senders/${UNKNOWN}/feedback`, { expect: 404 });
    await (await service.client()).get(`/v1/senders/${id}/feedback`, { expect: 404 });
  });
});

describe('PUT /v1/senders/{id}/feedback', () => {
  it('keeps secrets, sealed, and shows none of them', async () => {
    const { body } = await put({ provider: 'mailgun', secret: SECRET, key: 'key-0123456789abcdef' });
    expect(body).to.include({ provider: 'mailgun', secret_set: true, key_set: true });
    expect(JSON.stringify(body)).not.to.match(/a-secret|key-0/);
    const [row] = await service.database.query<{ text: string }>(`
      select feedback_secret || feedback_key as text from sender where id = '${id}'`);
    expect(row?.text).not.to.match(/a-secret|key-0/);
  });

  it('leaves what is left out, and removes what is null', async () => {
    await put({ provider: 'mailgun', secret: SECRET, key: 'key-0123456789abcdef' });
    expect((await put({ provider: 'mailgun' })).body).to.include({ secret_set: true, key_set: true });
    expect((await put({ provider: 'mailgun', secret: null, key: null })).body).to.include({
      secret_set: false,
      key_set: false,
    });
  });

  it('asks for no new check of the sender', async () => {
    const settings = { host: 'smtp.relay.example', port: 587, security: 'starttls' };
    const sender = { name: 'Relay', kind: 'smtp', from_email: 'hello@shop.example', settings };
    const { body } = await client.post<any>('/v1/senders', sender, { expect: 201 });
    const checks = JSON.stringify([{ name: 'connection', ok: true, detail: 'It answers' }]);
    await service.database.query(`update sender set checks = '${checks}' where id = '${body.id}'`);
    await put({ provider: 'generic', secret: SECRET }, 200, body.id);
    expect((await client.get<any>(`/v1/senders/${body.id}`)).body.ready).to.equal(true);
    await client.send('DELETE', `/v1/senders/${body.id}`, undefined, { expect: 200 });
    await put({ provider: 'generic' }, 400, body.id);
  });

  it('refuses short secrets, unknown providers and keys of another form', async () => {
    const field = async (body: object) => (await put(body, 400)).body.error.field;
    expect(await field({ provider: 'generic', secret: 'short' })).to.equal('secret');
    // A program that signs with it would have no key.
    expect(await field({ provider: 'generic', secret: 'whsec_------------------------' })).to.equal('secret');
    expect(await field({ provider: 'generic', secret: 'with spaces, though it is long' })).to.equal('secret');
    expect(await field({ provider: 'sparkpost' })).to.equal('provider');
    expect(await field({ secret: SECRET })).to.equal('provider');
    expect(await field({ provider: 'ses', key: 'arn:aws:s3:::a-bucket-of-mail' })).to.equal('key');
    await put({ provider: 'generic' }, 404, UNKNOWN);
  });
});
