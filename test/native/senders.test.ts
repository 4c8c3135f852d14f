import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { Shop } from '../messages/support/shop.ts';
import { verifyDkim } from '../messages/support/verify-dkim.ts';
import { DomainServer, type Published } from '../senders/support/domain-server.ts';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import type { Client } from '../support/client.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { createDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Settings with which there are servers of mail here. */
const SETTINGS = { PUBLIC_URL: 'https://mail.footfall.example/', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
const NO_ACCOUNT = { account_sid: null, api_key_sid: null, from: null, messaging_service_sid: null };
const RELAY = { host: 'smtp.relay.example', port: 587, security: 'starttls' };
const SENDER = { name: 'Relay', kind: 'smtp', from_email: 'hello@shop.example', settings: RELAY };
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** All that a domain needs. */
const COMPLETE: Published = {
  'TXT shop.example': ['other=1', 'v=spf1 include:relay.example ~all'],
  'TXT s1._domainkey.shop.example': ['v=DKIM1; k=rsa; p=MIGf'],
  'TXT _dmarc.shop.example': ['v=DMARC1; p=none'],
  'MX shop.example': ['mx.shop.example'],
};

let service: TestService;
let dns: DomainServer;
let relay: ScriptedServer;
let client: Client;
let storeId: string;

/** What a change says, as a whole. */
const update = {
  ...{ name: 'Relay', from_email: 'hello@shop.example', from_name: null, reply_to: null, settings: null },
  ...{
    dkim_selector: null,
    dkim_signing: false,
    warm_up: null,
    class: 'both',
    max_per_second: 5,
    max_per_day: null,
    max_concurrent: 4,
  },
};
const put = (path: string, body: object, expected = 200) =>
  client.send<any>('PUT', path, JSON.stringify(body), { headers: JSON_TYPE, expect: expected });
const act = async (path: string) => (await client.send<any>('POST', path, undefined, { expect: 200 })).body;
const create = async (fields: object = {}) => {
  const { body } = await client.post<any>('/v1/senders', { ...SENDER, ...fields }, { expect: 201 });
  return body;
};
const refused = async (fields: object) => {
  const { body } = await client.post<any>('/v1/senders', { ...SENDER, ...fields }, { expect: 400 });
  return [body.error.field, body.error.message];
};
const local = (fields: object = {}) => ({ host: '127.0.0.1', port: relay.port, security: 'starttls', ...fields });

before(async () => {
  dns = await DomainServer.start();
  relay = await ScriptedServer.start();
  service = await TestService.start(SETTINGS, undefined, { nameServers: [dns.address] });
});
beforeEach(async () => {
  const key = await service.newKey();
  ({ storeId } = key);
  client = await service.client({ storeId });
  dns.published = COMPLETE;
  relay.messages.length = 0;
});
after(async () => {
  await service.stop();
  await relay[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

describe('POST /v1/senders', () => {
  it('shows addresses and names without the spaces around them', async () => {
    const spaced = { from_email: ' Hello@Shop.Example ', from_name: ' Café  Löwe ', reply_to: ' help@shop.example' };
    const shown = { from_email: 'Hello@shop.example', from_name: 'Café  Löwe', reply_to: 'help@shop.example' };
    expect(await create(spaced)).to.include(shown);
    for (const blank of ['', '  ']) expect(await create({ from_name: blank })).to.include({ from_name: null });
  });

  it('creates a sender, which is not ready yet, and never shows its password', async () => {
    const settings = { ...RELAY, user: 'shop', password: 'very secret' };
    const response = await client.post<any>('/v1/senders', { ...SENDER, settings }, { expect: 201 });
    expect(response.body.settings).to.deep.equal({
      shared: false,
      ...RELAY,
      user: 'shop',
      password_set: true,
      endpoint_id: null,
      ...NO_ACCOUNT,
    });
    expect(response.body).to.include({ ready: false, first_failing: null, max_per_second: 5, class: 'both' });
    const rows = await service.database.query('select * from sender');
    const answers = await service.database.query('select body::text from kept_answer');
    expect(JSON.stringify([response.body, rows, answers])).not.to.contain('very secret');
  });

  it('creates one, however often it is asked with a key', async () => {
    const body = {
      ...SENDER,
      idempotency_key: 'relay-1',
      settings: { ...RELAY, user: 'shop', password: 'very secret' },
    };
    const first = await client.post<any>('/v1/senders', body, { expect: 201 });
    const again = await client.post<any>('/v1/senders', body, { expect: 201 });
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    await client.post('/v1/senders', { ...body, name: 'Another' }, { expect: 400 });
  });

  it('takes one plain address, with an international domain in its ASCII form', async () => {
    expect((await create({ from_email: ' Hello@Bücher.example ' })).from_email).to.equal('Hello@xn--bcher-kva.example');
    const malformed = [
      'Shop <hello@shop.example>',
      'hello@shop.example, other@shop.example',
      'hello(comment)@shop.example',
      '"hello@x"@shop.example',
      '"hello"@shop.example',
      'héllo@shop.example',
      'hello@localhost',
      'hello@[127.0.0.1]',
      'hello@127.0.0.1',
      'hello@shop.example\r\nBcc: x@y.example',
      'hello',
    ];
    for (const from_email of malformed) expect((await refused({ from_email }))[0], from_email).to.equal('from_email');
    expect((await refused({ reply_to: 'a@b@c.example' }))[0]).to.equal('reply_to');
  });

  it('warns of an address at which nobody else may send', async () => {
    expect((await create({ from_email: 'shop@gmail.com' })).warnings).to.deep.equal(['free_mail']);
    expect((await create()).warnings).to.deep.equal([]);
  });

  it('takes no server that is not public', async () => {
    for (const host of [
      '127.0.0.2',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '[::1]',
      '2130706433',
      '0x7f.1',
      'a b',
      '',
    ]) {
      const [field] = await refused({ settings: { ...RELAY, host } });
      expect(field, host).to.equal('settings.host');
    }
    for (const host of ['192.0.43.8', 'smtp.relay.example', 'SMTP.Bücher.example.'])
      await create({ settings: { ...RELAY, host } });
    const [field] = await refused({ settings: { ...RELAY, host: '192.0.43.8', port: 22 } });
    expect(field).to.equal('settings.port');
  });

  it('says what is missing', async () => {
    expect((await refused({ settings: {} }))[0]).to.equal('settings.host');
    expect((await refused({ settings: { host: 'a.example' } }))[0]).to.equal('settings.port');
    expect((await refused({ settings: { host: 'a.example', port: 25 } }))[0]).to.equal('settings.security');
    expect((await refused({ settings: { ...RELAY, password: 'x' } }))[0]).to.equal('settings.user');
    expect((await refused({ settings: { shared: true } }))[0]).to.equal('settings.shared');
    expect((await refused({ settings: { shared: true, host: 'a.example' } }))[0]).to.equal('settings.host');
    expect((await refused({ kind: 'outbox' }))[0]).to.equal('kind');
  });

  it('draws a key where messages are to be signed here, and shows what to publish', async () => {
    expect(await create({ dkim_selector: 's1' })).to.include({ dkim_signing: false, dkim_record: null });
    const { id, dkim_record: record } = await create({ dkim_selector: 's1', dkim_signing: true });
    expect(record).to.match(/^v=DKIM1; k=rsa; p=[\w+/]{390,400}=*$/);
    expect((await refused({ dkim_signing: true }))[0]).to.equal('dkim_selector');
    const change = async (dkim_selector: string | null, dkim_signing: boolean) =>
      (await put(`/v1/senders/${id}`, { ...update, settings: RELAY, dkim_selector, dkim_signing })).body.dkim_record;
    // It stays as long as its name does, and one that was given up does not come back.
    expect(await change('s1', true)).to.equal(record);
    const second = await change('s2', true);
    expect(second)
      .to.match(/^v=DKIM1/)
      .and.not.equal(record);
    expect(await change('s2', false)).to.equal(null);
    expect(await change('s2', true))
      .to.match(/^v=DKIM1/)
      .and.not.equal(second);
    const [{ dkim_key: sealed }] = await service.database.query<any>(`select dkim_key from sender where id = '${id}'`);
    expect(sealed).to.match(/^[0-9a-f]{8}\.[\w-]+$/);
    await client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 200 });
    const [row] = await service.database.query(`select dkim_key, dkim_public_key from sender where id = '${id}'`);
    expect(row).to.deep.equal({ dkim_key: null, dkim_public_key: null });
    const { body } = await client.get<any>('/v1/senders');
    const outbox = body.senders.at(-1);
    const refusal = await put(`/v1/senders/${outbox.id}`, { ...update, dkim_selector: 's1', dkim_signing: true }, 400);
    expect(refusal.body.error.field).to.equal('dkim_signing');
  });

  it('draws 20 keys for a store in a day', async () => {
    const { id } = await create();
    const change = (n: number, expected?: number) =>
      put(`/v1/senders/${id}`, { ...update, settings: RELAY, dkim_selector: `s${n}`, dkim_signing: true }, expected);
    for (let n = 0; n < 20; n += 1) await change(n);
    expect((await change(20, 400)).body.error.message).to.match(/20 DKIM keys today/);
    await change(19);
  });

  it('takes no more messages in a second than the operator permits', async () => {
    expect(await create({ max_per_second: 500, max_concurrent: 100 })).to.include({ max_per_second: 500 });
    const [field, message] = await refused({ max_per_second: 501 });
    expect(field).to.equal('max_per_second');
    expect(message).to.match(/at most 500/);
    expect((await refused({ max_concurrent: 101 }))[0]).to.equal('max_concurrent');
  });

  it('takes 20 beside the outbox', async () => {
    const created: any[] = [];
    for (let i = 0; i < 20; i += 1) created.push(await create());
    expect((await refused({}))[1]).to.match(/already has 20 senders/);
    await client.send('DELETE', `/v1/senders/${created[0].id}`, undefined, { expect: 200 });
    await create();
  });
});

describe('GET /v1/senders', () => {
  it('lists the outbox, which each store has once', async () => {
    const lists = await Promise.all([1, 2, 3, 4].map(() => client.get<any>('/v1/senders', { expect: 200 })));
    const ids = lists.map(({ body }) => body.senders.map(({ id }: { id: string }) => id));
    expect(new Set(ids.flat()).size).to.equal(1);
    expect(lists[0]?.body.senders[0]).to.include({ kind: 'outbox', name: 'Outbox', ready: true, settings: null });
  });

  it('lists those that are deleted, or are not, newest first', async () => {
    const [first, second] = [await create({ name: 'First' }), await create({ name: 'Second' })];
    await client.send('DELETE', `/v1/senders/${first.id}`, undefined, { expect: 200 });
    const namesOf = async (query: string) =>
      (await client.get<any>(`/v1/senders${query}`, { expect: 200 })).body.senders.map(({ name }: any) => name);
    expect(await namesOf('')).to.deep.equal(['Second', 'First', 'Outbox']);
    expect(await namesOf('?deleted=true')).to.deep.equal(['First']);
    expect(await namesOf('?deleted=false')).to.deep.equal([second.name, 'Outbox']);
    const { body } = await client.get<any>('/v1/senders?limit=2', { expect: 200 });
    expect(await namesOf(`?limit=2&cursor=${body.next_cursor}`)).to.deep.equal(['Outbox']);
  });
});

describe('GET /v1/senders/{id}', () => {
  it('returns one', async () => {
    const created = await create();
    const { body } = await client.get<any>(`/v1/senders/${created.id}`, { expect: 200 });
    expect(body).to.deep.equal(created);
  });
});

describe('PUT /v1/senders/{id}', () => {
  it('replaces all but the kind, and what was found counts no more', async () => {
    const { id } = await create({ settings: local(), dkim_selector: 's1', reply_to: 'help@shop.example' });
    expect((await act(`/v1/senders/${id}/check`)).checks).not.to.deep.equal([]);
    const { body } = await put(`/v1/senders/${id}`, {
      ...update,
      name: 'Renamed',
      settings: local(),
      max_per_second: 50,
    });
    expect(body).to.include({ name: 'Renamed', reply_to: null, max_per_second: 50, checked_at: null, ready: false });
    expect(body.checks).to.deep.equal([]);
  });

  it('keeps the password, but hands it to no other server and for no other user', async () => {
    const { id } = await create({ settings: { ...RELAY, user: 'shop', password: 'secret' } });
    const change = (settings: object, expected = 200) => put(`/v1/senders/${id}`, { ...update, settings }, expected);
    expect((await change({ ...RELAY, user: 'shop' })).body.settings.password_set).to.equal(true);
    for (const other of [{ host: 'evil.example' }, { user: 'other' }, { port: 465 }, { security: 'tls' }]) {
      const { body } = await change({ ...RELAY, user: 'shop', ...other }, 400);
      expect(body.error.field).to.equal('settings.password');
    }
    const moved = { ...RELAY, host: 'new.relay.example', user: 'shop' };
    expect((await change({ ...moved, password: 'new' })).body.settings.password_set).to.equal(true);
    expect((await change({ ...RELAY, user: 'shop', password: null })).body.settings.password_set).to.equal(false);
  });

  it('renames the outbox, which has no server', async () => {
    const [outbox] = (await client.get<any>('/v1/senders')).body.senders;
    const { body } = await put(`/v1/senders/${outbox.id}`, { ...update, name: 'Mine' });
    expect(body).to.include({ kind: 'outbox', name: 'Mine', from_email: 'hello@shop.example', ready: true });
    await put(`/v1/senders/${outbox.id}`, { ...update, settings: RELAY }, 400);
  });

  it('requires a server of others', async () => {
    const { id } = await create();
    expect((await put(`/v1/senders/${id}`, update, 400)).body.error.field).to.equal('settings');
  });
});

describe('DELETE /v1/senders/{id}', () => {
  it('deletes for good, and erases the password', async () => {
    const { id } = await create({ settings: { ...RELAY, user: 'shop', password: 'secret' } });
    const remove = () => client.send<any>('DELETE', `/v1/senders/${id}`, undefined, { expect: 200 });
    const [first, again] = [await remove(), await remove()];
    expect(first.body.deleted_at).to.be.a('string');
    expect(first.body.settings.password_set).to.equal(false);
    expect(again.body).to.deep.equal(first.body);
    await put(`/v1/senders/${id}`, { ...update, settings: RELAY }, 400);
    for (const path of ['check', 'test']) {
      await client.post(`/v1/senders/${id}/${path}`, path === 'test' ? { to: 'a@b.example' } : undefined, {
        expect: 400,
      });
    }
  });

  it('lets messages that wait for it fail only where somebody says so', async () => {
    const shop = Shop.of(service.database, client, storeId);
    const id = await shop.relay(relay.port);
    await shop.customer('ada@shop.example');
    const later = { sender_id: id, send_at: new Date(Date.now() + 3_600_000).toISOString() };
    const message = await shop.send(await shop.template(), 'ada@shop.example', later);
    const remove = (query: string, expected: number) =>
      client.send<any>('DELETE', `/v1/senders/${id}${query}`, undefined, { expect: expected });
    for (const query of ['', '?fail_waiting=false']) {
      const { error } = (await remove(query, 400)).body;
      expect(error).to.include({ field: 'fail_waiting' });
      expect(error.message).to.include('1 message waits');
    }
    expect((await shop.message(message)).status).to.equal('waiting');
    expect((await remove('?fail_waiting=true', 200)).body.deleted_at).to.be.a('string');
    await shop.query(`update message set due_at = now() where id = '${message}'`);
    expect(await shop.ended(message)).to.include({ status: 'failed', reason: 'sender_deleted' });
  });

  it('leaves the outbox and the default sender', async () => {
    const [outbox] = (await client.get<any>('/v1/senders')).body.senders;
    await client.send('DELETE', `/v1/senders/${outbox.id}`, undefined, { expect: 400 });
    const { id } = await create();
    await saveMessageSettings(client, { default_sender_id: id }, 200);
    await client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 400 });
    await saveMessageSettings(client, {}, 200);
    await client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 200 });
  });
});

