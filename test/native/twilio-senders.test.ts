import { expect } from 'chai';
import { ACCOUNT, TOKEN } from '../messages/support/shop.ts';
import type { Client } from '../support/client.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { TestService } from '../support/service.ts';
import { Receiver } from '../webhooks/support/receiver.ts';

const [OTHER, KEY, SERVICE] = [`AC${'1'.repeat(32)}`, `SK${'2'.repeat(32)}`, `MG${'3'.repeat(32)}`];
const FROM = '+15005550006';
const SETTINGS = { account_sid: ACCOUNT, auth_token: TOKEN, from: FROM };

describe('Senders by Twilio', () => {
  let service: TestService;
  let client: Client;
  let twilio: Receiver;

  before(async () => {
    twilio = await Receiver.start();
    service = await TestService.start({
      ...{ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WEBHOOK_ALLOW_HTTP: '1' },
      ...{ PUBLIC_URL: 'https://mail.footfall.example', TWILIO_URL: new URL(twilio.url).origin },
    });
  });
  beforeEach(async () => {
    client = await service.client({ storeId: await service.newStore() });
    twilio.received.length = 0;
    answer(201, { sid: `SM${'4'.repeat(32)}` });
  });
  after(async () => {
    await service.stop();
    await twilio[Symbol.asyncDispose]();
  });

  const answer = (status: number, body: object) => {
    twilio.respond = (response) => response.writeHead(status).end(JSON.stringify(body));
  };
  const input = (fields: object = {}) => ({ name: 'Texts', kind: 'twilio', settings: SETTINGS, ...fields });
  const create = async (fields: object = {}) =>
    (await client.post<any>('/v1/senders', input(fields), { expect: 201 })).body;
  const refused = async (fields: object) =>
    (await client.post<any>('/v1/senders', input(fields), { expect: 400 })).body.error.field;
  const act = async (path: string, body: object = {}) => (await client.post<any>(path, body, { expect: 200 })).body;
  const put = async (id: string, settings: object, expected = 200) => {
    const whole = {
      ...{ name: 'Texts', from_email: null, from_name: null, reply_to: null, settings, dkim_selector: null },
      ...{ dkim_signing: false, class: 'both', max_per_second: 5, max_per_day: null, max_concurrent: 4 },
      warm_up: null,
    };
    const headers = { 'Content-Type': 'application/json' };
    const options = { headers, expect: expected };
    return (await client.send<any>('PUT', `/v1/senders/${id}`, JSON.stringify(whole), options)).body;
  };
  const loginOf = (): string => {
    const { authorization = '' } = twilio.received.at(-1)?.headers ?? {};
    return Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
  };

  it('name an account and what messages come from, and never show what logs in', async () => {
    const sender = await create();
    expect(sender).to.include({ kind: 'twilio', from_email: null, ready: false });
    expect(sender.settings).to.include({ account_sid: ACCOUNT, api_key_sid: null, from: FROM, host: null });
    expect(JSON.stringify(sender)).not.to.include(TOKEN);
    const feedback = (await client.get<any>(`/v1/senders/${sender.id}/feedback`, { expect: 200 })).body;
    expect(feedback).to.include({ provider: 'twilio', key_set: true });
    for (const from of ['12345', 'Cafe Loewe']) {
      expect((await create({ settings: { ...SETTINGS, from } })).settings.from).to.equal(from);
    }
  });

  it('are nothing else', async () => {
    const without = ({ ...settings }: Record<string, string>, name: string) => {
      delete settings[name];
      return settings;
    };
    const cases: [object, string][] = [
      [without(SETTINGS, 'account_sid'), 'account_sid'],
      [without(SETTINGS, 'auth_token'), 'auth_token'],
      [without(SETTINGS, 'from'), 'from'],
      [{ ...SETTINGS, from: 'A name that is too long' }, 'from'],
      [{ ...SETTINGS, from: '+49 30 901820' }, 'from'],
      [{ ...SETTINGS, account_sid: KEY }, 'account_sid'],
      [{ ...SETTINGS, messaging_service_sid: SERVICE }, 'messaging_service_sid'],
      [{ ...SETTINGS, api_key_secret: 'a-secret-of-a-key' }, 'api_key_sid'],
      [{ ...SETTINGS, api_key_sid: KEY }, 'api_key_secret'],
      [{ ...SETTINGS, host: 'smtp.relay.example' }, 'host'],
      [{ ...SETTINGS, shared: true }, 'shared'],
    ];
    for (const [settings, field] of cases) {
      expect(await refused({ settings }), JSON.stringify(settings)).to.equal(`settings.${field}`);
    }
    for (const field of ['from_email', 'reply_to']) {
      expect(await refused({ [field]: 'shop@shop.example' })).to.equal(field);
    }
    expect(await refused({ from_name: 'Löwe' })).to.equal('from_name');
    expect(await refused({ dkim_selector: 's1' })).to.equal('dkim_selector');
    expect(await refused({ dkim_signing: true })).to.equal('dkim_signing');
    const server = { host: 'smtp.relay.example', port: 587, security: 'tls' };
    const mail = { kind: 'smtp', from_email: 'shop@shop.example', settings: { ...server, account_sid: ACCOUNT } };
    expect(await refused(mail)).to.equal('settings.account_sid');
  });

  it('are ready once their account lets them in, which is asked by a message to nobody', async () => {
    const { id } = await create();
    answer(401, { code: 20003, message: 'Authenticate' });
    const failing = await act(`/v1/senders/${id}/check`);
    expect(failing).to.include({ ready: false, first_failing: 'connection' });
    expect(failing.checks[1].detail).to.equal('The server refuses: 401 20003 Authenticate');
    answer(400, { code: 21604, message: "A 'To' phone number is required." });
    expect((await act(`/v1/senders/${id}/check`)).ready).to.equal(true);
    expect(new URLSearchParams(twilio.received.at(-1)?.body).has('To')).to.equal(false);
    const save = (fields: object, expected: number) => saveMessageSettings(client, fields, expected);
    expect((await save({ default_sender_id: id }, 400)).body.error.field).to.equal('default_sender_id');
    expect((await save({ default_sms_sender_id: id }, 200)).body.default_sms_sender_id).to.equal(id);
  });

  it('are tested with a text message to a number', async () => {
    const { id } = await create();
    const accepted = await act(`/v1/senders/${id}/test`, { to: '+49 30 901820' });
    expect(accepted).to.include({ outcome: 'accepted', response: `201 SM${'4'.repeat(32)}` });
    const form = new URLSearchParams(twilio.received[0]?.body);
    expect([form.get('To'), form.get('From')]).to.deep.equal(['+4930901820', FROM]);
    answer(400, { code: 21614, message: 'Not a mobile number' });
    expect(await act(`/v1/senders/${id}/test`, { to: '+4930901820' })).to.include({
      ...{ outcome: 'refused', refused: 'recipient', permanent: true, response: '400 21614 Not a mobile number' },
    });
    answer(500, {});
    expect(await act(`/v1/senders/${id}/test`, { to: '+4930901820' })).to.include({
      ...{ outcome: 'failed', reason: 'server_error', maybe_sent: true },
    });
    const { body } = await client.post<any>(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: 400 });
    expect(body.error.field).to.equal('to');
  });

  it('keep what logs in for the same account and key, and for no other', async () => {
    const { id } = await create();
    const test = () => act(`/v1/senders/${id}/test`, { to: '+4930901820' });
    await put(id, { account_sid: ACCOUNT, messaging_service_sid: SERVICE });
    await test();
    expect(loginOf()).to.equal(`${ACCOUNT}:${TOKEN}`);
    const field = async (settings: object) => (await put(id, settings, 400)).error.field;
    expect(await field({ account_sid: OTHER, from: FROM })).to.equal('settings.auth_token');
    expect(await field({ account_sid: ACCOUNT, api_key_sid: KEY, from: FROM })).to.equal('settings.api_key_secret');
    const isProven = async () => (await client.get<any>(`/v1/senders/${id}/feedback`, { expect: 200 })).body.key_set;
    await put(id, { account_sid: ACCOUNT, api_key_sid: KEY, api_key_secret: 'a-secret-of-a-key', from: FROM });
    await test();
    expect([loginOf(), await isProven()]).to.deep.equal([`${KEY}:a-secret-of-a-key`, true]);
    // What an account proves its hooks by proves nothing for another one.
    await put(id, { account_sid: OTHER, api_key_sid: KEY, api_key_secret: 'another-secret-of-it', from: FROM });
    expect(await isProven()).to.equal(false);
  });

  it('are created once, whatever is repeated, and not with another token', async () => {
    const body = input({ idempotency_key: 'texts-1' });
    const first = (await client.post<any>('/v1/senders', body, { expect: 201 })).body;
    expect((await client.post<any>('/v1/senders', body, { expect: 201 })).body.id).to.equal(first.id);
    const other = { ...body, settings: { ...SETTINGS, auth_token: 'another-token-of-the-account' } };
    await client.post('/v1/senders', other, { expect: 400 });
  });
});
