import { expect } from 'chai';
import pg from 'pg';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/profiles/upsert';

describe('POST /v1/profiles/upsert', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const upsert = async (identifiers: object, attributes?: object) => client.post(PATH, { identifiers, attributes });
  const refusedField = async (body: unknown) => (await client.post(PATH, body, { expect: 400 })).body.error.field;

  it('creates a profile with 201, and updates it with 200', async () => {
    const created = await upsert({ email: 'Ada@Example.com', external_id: 'c1' }, { first_name: 'Ada' });
    expect(created.status).to.equal(201);
    expect(created.body).to.have.all.keys('id', 'identifiers', 'attributes', 'created_at', 'updated_at');
    expect(created.body.identifiers).to.deep.equal({ email: 'ada@example.com', phone: null, external_id: 'c1' });
    const updated = await upsert({ email: 'ada@example.com' }, { loyalty_tier: 'gold' });
    expect(updated.status).to.equal(200);
    expect(updated.body.id).to.equal(created.body.id);
    expect(updated.body.attributes).to.deep.equal({ first_name: 'Ada', loyalty_tier: 'gold' });
    expect(updated.body.created_at).to.equal(created.body.created_at);
  });

  it('merges attributes: a value replaces, null removes, absent ones stay', async () => {
    await upsert({ external_id: 'c1' }, { kept: 1, replaced: { a: 1 }, removed: true });
    const { body } = await upsert({ external_id: 'c1' }, { replaced: { b: [null] }, removed: null, unknown: null });
    expect(body.attributes).to.deep.equal({ kept: 1, replaced: { b: [null] } });
  });

  it('requires no attributes', async () => {
    expect((await upsert({ phone: '(020) 7946-0958' })).body).to.deep.include({
      identifiers: { email: null, phone: '02079460958', external_id: null },
      attributes: {},
    });
  });

  it('changes nothing when it is repeated', async () => {
    const body = { identifiers: { email: 'a@example.com', external_id: 'c1' }, attributes: { a: 1, gone: null } };
    const first = await client.post(PATH, body, { expect: 201 });
    const second = await client.post(PATH, body, { expect: 200 });
    expect(second.body).to.deep.equal(first.body);
  });

  it('refuses an identifier that another profile owns, and stores nothing of the request', async () => {
    await upsert({ email: 'taken@example.com' }, { owner: true });
    const mine = await upsert({ external_id: 'c1' }, { a: 1 });
    const body = {
      identifiers: { external_id: 'c1', email: 'taken@example.com', phone: '12345' },
      attributes: { a: 2 },
    };
    expect(await refusedField(body)).to.equal('identifiers.email');
    expect((await upsert({ external_id: 'c1' })).body).to.deep.equal(mine.body);
    expect((await upsert({ phone: '12345' })).status).to.equal(201);
  });

  it('names the field that is missing, invalid or unknown', async () => {
    expect(await refusedField({})).to.equal('identifiers');
    expect(await refusedField({ identifiers: {} })).to.equal('identifiers');
    expect(await refusedField({ identifiers: { email: 'nobody' } })).to.equal('identifiers.email');
    expect(await refusedField({ identifiers: { mail: 'a@example.com' } })).to.equal('identifiers.mail');
    expect(await refusedField({ identifiers: { external_id: 'x' }, attributes: 5 })).to.equal('attributes');
    expect(await refusedField({ identifiers: { external_id: 'x' }, attribute: {} })).to.equal('attribute');
  });

  it('refuses attributes that would exceed 400 in total', async () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${from + i}`, i]));
    await client.post(PATH, { identifiers: { external_id: 'x' }, attributes: many(0, 400) }, { expect: 201 });
    expect(await refusedField({ identifiers: { external_id: 'x' }, attributes: many(400, 1) })).to.equal('attributes');
    expect(await refusedField({ identifiers: { external_id: 'y' }, attributes: many(0, 401) })).to.equal('attributes');
    const swap = { a0: null, a400: 1 };
    await client.post(PATH, { identifiers: { external_id: 'x' }, attributes: swap }, { expect: 200 });
  });

  it('keeps every attribute of concurrent requests', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => upsert({ external_id: 'busy' }, { [`a${i}`]: i })));
    const { body } = await upsert({ external_id: 'busy' });
    expect(Object.keys(body.attributes)).to.have.length(40);
  });

  it('does not wait for a locked profile of another customer', async () => {
    await upsert({ email: 'held@example.com' });
    const holder = new pg.Client(service.database.url);
    await holder.connect();
    await holder.query(
      `begin; select from profile where store_id = '${storeId}' and email = 'held@example.com' for update`,
    );
    let isAnswered = false;
    const held = upsert({ email: 'held@example.com' }, { loyalty_tier: 'gold' }).finally(() => {
      isAnswered = true;
    });
    try {
      await until(() => service.database.isWaiting(), 'it waits for the profile');
      for (const email of ['ada@example.com', 'grace@example.com', 'ada@example.com']) {
        expect((await upsert({ email })).status).to.be.oneOf([200, 201]);
      }
      expect(isAnswered).to.equal(false);
    } finally {
      await holder.end();
    }
    expect((await held).status).to.equal(200);
  });
});