describe('POST /v1/senders/{id}/check', () => {
  const failingOf = async (id: string) => {
    const { checks } = await act(`/v1/senders/${id}/check`);
    return checks.filter(({ ok }: any) => !ok).map(({ name }: any) => name);
  };
  const address = (postal_address: string | null) => saveMessageSettings(client, { postal_address }, 200);

  it('finds a sender ready of which all holds, and hands nothing over', async () => {
    await address('Marktplatz 1');
    const { id } = await create({ settings: local({ user: 'shop', password: 'secret' }), dkim_selector: 's1' });
    const checked = await act(`/v1/senders/${id}/check`);
    expect(checked.checks.map(({ name, ok }: any) => `${name} ${ok}`)).to.deep.equal([
      'public_url true',
      'connection true',
      'spf true',
      'dkim true',
      'dmarc true',
      'return_path true',
      'postal_address true',
    ]);
    expect(checked).to.include({ ready: true, first_failing: null });
    expect(relay.messages).to.deep.equal([]);
    const { body } = await client.get<any>(`/v1/senders/${id}`);
    expect(body).to.deep.equal(checked);
  });

  it('compares what is published with the key by which messages are signed here, and signs by it', async () => {
    const { id, dkim_record: record } = await create({ settings: local(), dkim_selector: 's2', dkim_signing: true });
    const name = 's2._domainkey.shop.example';
    const dkim = async () =>
      (await act(`/v1/senders/${id}/check`)).checks.find((check: any) => check.name === 'dkim') as any;
    expect((await dkim()).detail).to.equal(`Publish one TXT record ${name}, with "${record}"`);
    for (const other of [['v=DKIM1; k=rsa; p=MIGf'], [record, 'v=DKIM1; k=rsa; p=MIGf']]) {
      dns.published = { ...COMPLETE, [`TXT ${name}`]: other };
      expect(await dkim()).to.include({ ok: false });
    }
    dns.published = { ...COMPLETE, [`TXT ${name}`]: [record.replace('p=', 'p= ')] };
    expect(await dkim()).to.include({ ok: true });
    await client.post(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: 200 });
    const signed = Buffer.from(`${relay.messages[0]}\r\n`, 'latin1');
    expect(verifyDkim(signed, record)).to.include({ domain: 'shop.example', selector: 's2' });
  });

  it('names what fails, the first of it first', async () => {
    const { id } = await create({ settings: local() });
    dns.published = {};
    expect(await failingOf(id)).to.deep.equal(['spf', 'dkim', 'dmarc', 'return_path', 'postal_address']);
    expect(await act(`/v1/senders/${id}/check`)).to.include({ ready: false, first_failing: 'spf' });
  });

  it('looks at what a domain publishes', async () => {
    await address('Marktplatz 1');
    const { id } = await create({ settings: local(), dkim_selector: 's1', from_email: 'hello@mail.shop.example' });
    const mail: Published = {
      'TXT mail.shop.example': ['v=spf1 include:relay.example -all'],
      'TXT s1._domainkey.mail.shop.example': ['k=rsa; p=MIGf'],
      'TXT _dmarc.shop.example': ['v=DMARC1;p=reject; sp=none'],
      'A mail.shop.example': ['192.0.43.8'],
    };
    const failing = async (changes: Published) => {
      dns.published = { ...mail, ...changes };
      return await failingOf(id);
    };
    expect(await failing({})).to.deep.equal([]);
    const cases: [string, Published][] = [
      ['spf', { 'TXT mail.shop.example': ['v=spf1 -all', 'v=spf1 a -all'] }],
      ['spf', { 'TXT mail.shop.example': ['v=spf1 +all'] }],
      ['spf', { 'TXT mail.shop.example': ['v=spf1 all'] }],
      ['spf', { 'TXT mail.shop.example': ['v=spf10 -all'] }],
      ['dkim', { 'TXT s1._domainkey.mail.shop.example': ['v=DKIM1; p='] }],
      ['dkim', { 'TXT s1._domainkey.mail.shop.example': ['something else'] }],
      ['dmarc', { 'TXT _dmarc.shop.example': ['v=DMARC1'] }],
      ['dmarc', { 'TXT _dmarc.shop.example': ['v=DMARC1; p=none', 'v=DMARC1; p=none'] }],
      ['return_path', { 'A mail.shop.example': [] }],
      ['return_path', { 'MX mail.shop.example': ['.'] }],
    ];
    for (const [name, changes] of cases) expect(await failing(changes), JSON.stringify(changes)).to.deep.equal([name]);
  });

  it('shows what a domain publishes on one line, and cut', async () => {
    const { id } = await create({ settings: local() });
    dns.published = { ...COMPLETE, 'TXT shop.example': [`v=spf1 \u0000\u001b[31m ${'x'.repeat(2_000)} -all`] };
    const { checks } = await act(`/v1/senders/${id}/check`);
    const { detail } = checks.find(({ name }: any) => name === 'spf');
    expect(detail).to.match(/^v=spf1 \[31m x+…$/);
    expect(detail).to.have.length(200);
  });

  it('says what a server has against it', async () => {
    await using refusing = await ScriptedServer.start((verb) =>
      verb === 'AUTH' ? '535 5.7.8 Wrong password' : undefined,
    );
    const settings = local({ port: refusing.port, user: 'shop', password: 'wrong' });
    const { id } = await create({ settings });
    const { checks } = await act(`/v1/senders/${id}/check`);
    const { ok, detail } = checks.find(({ name }: any) => name === 'connection');
    expect([ok, detail]).to.deep.equal([false, 'The server refuses: 535 5.7.8 Wrong password']);
  });

  it('says that a server leads where it must not', async () => {
    const { id } = await create({ settings: { ...RELAY, host: 'rebound.example' } });
    dns.published = { 'A rebound.example': ['10.0.0.1'] };
    const { checks } = await act(`/v1/senders/${id}/check`);
    const { detail } = checks.find(({ name }: any) => name === 'connection');
    expect(detail).to.equal("The server can't be used: its address or its port is not permitted");
  });

  it('says that a password can not be read any more', async () => {
    const database = await createDatabase();
    const env = { ...SETTINGS, SECRET_KEY: 'a'.repeat(32) };
    const options = { nameServers: [dns.address] };
    const before = await TestService.start(env, database, options);
    const key = await before.newKey();
    client = await before.client({ storeId: key.storeId });
    const { id } = await create({ settings: local({ user: 'shop', password: 'secret' }) });
    expect(await failingOf(id)).not.to.include('connection');
    await before.stopService();
    const after = await TestService.start({ ...env, SECRET_KEY: 'b'.repeat(32) }, database, options);
    client = await after.client({ storeId: key.storeId });
    const { checks } = await act(`/v1/senders/${id}/check`);
    expect(checks.find(({ name }: any) => name === 'connection').detail).to.match(
      /SECRET_KEY was changed; set it anew/,
    );
    await client.post(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: 400 });
    await after.stop();
  });
});

