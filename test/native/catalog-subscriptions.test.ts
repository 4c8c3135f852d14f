import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/catalog/subscriptions';

describe('POST and GET /v1/catalog/subscriptions, DELETE /v1/catalog/subscriptions/{id}: those who wait', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
    const variants = [
      { id: 'tea-s', stock: 0 },
      { id: 'tea-l', stock: 0 },
    ];
    const items = [
      { id: 'tea', title: 'Tea', variants },
      { id: 'pot', title: 'Pot', stock: 0 },
    ];
    await client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
  });
  after(() => service.stop());

  const customer = async (externalId: string): Promise<string> => {
    const body = { identifiers: { external_id: externalId } };
    return (await client.post<any>('/v1/profiles/upsert', body, { expect: 201 })).body.id;
  };
  const body = (more: object = {}) => ({ profile: { external_id: 'ada' }, kind: 'back_in_stock', ...more });
  const subscribe = async (more: object, expected = 201) =>
    (await client.post<any>(PATH, body(more), { expect: expected })).body;
  const list = async (query = '') =>
    (await client.get<any>(`${PATH}?${query}`, { expect: 200 })).body.subscriptions as any[];
  const refusal = async (more: object) =>
    (await client.post<any>(PATH, body(more), { expect: 400 })).body.error as { field: string; message: string };

  it('are there once for a customer, an item and a variant, and are listed, the newest first', async () => {
    const ada = await customer('ada');
    const bo = await customer('bo');
    const one = await subscribe({ item_id: 'tea' });
    expect(one).to.deep.include({ profile_id: ada, item_id: 'tea', variant_id: null, kind: 'back_in_stock' });
    expect(one).to.include({ below: null, currency: null, from_client: false, notified_at: null });
    expect((await subscribe({ item_id: 'tea' }, 200)).id).to.equal(one.id);
    const small = await subscribe({ variant_id: 'tea-s' });
    expect(small).to.include({ item_id: 'tea', variant_id: 'tea-s' });
    const cheaper = await subscribe({ item_id: 'pot', kind: 'price_drop', below: 19.9, currency: 'EUR' });
    expect(cheaper).to.include({ below: 19.9, currency: 'EUR' });
    const changed = await subscribe({ item_id: 'pot', kind: 'price_drop', below: 15, currency: 'EUR' }, 200);
    expect(changed).to.include({ id: cheaper.id, below: 15 });
    const ofBo = await subscribe({ profile: { external_id: 'bo' }, item_id: 'tea' });

    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('')).to.deep.equal([ofBo.id, cheaper.id, small.id, one.id]);
    expect(await ids('item_id=tea')).to.deep.equal([ofBo.id, small.id, one.id]);
    expect(await ids(`profile_id=${bo}`)).to.deep.equal([ofBo.id]);
    expect(await ids('profile_id=nobody')).to.deep.equal([]);
    expect(await ids('waiting=false')).to.deep.equal([]);
    const first = (await client.get<any>(`${PATH}?limit=3`, { expect: 200 })).body;
    expect(first.subscriptions).to.have.length(3);
    expect(await ids(`limit=3&cursor=${first.next_cursor}`)).to.deep.equal([one.id]);
  });

  it('of one who was told begin anew, and end by a deletion', async () => {
    await customer('ada');
    const one = await subscribe({ item_id: 'tea' });
    await service.database.query(
      `update catalog_subscription set notified_at = now() - interval '1 second' where id = '${one.id}'`,
    );
    expect(await list('waiting=true')).to.deep.equal([]);
    const again = await subscribe({ item_id: 'tea' });
    expect(again.id).not.to.equal(one.id);
    expect(again.notified_at).to.equal(null);
    const { body: gone } = await client.send<any>('DELETE', `${PATH}/${again.id}`, undefined, { expect: 200 });
    expect(gone).to.deep.equal(again);
    await client.send('DELETE', `${PATH}/${again.id}`, undefined, { expect: 404 });
    await client.send('DELETE', `${PATH}/tea`, undefined, { expect: 404 });
    expect(await list()).to.deep.equal([]);
  });

  it('repeat the response to an idempotency key', async () => {
    await customer('ada');
    const one = await subscribe({ item_id: 'tea', idempotency_key: 'a' });
    expect(await subscribe({ item_id: 'tea', idempotency_key: 'a' })).to.deep.equal(one);
    expect(await refusal({ item_id: 'pot', idempotency_key: 'a' })).to.include({ field: 'idempotency_key' });
  });

  it('are of known customers to items of the catalog', async () => {
    expect(await refusal({ item_id: 'tea' })).to.include({ field: 'profile' });
    await customer('ada');
    expect(await refusal({})).to.include({ field: 'item_id' });
    expect(await refusal({ item_id: 'cup' })).to.include({ field: 'item_id' });
    expect(await refusal({ item_id: 'tea-s' })).to.include({ field: 'item_id' });
    expect(await refusal({ variant_id: 'tea' })).to.include({ field: 'variant_id' });
    expect(await refusal({ item_id: 'tea', variant_id: 'tea-s' })).to.include({ field: 'variant_id' });
    expect(await refusal({ item_id: 'tea', kind: 'low_stock' })).to.include({ field: 'kind' });
    const cheaper = { item_id: 'tea', kind: 'price_drop' };
    expect(await refusal({ ...cheaper, below: 5 })).to.include({ field: 'currency' });
    expect(await refusal({ ...cheaper, currency: 'EUR' })).to.include({ field: 'currency' });
    expect(await refusal({ ...cheaper, below: -1, currency: 'EUR' })).to.include({ field: 'below' });
    expect(await refusal({ ...cheaper, below: '19,90', currency: 'EUR' })).to.include({ field: 'below' });
    expect(await refusal({ ...cheaper, below: 0.00001, currency: 'EUR' })).to.include({ field: 'below' });
    expect(await refusal({ item_id: 'tea', below: 5, currency: 'EUR' })).to.include({ field: 'below' });
    expect(await refusal({ item_id: 'a\0' })).to.include({ field: 'item_id' });
    expect(await list()).to.deep.equal([]);
  });

  it('are a hundred of a customer at most', async () => {
    const ada = await customer('ada');
    await service.database.query(`
      insert into catalog_subscription (store_id, id, item_id, kind, profile_id, from_client, created_at)
      select '${storeId}', gen_random_uuid(), 'item ' || n, 'back_in_stock', '${ada}', false, now()
      from generate_series(1, 99) n`);
    const last = await subscribe({ item_id: 'tea' });
    expect(await refusal({ item_id: 'pot' })).to.include({ field: 'profile' });
    expect((await subscribe({ item_id: 'tea' }, 200)).id).to.equal(last.id);
  });

  it('are not refused for what pages have written down, which anybody may have', async () => {
    const ada = await customer('ada');
    await service.database.query(`
      insert into catalog_subscription (store_id, id, item_id, kind, profile_id, from_client, created_at)
      select '${storeId}', gen_random_uuid(), 'item ' || n, 'back_in_stock', '${ada}', true, now()
      from generate_series(1, 100) n`);
    expect(await subscribe({ item_id: 'tea' })).to.include({ from_client: false });
  });

  it('made at the same time are one', async () => {
    await customer('ada');
    const all = await Promise.all(Array.from({ length: 8 }, () => client.post<any>(PATH, body({ item_id: 'tea' }))));
    expect(all.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(all.map((one) => one.body.id)).size).to.equal(1);
  });

  it('go with a customer who is merged, and are gone with one who is erased', async () => {
    const ada = await customer('ada');
    const bo = await customer('bo');
    const waits = await subscribe({ item_id: 'tea' });
    await subscribe({ item_id: 'pot' });
    await subscribe({ profile: { external_id: 'bo' }, item_id: 'tea' });
    await subscribe({ profile: { external_id: 'bo' }, variant_id: 'tea-s' });
    await service.database.query(
      `update catalog_subscription set notified_at = now() - interval '1 second' where id = '${waits.id}'`,
    );
    const merge = await client.post<any>(`/v1/profiles/${ada}/merge`, { from: bo });
    expect(merge.status).to.be.below(300);
    const shown = async () =>
      (await list(`profile_id=${ada}`)).map(({ item_id, variant_id, notified_at }) =>
        [item_id, variant_id, notified_at].join(' ').trim(),
      );
    await until(async () => (await shown()).length === 3, 'they are moved');
    expect((await shown()).sort()).to.deep.equal(['pot', 'tea', 'tea tea-s']);

    await client.post<any>('/v1/erasures', { profile_id: ada }, { expect: 202 });
    await until(async () => (await list()).length === 0, 'they are erased');
  });

  it('are nothing to another store', async () => {
    await customer('ada');
    const { id } = await subscribe({ item_id: 'tea' });
    const other = (await service.client()).as((await service.newKey()).key);
    await other.send('DELETE', `${PATH}/${id}`, undefined, { expect: 404 });
    expect((await other.get<any>(PATH, { expect: 200 })).body.subscriptions).to.deep.equal([]);
    await other.post('/v1/profiles/upsert', { identifiers: { external_id: 'ada' } }, { expect: 201 });
    await other.post(PATH, body({ item_id: 'tea' }), { expect: 400 });
  });
});
