import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Client } from '../support/client.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { TestService } from '../support/service.ts';
import { Receiver } from '../webhooks/support/receiver.ts';

const SETTINGS = {
  PUBLIC_URL: 'https://mail.footfall.example/',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  WEBHOOK_ALLOW_HTTP: '1',
};
const UNKNOWN = '01a1f852-c410-7e05-8b27-3d6fa91c5e42';

describe('Senders of text messages', () => {
  let service: TestService;
  let client: Client;
  let receiver: Receiver;
  let endpoint: { id: string; secret: string };

  before(async () => {
    service = await TestService.start(SETTINGS);
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    client = await service.client({ storeId: await service.newStore() });
    endpoint = await newEndpoint();
  });
  afterEach(() => receiver[Symbol.asyncDispose]());
  after(() => service.stop());

  async function newEndpoint() {
    const input = { url: receiver.url, name: 'Texts' };
    const { secret, endpoint: made } = (await client.post<any>('/v1/webhook-endpoints', input, { expect: 201 })).body;
    return { id: made.id, secret };
  }
  const input = (fields: object = {}) => ({
    ...{ name: 'Texts', kind: 'webhook', settings: { endpoint_id: endpoint.id } },
    ...fields,
  });
  const create = async (fields: object = {}) =>
    (await client.post<any>('/v1/senders', input(fields), { expect: 201 })).body;
  const refused = async (fields: object) =>
    (await client.post<any>('/v1/senders', input(fields), { expect: 400 })).body.error.field;
  const act = async (path: string, body?: object) => (await client.post<any>(path, body ?? {}, { expect: 200 })).body;
  const put = (id: string, fields: object, expected = 200) => {
    const whole = {
      ...{ name: 'Texts', from_email: null, from_name: null, reply_to: null, settings: { endpoint_id: endpoint.id } },
      ...{ dkim_selector: null, dkim_signing: false, class: 'both', max_per_second: 5, max_per_day: null },
      ...{ max_concurrent: 4, warm_up: null, ...fields },
    };
    const headers = { 'Content-Type': 'application/json' };
    return client.send<any>('PUT', `/v1/senders/${id}`, JSON.stringify(whole), { headers, expect: expected });
  };

  it('name an endpoint of the store, and have no address', async () => {
    const sender = await create({ from_name: 'Löwe' });
    expect(sender).to.include({ kind: 'webhook', from_email: null, from_name: 'Löwe', ready: false });
    expect(sender.settings).to.include({ endpoint_id: endpoint.id, host: null });
    expect((await put(sender.id, { name: 'Renamed' })).body).to.include({ name: 'Renamed', kind: 'webhook' });
  });

  it('are nothing else', async () => {
    expect(await refused({ settings: {} })).to.equal('settings.endpoint_id');
    expect(await refused({ settings: { endpoint_id: UNKNOWN } })).to.equal('settings.endpoint_id');
    const other = await service.client({ storeId: await service.newStore() });
    await other.post('/v1/senders', input(), { expect: 400 });
    expect(await refused({ from_email: 'shop@shop.example' })).to.equal('from_email');
    expect(await refused({ reply_to: 'shop@shop.example' })).to.equal('reply_to');
    expect(await refused({ dkim_selector: 's1' })).to.equal('dkim_selector');
    expect(await refused({ dkim_signing: true })).to.equal('dkim_signing');
    expect(await refused({ settings: { endpoint_id: endpoint.id, host: 'a.example' } })).to.equal('settings.host');
    expect(await refused({ settings: { endpoint_id: endpoint.id, shared: true } })).to.equal('settings.shared');
    const server = { host: 'smtp.relay.example', port: 587, security: 'tls' };
    const mail = { kind: 'smtp', from_email: 'shop@shop.example' };
    expect(await refused({ ...mail, settings: { ...server, endpoint_id: endpoint.id } })).to.equal(
      'settings.endpoint_id',
    );
    expect(await refused({ kind: 'smtp', settings: server })).to.equal('from_email');
    const { id } = await create();
    expect((await put(id, { settings: null }, 400)).body.error.field).to.equal('settings');
    expect((await put(id, { settings: { endpoint_id: UNKNOWN } }, 400)).body.error.field).to.equal(
      'settings.endpoint_id',
    );
  });

  it('are ready once the endpoint takes a signed webhook', async () => {
    const { id } = await create();
    receiver.respond = (response) => response.writeHead(401).end('Who?');
    const failing = await act(`/v1/senders/${id}/check`);
    expect(failing).to.include({ ready: false, first_failing: 'connection' });
    expect(failing.checks[1].detail).to.equal('The server refuses: 401 Who?');
    receiver.respond = (response) => response.writeHead(204).end();
    const { checks, ready } = await act(`/v1/senders/${id}/check`);
    expect([ready, checks.map(({ name }: any) => name)]).to.deep.equal([true, ['public_url', 'connection']]);
    const { headers, body } = receiver.received.at(-1) as Receiver['received'][number];
    const message = new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
    expect(message).to.include({ type: 'webhook.test' });
  });

  it('are to be checked anew once the endpoint is another one', async () => {
    const { id } = await create();
    await act(`/v1/senders/${id}/check`);
    const change = (url: string) => {
      const body = JSON.stringify({
        url,
        name: 'Texts',
        max_per_second: 50,
        max_concurrent: 10,
        secret_headers: [],
        status: 'active',
      });
      const options = { headers: { 'Content-Type': 'application/json' }, expect: 200 };
      return client.send('PUT', `/v1/webhook-endpoints/${endpoint.id}`, body, options);
    };
    const isReady = async () => (await client.get<any>(`/v1/senders/${id}`, { expect: 200 })).body.ready;
    await change(receiver.url);
    expect(await isReady()).to.equal(true);
    await change(`${receiver.url}/other`);
    expect(await isReady()).to.equal(false);
  });

  it('are for keys that may manage webhooks as well', async () => {
    const other = await service.client({ scopes: ['messages:send'] });
    await other.post('/v1/senders', input(), { expect: 403 });
  });

  it('are tested with a text message to a number', async () => {
    const { id } = await create();
    const test = (to: string) => act(`/v1/senders/${id}/test`, { to });
    expect(await test('+49 30 901820')).to.include({ outcome: 'accepted', response: '204' });
    const { type, data } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(type).to.equal('sms.send');
    expect(data).to.include({ to: '+4930901820', segment_count: 1, profile_id: null });
    receiver.respond = (response) => response.writeHead(500).end();
    expect(await test('+4930901820')).to.include({
      outcome: 'refused',
      code: 500,
      permanent: false,
      refused: 'sender',
    });
    for (const to of ['30901820', 'me@shop.example', '+49']) {
      const { body } = await client.post<any>(`/v1/senders/${id}/test`, { to }, { expect: 400 });
      expect(body.error.field).to.equal('to');
    }
  });

  it('keep their endpoint from being deleted, until they are', async () => {
    const { id } = await create();
    const remove = (path: string, expected: number) => client.send('DELETE', path, undefined, { expect: expected });
    await remove(`/v1/webhook-endpoints/${endpoint.id}`, 400);
    await remove(`/v1/senders/${id}`, 200);
    await remove(`/v1/webhook-endpoints/${endpoint.id}`, 200);
  });

  it('are no senders of e-mail, and the default one of text messages sends these', async () => {
    const { id } = await create();
    const save = (fields: object, expected: number) => saveMessageSettings(client, fields, expected);
    expect((await save({ default_sender_id: id }, 400)).body.error.field).to.equal('default_sender_id');
    expect((await save({ default_sms_sender_id: id }, 200)).body.default_sms_sender_id).to.equal(id);
    await client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 400 });
    const mail = { name: 'Relay', kind: 'smtp', from_email: 'shop@shop.example' };
    const server = { host: 'smtp.relay.example', port: 587, security: 'tls' };
    const relay = await client.post<any>('/v1/senders', { ...mail, settings: server }, { expect: 201 });
    expect((await save({ default_sms_sender_id: relay.body.id }, 400)).body.error.field).to.equal(
      'default_sms_sender_id',
    );
  });
});