describe('POST /v1/senders/{id}/test', () => {
  const test = async (id: string, to = 'me@shop.example') =>
    (await client.post<any>(`/v1/senders/${id}/test`, { to }, { expect: 200 })).body;

  it('sends a small message, and tells what the server said', async () => {
    const { id } = await create({ settings: local(), from_name: 'Café Löwe', name: '<b>"Relay"' });
    expect(await test(id, 'Me@Bücher.example')).to.deep.equal({
      ...{ outcome: 'accepted', code: null, enhanced_code: null, response: '250 2.0.0 Taken as 1234' },
      ...{ refused: null, permanent: null, reason: null, maybe_sent: true, message_id: null },
    });
    const [raw = ''] = relay.messages;
    const mail = await PostalMime.parse(raw);
    expect(mail.from).to.deep.include({ name: 'Café Löwe', address: 'hello@shop.example' });
    expect(mail.to?.[0]?.address).to.equal('Me@xn--bcher-kva.example');
    expect(mail.text).to.contain('<b>"Relay"');
    expect(mail.html).not.to.contain('<b>');
  });

  it('tells of refusals and failures', async () => {
    await using refusing = await ScriptedServer.start((verb) => (verb === 'RCPT' ? '550 5.1.1 Nobody' : undefined));
    const sender = await create({ settings: local({ port: refusing.port }) });
    expect(await test(sender.id)).to.deep.equal({
      ...{ outcome: 'refused', code: 550, enhanced_code: '5.1.1', response: '550 5.1.1 Nobody' },
      ...{ refused: 'recipient', permanent: true, reason: null, maybe_sent: false, message_id: null },
    });
    const nowhere = await create();
    expect(await test(nowhere.id)).to.include({ outcome: 'failed', reason: 'name_not_found', maybe_sent: false });
  });

  it('keeps the message in an outbox, which answers for its simulator', async () => {
    const [outbox] = (await client.get<any>('/v1/senders')).body.senders;
    const { message_id, ...kept } = await test(outbox.id);
    expect(kept).to.include({ outcome: 'accepted', response: 'Kept in the outbox' });
    const { body } = await client.get<any>(`/v1/messages/${message_id}/content`, { expect: 200 });
    expect(body.subject).to.equal('A test by Footfall');
    expect(body.headers).to.deep.include({ name: 'To', value: 'me@shop.example' });
    const bounced = await test(outbox.id, 'bounce@simulator.test');
    expect(bounced).to.include({ outcome: 'refused', code: 550, message_id: null });
  });

  it('keeps to the day of a sender, and to 50 tests', async () => {
    const { id } = await create({ settings: local(), max_per_day: 2 });
    for (const _ of [1, 2]) await test(id);
    await client.post(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: 400 });
    const other = await create({ settings: local() });
    await service.database.query(`update sender set tested_on = current_date, tests = 50 where id = '${other.id}'`);
    await client.post(`/v1/senders/${other.id}/test`, { to: 'me@shop.example' }, { expect: 400 });
    await service.database.query(`update sender set tested_on = current_date - 1 where id = '${other.id}'`);
    await test(other.id);
  });

  it('takes one plain address', async () => {
    const { id } = await create({ settings: local() });
    for (const to of ['a@b.example, c@d.example', 'A <a@b.example>', 'a@b.example\r\nRSET']) {
      const { body } = await client.post<any>(`/v1/senders/${id}/test`, { to }, { expect: 400 });
      expect(body.error.field).to.equal('to');
    }
    expect(relay.messages).to.deep.equal([]);
  });
});

