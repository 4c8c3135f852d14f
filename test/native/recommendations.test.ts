import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('GET /v1/catalog/recommendations', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
    await client.post('/v1/catalog/categories/upsert', { id: 'teas', title: 'Teas' });
    const item = (id: string, more: object = {}) => ({ id, title: id, prices: { EUR: { price: 5 } }, ...more });
    const items = [
      item('tea', { categories: ['teas'] }),
      item('pot'),
      item('cup', { variants: [{ id: 'cup-blue', sku: 'C-B', stock: 3 }] }),
      item('mat'),
      item('gone', { stock: 0 }),
      item('secret', { status: 'hidden' }),
    ];
    await client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
    const rows = () =>
      service.database.query(`select from feed_reader where name = 'items' and store_id = '${storeId}'`);
    await until(async () => (await rows()).length > 0, 'the catalog is followed');
    await record();
    await until(async () => (await read('kind=buy_again&fallback=false&profile_id=', 'c4')).length > 0, 'it is read');
  });
  after(() => service.stop());

  const event = (type: string, customer: string, ...ids: string[]) => ({
    event_type: type,
    profile: { external_id: customer },
    properties: { order_id: `${type} ${customer} ${ids}`, items: ids.map((ProductID) => ({ ProductID })) },
  });
  /** Four customers order tea with a pot, and the last one more; three of them with what is not sold any more. */
  const record = async () => {
    const customers = ['c1', 'c2', 'c3', 'c4'];
    const events = [
      ...customers.map((one) => event('placed_order', one, 'tea', 'pot')),
      ...customers.slice(0, 3).map((one) => event('placed_order', one, 'tea', 'gone', 'secret')),
      ...customers.slice(0, 2).map((one) => event('placed_order', one, 'mat')),
      { event_type: 'viewed_product', profile: { external_id: 'c1' }, properties: { SKU: 'C-B' } },
      { event_type: 'viewed_product', profile: { external_id: 'c1' }, properties: { ProductID: 'unknown' } },
      { event_type: 'viewed_product', profile: { external_id: 'c1' }, properties: { ProductID: 'pot' } },
      event('placed_order', 'c4', 'cup-blue'),
    ];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
  };
  const profileOf = async (name: string) =>
    (await client.get<any>(`/v1/profiles?${name.includes('@') ? 'email' : 'external_id'}=${name}`)).body.profiles[0].id;
  const read = async (query: string, customer?: string): Promise<string[]> => {
    const id = customer === undefined ? '' : await profileOf(customer);
    const { body } = await client.get<any>(`/v1/catalog/recommendations?${query}${id}`, { expect: 200 });
    return body.recommendations.map(({ because, item }: any) => `${because} ${item.id}`);
  };

  it('recommends what buyers of an item bought besides, if it can be bought', async () => {
    expect(await read('kind=also_bought&item_id=tea&fallback=false')).to.deep.equal(['also_bought pot']);
  });

  it('has best sellers follow where there are too few', async () => {
    expect(await read('kind=also_bought&item_id=tea&limit=3')).to.deep.equal([
      ...['also_bought pot', 'best_sellers mat', 'best_sellers cup'],
    ]);
    expect(await read('kind=also_bought&item_id=nothing&limit=1')).to.deep.equal(['best_sellers tea']);
  });

  it('keeps nothing of items and categories that are not in the catalog', async () => {
    await read('kind=also_bought&item_id=made-up');
    await read('kind=best_sellers&category_id=made-up');
    await read('kind=best_sellers&category_id=teas');
    const kept = await service.database.query<{ place: string }>(
      `select place from recommendation where store_id = '${storeId}'`,
    );
    expect(kept.map(({ place }) => place))
      .to.include('teas')
      .and.not.include('made-up');
  });

  it('counts views of pages, which anybody can send, and no orders of theirs', async () => {
    const { key } = await service.newKey({ storeId, scopes: ['client:write'] });
    const page = client.as(key);
    const send = (name: string, properties: object) =>
      page.post(
        '/compat/v1/client/events',
        {
          data: {
            type: 'event',
            attributes: {
              properties,
              metric: { data: { type: 'metric', attributes: { name } } },
              profile: { data: { type: 'profile', attributes: { email: 'victim@example.com' } } },
            },
          },
        },
        { expect: 202 },
      );
    await send('Placed Order', { order_id: 'made-up', items: [{ ProductID: 'mat' }] });
    await send('Viewed Product', { ProductID: 'mat' });
    const viewed = () => read('kind=recently_viewed&fallback=false&profile_id=', 'victim@example.com');
    await until(async () => (await viewed()).includes('recently_viewed mat'), 'it is read');
    expect(await read('kind=buy_again&fallback=false&profile_id=', 'victim@example.com')).to.deep.equal([]);
  });

  it('knows what sells best in the store, and in a category', async () => {
    expect(await read('kind=best_sellers')).to.deep.equal(
      ['tea', 'pot', 'mat', 'cup'].map((id) => `best_sellers ${id}`),
    );
    expect(await read('kind=best_sellers&category_id=teas&fallback=false')).to.deep.equal(['best_sellers tea']);
  });

  it('knows what a customer looked at last, and ordered most often', async () => {
    expect(await read('kind=recently_viewed&fallback=false&profile_id=', 'c1')).to.have.members([
      ...['recently_viewed pot', 'recently_viewed cup'],
    ]);
    const [first, ...others] = await read('kind=buy_again&fallback=false&profile_id=', 'c1');
    expect(first).to.equal('buy_again tea');
    expect(others).to.have.members(['buy_again pot', 'buy_again mat']);
    expect(await read('kind=buy_again&fallback=false&profile_id=', 'c4')).to.include('buy_again cup');
  });

  it('counts each event once', async () => {
    const rows = await service.database.query<{ orders: number }>(
      `select sum(orders)::int as orders from item_day where store_id = '${storeId}' and item_id = 'tea'`,
    );
    expect(rows).to.deep.equal([{ orders: 7 }]);
  });

  it('names what a kind needs, and keeps to the scopes', async () => {
    const field = async (query: string) =>
      (await client.get<any>(`/v1/catalog/recommendations?${query}`, { expect: 400 })).body.error.field;
    expect(await field('kind=also_bought')).to.equal('item_id');
    expect(await field('kind=buy_again')).to.equal('profile_id');
    expect(await field('kind=recently_viewed&profile_id=me')).to.equal('profile_id');
    expect(await field('kind=best_sellers&limit=21')).to.equal('limit');
    const { key } = await service.newKey({ storeId, scopes: ['catalog:read', 'profiles:read'] });
    const reader = (await service.client()).as(key);
    await reader.get('/v1/catalog/recommendations?kind=best_sellers', { expect: 200 });
    const id = await profileOf('c1');
    await reader.get(`/v1/catalog/recommendations?kind=buy_again&profile_id=${id}`, { expect: 403 });
  });

  it('names in the summary of a customer the items that were ordered most often, to those who may read the catalog', async () => {
    const path = `/v1/profiles/${await profileOf('c1')}/order-summary`;
    const { body } = await client.get<any>(path, { expect: 200 });
    const [first] = body.favourite_items;
    expect(first).to.deep.include({ item_id: 'tea', title: 'tea', image_url: null, order_count: 2 });
    expect(body.favourite_items.map((one: any) => one.item_id)).to.have.members([
      'tea',
      'pot',
      'mat',
      'gone',
      'secret',
    ]);
    const { key } = await service.newKey({ storeId, scopes: ['events:read', 'profiles:read'] });
    expect((await client.as(key).get(path, { expect: 200 })).body).not.to.have.property('favourite_items');
  });

  it('finds out in the background what takes too long, and keeps no empty answer meanwhile', async () => {
    const places = () =>
      service.database.query<{ waits: boolean }>(
        `select due_at is not null as waits from recommendation
        where store_id = '${storeId}' and kind = 'also_bought' and place = 'pot'`,
      );
    await service.database.query('begin');
    try {
      // Whoever reads it waits, and gives up after a while.
      await service.database.query('lock table item_activity in access exclusive mode');
      expect(await read('kind=also_bought&item_id=pot&fallback=false')).to.deep.equal([]);
    } finally {
      await service.database.query('commit');
    }
    await until(async () => (await places())[0]?.waits === false, 'it is found out');
    expect(await read('kind=also_bought&item_id=pot&fallback=false')).to.deep.equal(['also_bought tea']);
  });
});
