import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('The catalog', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
  });
  after(() => service.stop());

  const upsert = async (body: object, expected?: number) =>
    (await client.post<any>('/v1/catalog/items/upsert', body, expected ? { expect: expected } : {})).body;
  const bulk = async (items: object[], more: object = {}) =>
    (await client.post<any>('/v1/catalog/items/bulk', { items, ...more }, { expect: 200 })).body;
  const stock = async (updates: object[], more: object = {}) =>
    (await client.post<any>('/v1/catalog/stock', { updates, ...more }, { expect: 200 })).body;
  const get = async (path: string) => (await client.get<any>(`/v1/catalog/${path}`, { expect: 200 })).body;
  const item = (id: string) => get(`items/${encodeURIComponent(id)}`);
  const remove = (path: string) => client.send<any>('DELETE', `/v1/catalog/${path}`, undefined);
  const category = async (body: object, expected = 201) =>
    (await client.post<any>('/v1/catalog/categories/upsert', body, { expect: expected })).body;
  const found = async (query: string) => (await get(`items?${query}`)).items.map(({ id }: any) => id);
  /** What has changed, oldest first. */
  const changes = async () =>
    (await get('changes')).changes
      .reverse()
      .map((change: any) => [
        change.kind,
        ...[change.variant_id, change.currency, change.before, change.after].filter((value) => value !== null),
      ]);
  /** What was entered into the change feed: of how many changes each entry is. */
  const entries = async () =>
    (
      await service.database.query<{ size: number }>(
        `select cardinality(ids) as size from addition
         where store_id = '${storeId}' and kind = 'catalog_change' order by first_id`,
      )
    ).map(({ size }) => size);

  describe('POST /v1/catalog/items/upsert, GET and DELETE /v1/catalog/items/{id}, POST /v1/catalog/items/delete', () => {
    it('refuses ids that nobody can see', async () => {
      for (const id of [' ', '\t\n', '\u3164']) {
        const refused = await upsert({ id, title: 'A' }, 400);
        expect(refused.error.field).to.equal('id');
        expect(refused.error.message).to.match(/must not (be blank|consist of invisible characters)/);
        const variants = await upsert({ id: 'a', title: 'A', variants: [{ id }] }, 400);
        expect(variants.error.field).to.equal('variants[0].id');
        expect((await category({ id, title: 'C' }, 400)).error.field).to.equal('id');
      }
      expect((await upsert({ id: ' a ', title: 'A' }, 201)).id).to.equal(' a ');
    });

    it('keeps what is not sent, and loses what is null', async () => {
      await upsert(
        { id: 'a', title: 'A', brand: 'B', url: 'https://shop.example/a', images: ['https://x.example/1'] },
        201,
      );
      const changed = await upsert({ id: 'a', brand: null, images: null, attributes: { colour: 'red' } }, 200);
      expect(changed).to.include({ title: 'A', brand: null, url: 'https://shop.example/a' });
      expect(changed.images).to.deep.equal([]);
      expect(changed.attributes).to.deep.equal({ colour: 'red' });
      expect(await item('a')).to.deep.equal(changed);
    });

    it('has each price exactly, and no other', async () => {
      const prices = {
        EUR: { price: 0.1, compare_at: 0.3 },
        JPY: { price: 123_456_789_012_345 },
        KWD: { price: 1.2345 },
      };
      await upsert({ id: 'a', title: 'A', prices }, 201);
      expect((await item('a')).prices).to.deep.equal(prices);
      await upsert({ id: 'a', prices: { USD: { price: 19.9 } } }, 200);
      expect((await item('a')).prices).to.deep.equal({ USD: { price: 19.9 } });
      await upsert({ id: 'a', prices: null }, 200);
      expect((await item('a')).prices).to.deep.equal({});
    });

    it('is written only if it differs', async () => {
      const body = { id: 'a', title: 'A', prices: { EUR: { price: 1.5 } }, variants: [{ id: 'v', stock: 3 }] };
      const created = await upsert(body, 201);
      const places = `select ctid::text from catalog_item union all select ctid::text from catalog_variant`;
      const before = await service.database.query(places);
      expect(await upsert({ ...body, attributes: {} }, 200)).to.deep.equal(created);
      expect(await service.database.query(places)).to.deep.equal(before);
    });

    it('costs the least of what can be bought of it', async () => {
      const variants = [
        { id: 'v1', stock: 0, prices: { EUR: { price: 5 } } },
        { id: 'v2', stock: 2, prices: { EUR: { price: 9 }, USD: { price: 10 } } },
        { id: 'v3', stock: 1, prices: { EUR: { price: 8, compare_at: 12 } } },
      ];
      const { prices, stock: pieces, in_stock } = await upsert({ id: 'a', title: 'A', variants }, 201);
      expect({ prices, pieces, in_stock }).to.deep.equal({
        prices: { EUR: { price: 8, compare_at: 12 }, USD: { price: 10 } },
        ...{ pieces: 3, in_stock: true },
      });
      await stock([
        { variant_id: 'v2', stock: 0 },
        { variant_id: 'v3', stock: 0 },
      ]);
      expect(await item('a')).to.deep.include({ in_stock: false, stock: 0 });
      expect((await item('a')).prices.EUR).to.deep.equal({ price: 5 });
    });

    it('has its own price where its variants have none', async () => {
      const prices = { EUR: { price: 20 }, USD: { price: 25 } };
      const variants = [{ id: 'v1' }, { id: 'v2', prices: { USD: { price: 24 } } }];
      const shown = await upsert({ id: 'a', title: 'A', prices, variants }, 201);
      expect(shown.prices).to.deep.equal({ EUR: { price: 20 }, USD: { price: 24 } });
    });

    it('loses the variants that are not named, if all are', async () => {
      await upsert({ id: 'a', title: 'A', variants: [{ id: 'v1' }, { id: 'v2' }] }, 201);
      await upsert({ id: 'a', variants: [{ id: 'v3' }] }, 200);
      const ids = ({ variants }: any) => variants.map(({ id }: any) => id);
      expect(ids(await item('a'))).to.deep.equal(['v1', 'v2', 'v3']);
      expect(ids(await upsert({ id: 'a', variants_mode: 'replace', variants: [{ id: 'v2' }] }, 200))).to.deep.equal([
        'v2',
      ]);
      await upsert({ id: 'b', title: 'B', variants: [{ id: 'v1' }] }, 201);
    });

    it('does not take the variant of another', async () => {
      await upsert({ id: 'a', title: 'A', variants: [{ id: 'v' }] }, 201);
      const refused = await upsert({ id: 'b', title: 'B', variants: [{ id: 'v' }] }, 400);
      expect(refused.error).to.include({
        field: 'variants[0].id',
        message: 'variants[0].id is a variant of the item a, and can not become one of b',
      });
      expect((await client.get('/v1/catalog/items/b')).status).to.equal(404);
    });

    it('is gone once it is deleted, with its variants', async () => {
      await bulk([
        { id: 'a', title: 'A', variants: [{ id: 'v' }] },
        { id: 'b', title: 'B' },
      ]);
      expect((await remove('items/a')).body).to.deep.equal({ deleted: 1, unknown: 0 });
      expect((await remove('items/a')).status).to.equal(404);
      const { body } = await client.post('/v1/catalog/items/delete', { ids: ['a', 'b', 'c'] }, { expect: 200 });
      expect(body).to.deep.equal({ deleted: 1, unknown: 2 });
      for (const table of ['item', 'variant', 'word', 'item_category']) {
        expect(
          await service.database.query(`select from catalog_${table} where store_id = '${storeId}'`),
        ).to.deep.equal([]);
      }
      const counts = await service.database.query(
        `select items, variants from catalog_count where store_id = '${storeId}'`,
      );
      expect(counts).to.deep.equal([{ items: '0', variants: '0' }]);
    });
  });

  const REFUSED: Record<string, [object, string]> = {
    'a price as text': [{ prices: { EUR: { price: '19,90' } } }, 'prices.EUR.price'],
    'a price below 0': [{ prices: { EUR: { price: -1 } } }, 'prices.EUR.price'],
    'five digits after the point': [{ prices: { EUR: { price: 1.00001 } } }, 'prices.EUR.price'],
    'a tiny price': [{ prices: { EUR: { price: 1e-7 } } }, 'prices.EUR.price'],
    'sixteen digits': [{ prices: { EUR: { price: 1_234_567_890_123_456 } } }, 'prices.EUR.price'],
    'no currency': [{ prices: { Euro: { price: 1 } } }, 'prices.Euro'],
    'a currency without a price': [{ prices: { EUR: { compare_at: 1 } } }, 'prices.EUR.price'],
    'a misspelt price': [{ prices: { EUR: { price: 1, was: 2 } } }, 'prices.EUR.was'],
    'half a piece': [{ stock: 1.5 }, 'stock'],
    'more pieces than there can be': [{ stock: 2 ** 31 }, 'stock'],
    'a script': [{ url: 'javascript:alert(1)' }, 'url'],
    'a file': [{ image_url: 'file:///etc/passwd' }, 'image_url'],
    'an image that is none': [{ images: ['data:image/png;base64,AAAA'] }, 'images[0]'],
    'too many attributes': [{ attributes: { one: 'x'.repeat(60_000), two: 'x'.repeat(60_000) } }, 'attributes'],
    'too many for a variant': [
      { variants: [{ id: 'v', attributes: { text: 'x'.repeat(5000) } }] },
      'variants[0].attributes',
    ],
    'a category that is not there': [{ categories: ['tea'] }, 'categories[0]'],
    'a variant twice': [{ variants: [{ id: 'v' }, { id: 'v' }] }, 'variants[1].id'],
    'a title that is none': [{ title: '\u200b' }, 'title'],
  };
  for (const [what, [fields, field]] of Object.entries(REFUSED)) {
    it(`refuses ${what}, naming it`, async () => {
      expect((await upsert({ id: 'a', title: 'A', ...fields }, 400)).error).to.include({
        code: 'validation_error',
        field,
      });
      expect((await get('items')).items).to.deep.equal([]);
    });
  }

  it('refuses a number that is none', async () => {
    const body = '{"id":"a","title":"A","prices":{"EUR":{"price":1e400}}}';
    const { body: refused, status } = await client.send<any>('POST', '/v1/catalog/items/upsert', body, JSON_BODY);
    expect([status, refused.error.field]).to.deep.equal([400, 'prices.EUR.price']);
  });

  describe('POST /v1/catalog/items/bulk', () => {
    const ITEMS = [{ id: 'a', title: 'A' }, { id: 'b' }, { id: 'c', title: 'C', prices: { EUR: { price: -1 } } }];

    it('is written as a whole, or not at all', async () => {
      const { body, status } = await client.post<any>('/v1/catalog/items/bulk', { items: ITEMS.slice(0, 2) });
      expect([status, body.error.field]).to.deep.equal([400, 'items[1].title']);
      expect((await get('items')).items).to.deep.equal([]);
    });

    it('is written as far as it can be, if that is asked for', async () => {
      const { items, ...counts } = await bulk([...ITEMS, { id: 'a', title: 'again' }], { on_invalid: 'skip' });
      expect(counts).to.deep.equal({ created: 1, updated: 0, unchanged: 0, rejected: 3 });
      expect(items.map(({ status, error }: any) => error?.field ?? status)).to.deep.equal([
        ...['created', 'items[1].title', 'items[2].prices.EUR.price', 'items[3].id'],
      ]);
      expect((await item('a')).title).to.equal('A');
    });

    it('is written by two at once without waiting for each other, and nothing is lost', async () => {
      const ids = Array.from({ length: 60 }, (_, n) => `item-${n}`);
      const rounds = Array.from({ length: 6 }, (_, round) =>
        (round % 2 ? [...ids].reverse() : ids).map((id) => ({
          ...{ id, title: id, ...(round % 2 ? { brand: `b${round}` } : { sku: `s${round}` }) },
          variants: [{ id: `${id}-${round}`, stock: round }],
        })),
      );
      await Promise.all(rounds.map((items) => bulk(items)));
      for (const id of ids.slice(0, 5)) {
        const { variants, brand, sku } = await item(id);
        expect(variants.map(({ stock: pieces }: any) => pieces)).to.deep.equal([0, 1, 2, 3, 4, 5]);
        expect([brand?.[0], sku?.[0]]).to.deep.equal(['b', 's']);
      }
      const counts = await service.database.query(
        `select items, variants from catalog_count where store_id = '${storeId}'`,
      );
      expect(counts).to.deep.equal([{ items: '60', variants: '360' }]);
    });
  });

  describe('GET /v1/catalog/changes', () => {
    it('are written down once, and entered into the feed', async () => {
      await upsert({
        id: 'a',
        title: 'A',
        variants: [{ id: 'v', stock: 30, prices: { EUR: { price: 10 }, USD: { price: 9 } } }],
      });
      expect(await changes()).to.deep.equal([]);
      await upsert({
        id: 'a',
        variants: [{ id: 'v', stock: 19, prices: { EUR: { price: 8.5 }, USD: { price: 9.5 } } }],
      });
      await upsert({
        id: 'a',
        variants: [{ id: 'v', stock: 19, prices: { EUR: { price: 8.5 }, USD: { price: 9.5 } } }],
      });
      await stock([{ variant_id: 'v', stock: 0 }]);
      await stock([{ variant_id: 'v', stock: 5 }]);
      await upsert({ id: 'a', status: 'hidden' });
      await upsert({ id: 'a', status: 'published' });
      expect(await changes()).to.deep.equal([
        ['low_stock', 'v', 30, 19],
        ['price_dropped', 'v', 'EUR', 10, 8.5],
        ['price_raised', 'v', 'USD', 9, 9.5],
        ['out_of_stock', 'v', 19, 0],
        ['back_in_stock', 'v', 0, 5],
        ['hidden'],
        ['published'],
      ]);
      expect(await entries()).to.deep.equal([3, 1, 1, 1, 1]);
    });

    it('are those of the item where it has no variants', async () => {
      await upsert({ id: 'a', title: 'A', stock: 0, prices: { EUR: { price: 10 } } });
      await upsert({ id: 'a', stock_policy: 'continue', prices: { EUR: { price: 9.99 } } });
      expect(await changes()).to.deep.equal([
        ['back_in_stock', 0, 0],
        ['price_dropped', 'EUR', 10, 9.99],
      ]);
      await upsert({ id: 'a', variants: [{ id: 'v', stock: 1 }] });
      await upsert({ id: 'a', stock: 7, prices: { EUR: { price: 5 } } });
      expect(await changes()).to.have.length(2);
    });

    it('are none of what is historical', async () => {
      await upsert({ id: 'a', title: 'A', stock: 0 });
      await upsert({ id: 'a', stock: 4, backfill: true });
      await stock([{ item_id: 'a', stock: 0 }], { backfill: true });
      expect([await changes(), await entries()]).to.deep.equal([[], []]);
    });
  });

  describe('POST /v1/catalog/stock', () => {
    const at = (second: number) => new Date(Date.now() + second * 1000).toISOString();

    it('is that of the latest time, whatever arrives when', async () => {
      await upsert({ id: 'a', title: 'A', stock: 1 });
      expect(await stock([{ item_id: 'a', stock: 7, at: at(20) }])).to.include({ updated: 1 });
      expect(await stock([{ item_id: 'a', stock: 9, at: at(10) }])).to.include({ unchanged: 1 });
      expect(await stock([{ item_id: 'a', stock: 7, at: at(40) }])).to.include({ unchanged: 1 });
      expect(await stock([{ item_id: 'a', stock: 8, at: at(30) }])).to.include({ unchanged: 1 });
      expect((await item('a')).stock).to.equal(7);
      const two = [
        { item_id: 'a', stock: 3, at: at(60) },
        { item_id: 'a', stock: 2, at: at(50) },
      ];
      expect(await stock(two)).to.include({ updated: 2 });
      expect((await item('a')).stock).to.equal(3);
    });

    it('is refused where it says nothing, and reported where the store has no such thing', async () => {
      await upsert({ id: 'a', title: 'A', variants: [{ id: 'v' }] });
      const { updates } = await stock([
        { item_id: 'a', stock: 1 },
        { item_id: 'b', stock: 1 },
        { variant_id: 'w', stock: 1 },
        { variant_id: 'v', stock: 1 },
      ]);
      expect(updates.map(({ status, error }: any) => error?.field ?? status)).to.deep.equal([
        ...['updates[0].item_id', 'updates[1].item_id', 'updates[2].variant_id', 'updated'],
      ]);
      for (const [update, field] of [
        [{ stock: 1 }, 'updates[0]'],
        [{ item_id: 'a', variant_id: 'v' }, 'updates[0]'],
        [{ variant_id: 'v', at: at(3600) }, 'updates[0].at'],
        [{ variant_id: 'v', stock: 1.5 }, 'updates[0].stock'],
      ] as const) {
        const { body } = await client.post<any>('/v1/catalog/stock', { updates: [update] }, { expect: 400 });
        expect(body.error.field).to.equal(field);
      }
    });
  });

  describe('GET /v1/catalog/items, POST /v1/catalog/items/lookup', () => {
    it('returns those that there are, as they were asked for', async () => {
      await bulk(['a', 'b', 'c'].map((id) => ({ id, title: id })));
      const { body } = await client.post<any>('/v1/catalog/items/lookup', { ids: ['c', 'x', 'a'] }, { expect: 200 });
      expect(body.items.map(({ id }: any) => id)).to.deep.equal(['c', 'a']);
    });

    it('finds beginnings of words and SKUs, each item once', async () => {
      await bulk([
        { id: 'a', title: 'Red reddish T-Shirt', sku: 'TS-100' },
        { id: 'b', title: 'Blue shirt', variants: [{ id: 'v', sku: 'BL 7' }] },
        { id: 'c', title: 'Café au lait' },
      ]);
      expect(await found('q=red')).to.deep.equal(['a']);
      expect(await found('q=SHIRT')).to.have.members(['a', 'b']);
      expect(await found('q=t-sh')).to.deep.equal(['a']);
      expect(await found('q=ts-1')).to.deep.equal(['a']);
      expect(await found('q=shirt+bl')).to.deep.equal(['b']);
      expect(await found('q=bl+7')).to.deep.equal(['b']);
      expect(await found('q=caf%C3%A9')).to.deep.equal(['c']);
      expect(await found('q=!!')).to.deep.equal([]);
      await upsert({ id: 'a', title: 'Green' });
      expect(await found('q=red')).to.deep.equal([]);
      expect(await found('q=ts-100')).to.deep.equal(['a']);
    });

    it('finds an item of many variants by its title, and by what each is sold as', async () => {
      const variants = Array.from({ length: 120 }, (_, n) => ({ id: `v${n}`, sku: `JKT-${1000 + n}-RED` }));
      await upsert({ id: 'a', title: 'Winter jacket', variants });
      expect(await found('q=jacket')).to.deep.equal(['a']);
      expect(await found('q=jkt-1119')).to.deep.equal(['a']);
      await upsert({ id: 'a', title: 'Summer jacket', variants: [{ id: 'v119', sku: 'JKT-9' }] });
      expect(await found('q=winter')).to.deep.equal([]);
      expect(await found('q=jkt-1119')).to.deep.equal([]);
      expect(await found('q=jkt-9')).to.deep.equal(['a']);
    });

    it('finds what is below a category, and by all filters, page by page', async () => {
      await category({ id: 'top', title: 'Top' });
      await category({ id: 'low', title: 'Low', parent_id: 'top' });
      const items = Array.from({ length: 7 }, (_, n) => ({
        ...{ id: `i${n}`, title: `Thing ${n}`, brand: n % 2 ? 'odd' : 'even', stock: n, updated: undefined },
        categories: n < 3 ? ['top', 'low'] : n < 5 ? ['low'] : [],
        status: n === 4 ? 'hidden' : 'published',
      }));
      await bulk(items);
      expect(await found('category=top')).to.deep.equal(['i0', 'i1', 'i2', 'i3', 'i4']);
      expect(await found('category=top&in_stock=true&status=published')).to.deep.equal(['i1', 'i2', 'i3']);
      expect(await found('brand=odd&q=thing')).to.deep.equal(['i1', 'i3', 'i5']);
      expect(await found('category=nowhere')).to.deep.equal([]);
      expect(await found('updated_since=2020-01-01T00:00:00Z')).to.have.length(7);
      for (const query of [
        '',
        'q=thing',
        'category=top',
        'brand=even',
        'updated_since=2020-01-01T00:00:00Z',
        'in_stock=true',
      ]) {
        const all = await found(`${query}&limit=100`);
        const pages: string[] = [];
        let cursor: string | null = null;
        do {
          const page: any = await get(`items?${query}&limit=2${cursor ? `&cursor=${cursor}` : ''}`);
          pages.push(...page.items.map(({ id }: any) => id));
          cursor = page.next_cursor;
        } while (cursor);
        expect(pages, query).to.deep.equal(all);
        expect(all, query).to.have.length.above(2);
      }
      const { body } = await client.get<any>('/v1/catalog/items?cursor=WyJpZCIsIiIsIjEiXQ&q=a', { expect: 400 });
      expect(body.error.field).to.equal('cursor');
    });
  });

  describe('POST /v1/catalog/categories/upsert, GET /v1/catalog/categories, GET and DELETE /v1/catalog/categories/{id}', () => {
    it('form trees of at most 8 levels', async () => {
      for (let n = 1; n <= 8; n += 1) {
        await category({ id: `c${n}`, title: `${n}`, ...(n > 1 && { parent_id: `c${n - 1}` }) });
      }
      expect((await category({ id: 'c9', title: '9', parent_id: 'c8' }, 400)).error.field).to.equal('parent_id');
      expect((await category({ id: 'c1', parent_id: 'c8' }, 400)).error.field).to.equal('parent_id');
      expect((await category({ id: 'c1', parent_id: 'c1' }, 400)).error.field).to.equal('parent_id');
      expect((await category({ id: 'c1', parent_id: 'none' }, 400)).error.field).to.equal('parent_id');
      expect((await category({ id: 'new' }, 400)).error.field).to.equal('title');
      await category({ id: 'over', title: 'Over' });
      expect((await category({ id: 'c1', parent_id: 'over' }, 400)).error.field).to.equal('parent_id');
      expect((await remove('categories/c7')).status).to.equal(400);
      expect((await remove('categories/c8')).status).to.equal(200);
      await category({ id: 'c1', parent_id: 'over' }, 200);
    });

    it('lose their items when they are deleted', async () => {
      await category({ id: 'c', title: 'C' });
      await upsert({ id: 'a', title: 'A', categories: ['c'] }, 201);
      await remove('categories/c');
      expect((await item('a')).categories).to.deep.equal([]);
    });
  });

  describe('POST /v1/catalog/syncs, POST /v1/catalog/syncs/{id}/complete', () => {
    const start = async () => (await client.post<any>('/v1/catalog/syncs', {}, { expect: 201 })).body.id as string;
    const complete = async (id: string) =>
      (await client.post<any>(`/v1/catalog/syncs/${id}/complete`, undefined, { expect: 200 })).body;

    it('hides what did not come, until it comes', async () => {
      await bulk(['a', 'b', 'c'].map((id) => ({ id, title: id })));
      await upsert({ id: 'd', title: 'd', status: 'hidden' });
      const id = await start();
      await bulk([{ id: 'a' }, { id: 'e', title: 'e' }], { sync_id: id });
      expect(await complete(id)).to.include({ status: 'complete', hidden_count: 2 });
      expect(await found('status=published')).to.deep.equal(['a', 'e']);
      expect(await item('b')).to.include({ status: 'hidden', hidden_because: 'not_in_feed' });
      expect(await item('d')).to.include({ hidden_because: 'requested' });
      expect(await changes()).to.deep.equal([['hidden'], ['hidden']]);
      await bulk([{ id: 'b' }, { id: 'd' }]);
      expect(await item('b')).to.include({ status: 'published', hidden_because: null });
      expect(await item('d')).to.include({ status: 'hidden', hidden_because: 'requested' });
    });

    it('leaves what came and could not be written as it is', async () => {
      await bulk(['a', 'b', 'c'].map((id) => ({ id, title: id })));
      const sync_id = await start();
      const items = [
        { id: 'a', categories: ['none'] },
        { id: 'b', prices: { EUR: { price: -1 } } },
        { id: 'x'.repeat(256) },
      ];
      expect(await bulk(items, { sync_id, on_invalid: 'skip' })).to.include({ rejected: 3 });
      expect(await complete(sync_id)).to.include({ hidden_count: 1 });
      expect(await found('status=published')).to.deep.equal(['a', 'b']);
    });

    it('begins once for a key', async () => {
      const begin = () => client.post<any>('/v1/catalog/syncs', { idempotency_key: 'night' }, { expect: 201 });
      const [first, again] = [await begin(), await begin()];
      expect(again.body).to.deep.equal(first.body);
      expect(again.headers['idempotency-replayed']).to.equal('true');
    });

    it('is one at a time, and takes nothing once it is over', async () => {
      const [first, second] = [await start(), await start()];
      const send = (sync_id: string) =>
        client.post<any>('/v1/catalog/items/bulk', { items: [{ id: 'a', title: 'a' }], sync_id });
      expect((await send(first)).body.error.field).to.equal('sync_id');
      expect((await client.post(`/v1/catalog/syncs/${first}/complete`, undefined)).status).to.equal(404);
      expect((await send(second)).status).to.equal(200);
      await complete(second);
      expect((await send(second)).body.error.field).to.equal('sync_id');
      expect(await complete(second)).to.include({ status: 'complete', hidden_count: 0 });
    });
  });

  it('shows the items that an event names, with the price in its currency', async () => {
    const variants = [{ id: 'v1', title: 'Big', prices: { EUR: { price: 9 }, USD: { price: 10, compare_at: 12 } } }];
    await upsert({ id: 'tea', title: 'Tea', url: 'https://shop.example/tea', variants });
    await upsert({ id: 'cup', title: 'Cup', sku: 'C-1' });
    const items = [{ ProductID: 'tea', variant_id: 'v1' }, { sku: 'C-1' }, { ProductID: 'none' }];
    const event = {
      event_type: 'ordered',
      profile: { email: 'ada@example.com' },
      properties: { items, currency: 'USD' },
    };
    const { body } = await client.post<any>('/v1/events', event, { expect: 201 });
    const { body: shown } = await client.get<any>(`/v1/events/${body.id}?expand=items`, { expect: 200 });
    expect(
      shown.items.map(({ id, variant_id, price, currency }: any) => [id, variant_id, price, currency]),
    ).to.deep.equal([
      ['tea', 'v1', 10, 'USD'],
      ['cup', null, null, null],
    ]);
    const { body: page } = await client.get<any>('/v1/events?expand=items', { expect: 200 });
    expect(page.events[0].items).to.deep.equal(shown.items);
    expect((await client.get<any>(`/v1/events/${body.id}`, { expect: 200 })).body).to.not.have.property('items');
  });
});