describe('The server that all stores share', () => {
  let sharing: TestService;

  before(async () => {
    const env = { ...SETTINGS, SMTP_URL: `smtp://shop:p%40ss@127.0.0.1:${relay.port}`, SMTP_URL_MAX_PER_DAY: '3' };
    sharing = await TestService.start(env, undefined, { nameServers: [dns.address] });
  });
  beforeEach(async () => {
    ({ storeId } = await sharing.newKey());
    client = await sharing.client({ storeId });
  });
  after(() => sharing.stop());

  it('is used for a domain that names the store, up to so many messages a day', async () => {
    const { id, max_per_day: day, settings } = await create({ settings: { shared: true } });
    expect([day, settings]).to.deep.equal([
      3,
      {
        ...{ shared: true, host: null, port: null, security: null, user: null, password_set: false, endpoint_id: null },
        ...NO_ACCOUNT,
      },
    ]);
    const send = (expected: number) =>
      client.post<any>(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: expected });
    expect((await send(400)).body.error).to.include({ field: 'from_email' });
    dns.published = { ...COMPLETE, 'TXT _footfall.shop.example': [`store=${crypto.randomUUID()}`] };
    await send(400);
    expect((await act(`/v1/senders/${id}/check`)).checks[2]).to.include({ name: 'domain', ok: false });
    dns.published = { ...COMPLETE, 'TXT _footfall.shop.example': ['other', `store=${storeId}`] };
    expect((await act(`/v1/senders/${id}/check`)).checks[2]).to.include({ name: 'domain', ok: true });
    expect((await send(200)).body.outcome).to.equal('accepted');
    await send(400);
    expect(relay.messages).to.have.length(1);
  });

  it('counts the day of a store, whichever of its senders used it', async () => {
    dns.published = { ...COMPLETE, 'TXT _footfall.shop.example': [`store=${storeId}`] };
    const test = (id: string, expected: number) =>
      client.post<any>(`/v1/senders/${id}/test`, { to: 'me@shop.example' }, { expect: expected });
    const remove = (id: string) => client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 200 });
    const shared = { settings: { shared: true } };
    const first = await create(shared);
    await test(first.id, 200);
    await remove(first.id);
    const second = await create(shared);
    await test(second.id, 200);
    // It uses a server of its own from now on, and another one the shared server.
    await put(`/v1/senders/${second.id}`, { ...update, settings: RELAY });
    const third = await create();
    await put(`/v1/senders/${third.id}`, { ...update, ...shared });
    await test(third.id, 200);
    await test(third.id, 400);
    await remove(third.id);
    await test((await create(shared)).id, 400);
  });

  it('is used by one sender of a store, and for no more than the operator allows', async () => {
    expect((await refused({ settings: { shared: true }, max_per_day: 4 }))[0]).to.equal('max_per_day');
    const { id } = await create({ settings: { shared: true }, max_per_day: 2 });
    expect((await refused({ settings: { shared: true } }))[0]).to.equal('settings.shared');
    const own = await create();
    const change = { ...update, from_email: 'a@b.example', settings: { shared: true } };
    await put(`/v1/senders/${own.id}`, change, 400);
    await client.send('DELETE', `/v1/senders/${id}`, undefined, { expect: 200 });
    await put(`/v1/senders/${own.id}`, change);
  });
});
