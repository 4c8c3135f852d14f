import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { deleteOldAnswers } from '../../src/domain/kept-answers.ts';
import type { Client, Response } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';

interface Creation {
  path: string;
  body: Record<string, unknown>;
  /** Another request, for which the key can't be used. */
  other: Record<string, unknown>;
  countIn: (client: Client) => Promise<number>;
}

const DEFINITION = { name: 'A', trigger: { type: 'manual' }, start: 'one', steps: [{ id: 'one', type: 'exit' }] };

const SENDER = {
  kind: 'smtp',
  from_email: 'hello@shop.example',
  settings: { host: 'mail.shop.example', port: 587, security: 'starttls' },
};

const count = (path: string, member: string) => async (client: Client) =>
  (await client.get(path, { expect: 200 })).body[member].length;

/** One request for each operation that creates something by a POST, but for events and profiles. */
const CREATIONS: Record<string, Creation> = {
  createList: {
    path: '/v1/lists',
    body: { name: 'A' },
    other: { name: 'B' },
    countIn: count('/v1/lists', 'lists'),
  },
  createSegment: {
    path: '/v1/segments',
    body: { name: 'A', definition: { event: { type: 'came' } } },
    other: { name: 'A', definition: { event: { type: 'went' } } },
    countIn: count('/v1/segments', 'segments'),
  },
  createTemplate: {
    path: '/v1/templates',
    body: { name: 'A', kind: 'sms', body: 'Hello' },
    other: { name: 'A', kind: 'sms', body: 'Goodbye' },
    countIn: count('/v1/templates', 'templates'),
  },
  createCampaign: {
    path: '/v1/campaigns',
    body: { name: 'A', channel: 'email' },
    other: { name: 'A', channel: 'sms' },
    countIn: count('/v1/campaigns', 'campaigns'),
  },
  createCouponPool: {
    path: '/v1/coupon-pools',
    body: { name: 'A', kind: 'uploaded' },
    other: { name: 'A', kind: 'uploaded', per: 'run' },
    countIn: count('/v1/coupon-pools', 'pools'),
  },
  createCatalogFeed: {
    path: '/v1/catalog/feeds',
    body: { name: 'A', source: 'file' },
    other: { name: 'A', source: 'file', currency: 'EUR' },
    countIn: count('/v1/catalog/feeds', 'feeds'),
  },
  createAutomation: {
    path: '/v1/automations',
    body: { definition: DEFINITION },
    other: { definition: { ...DEFINITION, name: 'B' } },
    countIn: count('/v1/automations', 'automations'),
  },
  createWebhookEndpoint: {
    path: '/v1/webhook-endpoints',
    body: { url: 'https://hooks.shop.example/a', name: 'A' },
    other: { url: 'https://hooks.shop.example/b', name: 'A' },
    countIn: count('/v1/webhook-endpoints', 'endpoints'),
  },
  createApiKey: {
    path: '/v1/api-keys',
    body: { name: 'A', scopes: ['client:write'] },
    other: { name: 'B', scopes: ['client:write'] },
    countIn: async (client) => (await count('/v1/api-keys', 'api_keys')(client)) - 1,
  },
  createImport: {
    path: '/v1/imports',
    body: { name: 'a.csv', delimiter: ',' },
    other: { name: 'a.csv', delimiter: ';' },
    countIn: count('/v1/imports', 'imports'),
  },
  createSender: {
    path: '/v1/senders',
    body: { ...SENDER, name: 'A' },
    other: { ...SENDER, name: 'B' },
    // Beside the outbox, which every store has.
    countIn: async (client) => (await count('/v1/senders', 'senders')(client)) - 1,
  },
};

