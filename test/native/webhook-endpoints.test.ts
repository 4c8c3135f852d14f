import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Client } from '../support/client.ts';
import { holdRows } from '../support/obstacles.ts';
import { TestService } from '../support/service.ts';
import { RawReceiver, Receiver } from '../webhooks/support/receiver.ts';

const PATH = '/v1/webhook-endpoints';
const INPUT = { url: 'https://hooks.shop.example/', name: 'Mailer' };

describe('Webhook endpoints', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({
      AUTOMATION_CONCURRENCY: '0',
      WEBHOOK_ALLOW_HTTP: '1',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    });
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const create = async (input: object = {}) =>
    (await client.post(PATH, { ...INPUT, ...input }, { expect: 201 })).body as { secret: string; endpoint: any };
  const post = (path: string) => client.send<any>('POST', path, undefined);
  const put = (id: string, body: object) =>
    client.send<any>('PUT', `${PATH}/${id}`, JSON.stringify({ secret_headers: [], ...body }), JSON_BODY);
  const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

  describe('POST /v1/webhook-endpoints', () => {
    it('creates an endpoint, and shows its secret this once', async () => {
      const { secret, endpoint } = await create({ max_per_second: 7 });
      expect(secret).to.match(/^whsec_[\w+/]{43}=$/);
      expect(endpoint).to.include({ ...INPUT, max_per_second: 7, max_concurrent: 10, status: 'active', queued: 0 });
      const shown = [(await client.get(`${PATH}/${endpoint.id}`)).body, (await client.get(PATH)).body];
      expect(shown).to.deep.equal([endpoint, { endpoints: [endpoint], next_cursor: null }]);
      expect(JSON.stringify(shown)).not.to.include('whsec_');
    });

    it('shows an international name in its ASCII form', async () => {
      expect((await create({ url: 'https://раураӏ.example/x' })).endpoint.url).to.match(
        /^https:\/\/xn--.*\.example\/x$/,
      );
    });

    it('refuses what deliveries must not go to', async () => {
      const urls = [
        'javascript:alert(1)',
        'https://user@shop.example/',
        'https://127.0.0.2/',
        'https://10.0.0.1/',
        'https://0x7f.2/',
        'https://[::ffff:10.0.0.1]/',
        'https://[64:ff9b::a00:1]/',
        'http://169.254.169.254/latest/meta-data/',
        'https://shop.example:0/',
        `https://shop.example/${'x'.repeat(2_030)}`,
        'shop.example',
        '',
      ];
      for (const url of urls) {
        const { body } = await client.post<any>(PATH, { ...INPUT, url }, { expect: 400 });
        expect(body.error.field, url).to.equal('url');
      }
    });

    it('refuses the fifty-first', async () => {
      for (let i = 0; i < 50; i += 1) await create();
      const { body } = await client.post<any>(PATH, INPUT, { expect: 400 });
      expect(body.error.message).to.equal('The store already has 50 endpoints; delete one first');
    });
  });

  it('GET /v1/webhook-endpoints lists them in pages, the newest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await create()).endpoint.id);
    const first = (await client.get<any>(`${PATH}?limit=2`)).body;
    const last = (await client.get<any>(`${PATH}?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.endpoints, ...last.endpoints].map(({ id }) => id)).to.deep.equal(ids);
    expect(last.next_cursor).to.equal(null);
  });

  it('GET /v1/webhook-endpoints lists only deleted ones, or none of them', async () => {
    const [kept, gone] = [(await create()).endpoint.id, (await create()).endpoint.id];
    await client.send('DELETE', `${PATH}/${gone}`, undefined, { expect: 200 });
    const idsOf = async (query: string) =>
      (await client.get<any>(PATH + query, { expect: 200 })).body.endpoints.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).to.deep.equal([gone, kept]);
    expect(await idsOf('?deleted=false')).to.deep.equal([kept]);
    expect(await idsOf('?deleted=true')).to.deep.equal([gone]);
    const { body } = await client.get<any>(`${PATH}?deleted=perhaps`, { expect: 400 });
    expect(body.error.field).to.equal('deleted');
  });

  it('GET /v1/webhook-endpoints/{id} shows none of another store', async () => {
    const { endpoint } = await create();
    const stranger = await service.client();
    expect((await stranger.get(`${PATH}/${endpoint.id}`)).status).to.equal(404);
    expect((await stranger.get(`${PATH}/${endpoint.id}/deliveries`)).status).to.equal(404);
  });

  it('PUT /v1/webhook-endpoints/{id} changes it, disables it and enables it again', async () => {
    const { endpoint } = await create();
    const input = { url: 'https://new.example/', name: 'New', max_per_second: 3, max_concurrent: 2 };
    expect((await put(endpoint.id, input)).body).to.include({ ...input, status: 'active' });
    const disabled = (await put(endpoint.id, { ...input, status: 'disabled' })).body;
    expect(disabled).to.include({ status: 'disabled', disabled_reason: 'requested' });
    expect((await put(endpoint.id, input)).body).to.include({ status: 'disabled', disabled_at: disabled.disabled_at });
    expect((await put(endpoint.id, { ...input, status: 'active' })).body).to.include({
      status: 'active',
      disabled_reason: null,
      disabled_at: null,
    });
    expect((await put(endpoint.id, { ...input, url: 'https://10.0.0.1/' })).status).to.equal(400);
  });

  it('DELETE /v1/webhook-endpoints/{id} deletes it for good, and leaves it in the list', async () => {
    const { endpoint } = await create();
    const remove = () => client.send<any>('DELETE', `${PATH}/${endpoint.id}`, undefined);
    const { body } = await remove();
    expect(body.status).to.equal('deleted');
    expect((await remove()).body).to.deep.equal(body);
    expect((await client.get<any>(PATH)).body.endpoints).to.deep.equal([body]);
    const change = { ...INPUT, max_per_second: 1, max_concurrent: 1 };
    for (const answer of [
      await put(endpoint.id, change),
      await post(`${PATH}/${endpoint.id}/rotate`),
      await post(`${PATH}/${endpoint.id}/test`),
      await client.post<any>(`${PATH}/${endpoint.id}/replay`, { status: 'held' }),
    ]) {
      expect([answer.status, answer.body.error.message]).to.deep.equal([400, 'The endpoint is deleted']);
    }
  });

  it('POST /v1/webhook-endpoints/{id}/test sends a signed message, and shows the answer', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(200).end('Welcome'));
    const { secret, endpoint } = await create({ url: receiver.url });
    const { body } = await client.post<any>(`${PATH}/${endpoint.id}/test`, undefined, { expect: 200 });
    expect(body).to.include({ status: 'delivered', message_type: 'webhook.test', run_id: null });
    expect(body.attempts).to.have.length(1);
    expect(body.attempts[0]).to.include({ number: 1, status: 200, error: null, excerpt: 'Welcome' });
    const [received] = receiver.received;
    expect(received?.body).to.equal(body.body);
    expect(received?.headers['webhook-id']).to.equal(body.id);
    const verified = new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
    expect(verified).to.include({ type: 'webhook.test' });
    expect((await client.get(`/v1/webhook-deliveries/${body.id}`)).body).to.deep.equal(body);
  });

  it('POST /v1/webhook-endpoints/{id}/test shows why there is no answer', async () => {
    const gone = await Receiver.start();
    const { endpoint } = await create({ url: gone.url });
    await gone[Symbol.asyncDispose]();
    const { body } = await post(`${PATH}/${endpoint.id}/test`);
    expect(body.status).to.equal('failed');
    expect(body.attempts[0]).to.include({ status: null, error: 'connection_refused', excerpt: null });
    expect((await client.get<any>(`${PATH}/${endpoint.id}`)).body.failures).to.equal(0);
  });

  it('POST /v1/webhook-endpoints/{id}/test shows that a receiver hangs, however it does', async () => {
    await using silent = await RawReceiver.start(() => {});
    await using trickling = await RawReceiver.start((socket, repeat) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(() => socket.write('X'));
    });
    const answers = [silent, trickling].map(async ({ url }) =>
      post(`${PATH}/${(await create({ url })).endpoint.id}/test`),
    );
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.status]).to.deep.equal([200, 'failed']);
      expect(body.attempts[0]).to.include({ status: null, error: 'timeout', resent: false });
    }
  });

  it('POST /v1/webhook-endpoints/{id}/test tells where its request was sent once more', async () => {
    await using receiver = await Receiver.start();
    const { endpoint } = await create({ url: receiver.url });
    const { body } = await post(`${PATH}/${endpoint.id}/test`);
    expect(body.attempts[0]).to.include({ status: 204, resent: false });
    receiver.respond = (response) => response.socket?.destroy();
    const again = await post(`${PATH}/${endpoint.id}/test`);
    expect(again.body.attempts[0]).to.include({ number: 1, error: 'connection_closed', resent: true });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).to.deep.equal([body.id, again.body.id, again.body.id]);
  });

  it('POST /v1/webhook-endpoints/{id}/rotate lets the secret before sign as well', async () => {
    await using receiver = await Receiver.start();
    const { secret, endpoint } = await create({ url: receiver.url });
    const rotate = () => post(`${PATH}/${endpoint.id}/rotate`);
    const rotated = (await rotate()).body;
    expect(rotated.endpoint.previous_secrets_until).not.to.equal(null);
    await post(`${PATH}/${endpoint.id}/test`);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    for (const one of [secret, rotated.secret]) new Webhook(one).verify(body, headers as Record<string, string>);
    const statuses = [(await rotate()).status, (await rotate()).status, (await rotate()).status];
    expect(statuses).to.deep.equal([200, 200, 400]);
  });

  it('GET /v1/webhook-endpoints/{id}/deliveries lists them by status and time, the newest first', async () => {
    await using receiver = await Receiver.start();
    const { endpoint } = await create({ url: receiver.url });
    const ids: string[] = [];
    for (const status of [200, 500, 204]) {
      receiver.respond = (response) => response.writeHead(status).end();
      ids.unshift((await post(`${PATH}/${endpoint.id}/test`)).body.id);
    }
    const list = async (query: string) =>
      (await client.get<any>(`${PATH}/${endpoint.id}/deliveries?${query}`)).body.deliveries.map(
        ({ id }: { id: string }) => ids.indexOf(id),
      );
    expect(await list('')).to.deep.equal([0, 1, 2]);
    expect(await list('status=failed')).to.deep.equal([1]);
    expect(await list('to=2026-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await list('from=1900-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).to.deep.equal([0, 1, 2]);
    expect(await list('to=0001-01-01T00:00:00Z')).to.deep.equal([]);
    const first = (await client.get<any>(`${PATH}/${endpoint.id}/deliveries?limit=2`)).body;
    expect(await list(`limit=2&cursor=${first.next_cursor}`)).to.deep.equal([2]);
  });

  it('POST /v1/webhook-deliveries/{id}/replay and /v1/webhook-endpoints/{id}/replay send once more', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const { endpoint } = await create({ url: receiver.url });
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await post(`${PATH}/${endpoint.id}/test`)).body.id);
    const replay = (id: string) => post(`/v1/webhook-deliveries/${id}/replay`);
    const { body } = await replay(ids[0] as string);
    expect(body).to.include({ status: 'pending', finished_at: null });
    expect((await replay(ids[0] as string)).body).to.deep.equal(body);
    const many = (status: string) => client.post<any>(`${PATH}/${endpoint.id}/replay`, { status });
    expect((await many('failed')).body).to.deep.equal({ replayed: 2, is_more: false });
    expect((await many('failed')).body).to.deep.equal({ replayed: 0, is_more: false });
    expect((await many('held')).body).to.deep.equal({ replayed: 0, is_more: false });
    const shown = (await client.get<any>(`${PATH}/${endpoint.id}`)).body;
    expect(shown).to.include({ queued: 3, oldest_queued_at: body.created_at });
    await put(endpoint.id, { ...INPUT, url: receiver.url, max_per_second: 1, max_concurrent: 1, status: 'disabled' });
    expect((await many('failed')).status).to.equal(400);
  });

  it('POST /v1/webhook-endpoints/{id}/replay says that there may be more while others hold some of them', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const { endpoint } = await create({ url: receiver.url });
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await post(`${PATH}/${endpoint.id}/test`)).body.id);
    const many = () => client.post<any>(`${PATH}/${endpoint.id}/replay`, { status: 'failed' });
    const release = await holdRows(service.database, 'webhook_delivery', `id = '${ids[1]}'`);
    expect((await many()).body).to.deep.equal({ replayed: 2, is_more: true });
    await release();
    expect((await many()).body).to.deep.equal({ replayed: 1, is_more: false });
  });

  it('GET /v1/webhook-deliveries/{id} shows none of another store', async () => {
    await using receiver = await Receiver.start();
    const { endpoint } = await create({ url: receiver.url });
    const { body } = await post(`${PATH}/${endpoint.id}/test`);
    const stranger = await service.client();
    expect((await stranger.get(`/v1/webhook-deliveries/${body.id}`)).status).to.equal(404);
    expect((await stranger.send('POST', `/v1/webhook-deliveries/${body.id}/replay`, undefined)).status).to.equal(404);
  });
});