describe('Creations', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    client = await service.client();
  });

  const isReplay = ({ headers }: Response<any>) => headers['idempotency-replayed'] === 'true';

  it('all take the key, by the spec', async () => {
    const { operations } = await loadSpec('native');
    const takers = operations.filter(({ parameters = [] }: any) =>
      parameters.some(({ name, schema }: any) => name === 'Idempotency-Key' && !schema['x-refused']),
    );
    const ofOwnTests = [
      'createEvent',
      'enrolProfile',
      'rotateWebhookSecret',
      'sendMessage',
      'createImage',
      'copyCampaign',
      'createErasure',
      'createInvitation',
      'startCatalogSync',
      'addCouponCodes',
      'assignCoupon',
      'createCatalogSubscription',
      'createProfileNote',
    ];
    expect(takers.map(({ operationId }) => operationId)).to.have.members([...Object.keys(CREATIONS), ...ofOwnTests]);
    const creating = operations.filter(({ method, responses }: any) => method === 'post' && responses['201']);
    const others = creating.filter((operation) => !takers.includes(operation)).map(({ operationId }) => operationId);
    expect(others).to.have.members([
      ...['upsertProfile', 'createEventsBulk', 'upsertCatalogCategory', 'upsertCatalogItem'],
    ]);
  });

  for (const [id, { path, body, other, countIn }] of Object.entries(CREATIONS)) {
    describe(id, () => {
      const send = (more: object, headers: Record<string, string> = {}) =>
        client.post(path, { ...body, ...more }, { headers });

      it('creates one for one key, and answers what it answered', async () => {
        const first = await send({ idempotency_key: 'one' });
        expect([first.status, isReplay(first)]).to.deep.equal([201, false]);
        const second = await send({ idempotency_key: 'one' });
        expect([second.status, isReplay(second)]).to.deep.equal([201, true]);
        expect(JSON.stringify(second.body)).to.equal(JSON.stringify(first.body));
        expect(await countIn(client)).to.equal(1);
      });

      it('takes the header as the same, and refuses two keys', async () => {
        const first = await send({}, { 'Idempotency-Key': 'one' });
        expect(isReplay(first)).to.equal(false);
        for (const again of [
          await send({ idempotency_key: 'one' }),
          await send({ idempotency_key: 'one' }, { 'Idempotency-Key': 'one' }),
        ]) {
          expect(isReplay(again)).to.equal(true);
          expect(again.body).to.deep.equal(first.body);
        }
        const both = await send({ idempotency_key: 'two' }, { 'Idempotency-Key': 'one' });
        expect([both.status, both.body.error.field]).to.deep.equal([400, 'idempotency_key']);
        const tooLong = await send({}, { 'Idempotency-Key': 'x'.repeat(256) });
        expect([tooLong.status, tooLong.body.error.field]).to.deep.equal([400, 'idempotency_key']);
        expect(await countIn(client)).to.equal(1);
      });

      it('refuses a key that was used for something else, and leaves that of a refused request free', async () => {
        await client.post(path, { ...body, idempotency_key: 'one' }, { expect: 201 });
        const reused = await client.post(path, { ...other, idempotency_key: 'one' }, { expect: 400 });
        expect(reused.body.error).to.include({
          field: 'idempotency_key',
          message: 'idempotency_key was used for another request; choose a new one',
        });
        await client.post(path, { ...body, nonsense: 1, idempotency_key: 'two' }, { expect: 400 });
        expect(isReplay(await client.post(path, { ...other, idempotency_key: 'two' }, { expect: 201 }))).to.equal(
          false,
        );
        expect(await countIn(client)).to.equal(2);
      });

      it('creates one for requests at the same time, and another one for another store', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => send({ idempotency_key: 'one' })));
        expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(201));
        expect(answers.filter(isReplay)).to.have.length(7);
        expect(await countIn(client)).to.equal(1);
        const elsewhere = await service.client();
        expect(isReplay(await elsewhere.post(path, { ...body, idempotency_key: 'one' }))).to.equal(false);
      });
    });
  }

  it('of different operations have keys of their own', async () => {
    for (const { path, body } of Object.values(CREATIONS)) {
      expect(isReplay(await client.post(path, { ...body, idempotency_key: 'same' }, { expect: 201 }))).to.equal(false);
    }
  });

  it('replay what was answered, although it has changed since, and forget that after 30 days', async () => {
    const { body: first } = await client.post('/v1/lists', { name: 'A', idempotency_key: 'one' }, { expect: 201 });
    await client.send('DELETE', `/v1/lists/${first.id}`, undefined, { expect: 200 });
    const second = await client.post('/v1/lists', { name: 'A', idempotency_key: 'one' }, { expect: 201 });
    expect(second.body).to.deep.equal(first);
    expect(await CREATIONS.createList?.countIn(client)).to.equal(0);
    await service.database.query(`update kept_answer set created_at = now() - interval '31 days' where key = 'one'`);
    const database = await openDatabase(service.database.address, 1);
    await database.stores.each(deleteOldAnswers).finally(() => database.close());
    const third = await client.post('/v1/lists', { name: 'A', idempotency_key: 'one' }, { expect: 201 });
    expect(third.body.id).not.to.equal(first.id);
  });

  it('of a list whose source_id there is answer the list that has it', async () => {
    const first = await client.post('/v1/lists', { name: 'A', source_id: 'Y6nRLr' }, { expect: 201 });
    const second = await client.post('/v1/lists', { name: 'B', source_id: 'Y6nRLr' }, { expect: 200 });
    expect(second.body).to.deep.equal(first.body);
    expect(await CREATIONS.createList?.countIn(client)).to.equal(1);
  });

  describe('of secrets', () => {
    const endpoint = { url: 'https://hooks.shop.example/a', name: 'A' };

    it('show no API key again, and keep it nowhere', async () => {
      const body = { name: 'A', scopes: ['events:write'], idempotency_key: 'one' };
      const first = await client.post('/v1/api-keys', body, { expect: 201 });
      expect(first.body.key).to.match(/^ffk_/);
      const second = await client.post('/v1/api-keys', body, { expect: 201 });
      expect(second.body).to.deep.equal({ ...first.body, key: null });
      const kept = await service.database.query('select body::text as body from kept_answer');
      expect(JSON.stringify(kept)).not.to.include('ffk_');
    });

    it('show the secret of an endpoint again to the same API key, while it is current', async () => {
      const body = { ...endpoint, idempotency_key: 'one' };
      const { key, storeId } = await service.newKey();
      const one = client.as(key);
      const first = await one.post('/v1/webhook-endpoints', body, { expect: 201 });
      expect(first.body.secret).to.match(/^whsec_/);
      expect((await one.post('/v1/webhook-endpoints', body, { expect: 201 })).body).to.deep.equal(first.body);
      const other = client.as((await service.newKey({ storeId })).key);
      const seen = await other.post('/v1/webhook-endpoints', body, { expect: 201 });
      expect(seen.body).to.deep.equal({ ...first.body, secret: null });
      const path = `/v1/webhook-endpoints/${first.body.endpoint.id}/rotate`;
      const rotate = (headers: Record<string, string>) => one.send('POST', path, undefined, { headers, expect: 200 });
      const rotated = await rotate({ 'Idempotency-Key': 'now' });
      for (let i = 0; i < 4; i += 1) {
        const again = await rotate({ 'Idempotency-Key': 'now' });
        expect(isReplay(again)).to.equal(true);
        expect(again.body).to.deep.equal(rotated.body);
      }
      expect((await one.post('/v1/webhook-endpoints', body, { expect: 201 })).body.secret).to.equal(null);
      await rotate({});
      expect((await rotate({ 'Idempotency-Key': 'now' })).body.secret).to.equal(null);
      const kept = await service.database.query('select body::text as body from kept_answer');
      expect(JSON.stringify(kept)).not.to.include('whsec_');
    });
  });

  describe('of events', () => {
    const event = { event_type: 'came', profile: { external_id: 'c1' } };

    it('take the header for a single one', async () => {
      const headers = { 'Idempotency-Key': 'bestellung-ä-1' };
      const { body } = await client.post('/v1/events', event, { headers: asBytes(headers), expect: 201 });
      expect(body.idempotency_key).to.equal('bestellung-ä-1');
      const again = await client.post('/v1/events', { ...event, idempotency_key: 'bestellung-ä-1' }, { expect: 201 });
      expect([isReplay(again), again.body.id]).to.deep.equal([true, body.id]);
    });

    it('refuse the header for many, which have a key each', async () => {
      const headers = { 'Idempotency-Key': 'one' };
      const { body } = await client.post('/v1/events/bulk', { events: [event] }, { headers, expect: 400 });
      expect(body.error.message).to.equal(
        'idempotency-key can not be the key of all events; give each its idempotency_key',
      );
    });
  });
});

/** `fetch` sends each character as a byte. */
function asBytes(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}
