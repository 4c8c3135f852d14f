import { expect } from 'chai';
import type { Trigger } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { Turns } from '../../src/domain/automations/engine/turn.ts';
import { EngineRoom } from './support/engine-room.ts';

describe('Automations that follow the catalog', () => {
  let engine: EngineRoom;
  let room: EngineRoom;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    const prices = { EUR: { price: 20 }, USD: { price: 25 } };
    const variants = [
      { id: 'tea-s', stock: 0, prices },
      { id: 'tea-l', stock: 5, prices },
    ];
    const items = [
      { id: 'tea', title: 'Tea', brand: 'Leaf', url: 'https://shop.example/tea', variants },
      { id: 'pot', title: 'Pot', stock: 0, prices },
    ];
    await room.client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
  });
  after(() => engine.close());

  const onTrigger = (trigger: object, more: object = {}) =>
    room.publish({
      trigger: { type: 'catalog', audience: { subscribed: true }, ...trigger } as Trigger,
      steps: [{ id: 'first', type: 'emit_event', event_type: 'told', next: null }],
      ...more,
    });
  const customers = async (...names: string[]) => {
    for (const name of names) await room.upsert(`${name}@example.com`, {});
  };
  const subscribe = async (name: string, more: object) => {
    const body = { profile: { email: `${name}@example.com` }, kind: 'back_in_stock', ...more };
    return (await room.client.post<any>('/v1/catalog/subscriptions', body, { expect: 201 })).body;
  };
  const stock = (updates: object[]) => room.client.post('/v1/catalog/stock', { updates }, { expect: 200 });
  const query = <Row>(text: string) => room.service.database.query<Row>(text.replaceAll('$store', `'${room.storeId}'`));
  const count = async (id: string) => (await room.runs(id)).length;
  const waiting = async () =>
    (
      await query<{ n: number }>(`
        select count(*)::int as n from catalog_subscription where store_id = $store and notified_at is null`)
    )[0]?.n;
  /** What customers did with an item, some days ago. */
  const did = async (name: string, kind: string, itemId: string, days: number) => {
    await query(`
      insert into item_activity (store_id, profile_id, kind, item_id, times, first_at, last_at)
      select $store, profile_id, '${kind}', '${itemId}', 1, now(), now() - interval '${days} days'
      from profile_identifier where store_id = $store and value = '${name}@example.com'`);
  };

  it('start for each customer who waits for what is back in stock, once', async () => {
    const id = await onTrigger({ change: 'back_in_stock' });
    await customers('ada', 'bo', 'cy', 'di');
    await subscribe('ada', { item_id: 'tea' });
    await subscribe('bo', { variant_id: 'tea-s' });
    await subscribe('cy', { variant_id: 'tea-l' });
    await subscribe('di', { item_id: 'pot' });
    await subscribe('di', { item_id: 'tea', kind: 'price_drop' });
    await stock([{ variant_id: 'tea-s', stock: 3 }]);
    await room.settle();
    expect(await count(id)).to.equal(2);
    expect(await waiting()).to.equal(3);
    const steps = ['started', 'event_emitted', 'ended: completed'];
    expect(await room.outcomes(id)).to.deep.equal([...steps, ...steps]);
    await stock([{ variant_id: 'tea-s', stock: 0 }]);
    await stock([{ variant_id: 'tea-s', stock: 3 }]);
    await room.settle();
    expect(await count(id)).to.equal(2);
    const { body } = await room.client.get<any>(`/v1/automations/${id}/runs`, { expect: 200 });
    expect(body.runs[0]).to.deep.include({ key: 'tea' });
    expect(body.runs[0].trigger).to.include({ type: 'catalog', event_id: null });
    const explanation = await room.client.get<any>(
      `/v1/automations/${id}/explanation?profile_id=${body.runs[0].profile_id}`,
      { expect: 200 },
    );
    expect(explanation.body.candidates[0]).to.include({ type: 'catalog', decision: 'entered' });
  });

  it('take several changes of an item within ten minutes for one, with the last state', async () => {
    const values = { before: { from: 'event.properties.before' }, after: { from: 'event.properties.after' } };
    const steps = [{ id: 'first', type: 'emit_event', event_type: 'fell', properties: values, next: null }];
    const id = await onTrigger({ change: 'price_drop' }, { steps, reentry: { mode: 'every_time', per: 'profile' } });
    const back = await onTrigger(
      { change: 'back_in_stock', audience: { viewed: 'P30D' } },
      { reentry: { mode: 'every_time', per: 'profile' } },
    );
    await customers('ada');
    await did('ada', 'viewed', 'pot', 1);
    await subscribe('ada', { variant_id: 'tea-l', kind: 'price_drop' });
    for (const price of [18, 16]) await stock([{ variant_id: 'tea-l', prices: { EUR: { price } } }]);
    await room.read();
    await stock([{ variant_id: 'tea-l', prices: { EUR: { price: 15 } } }]);
    await stock([{ item_id: 'pot', stock: 3 }]);
    await room.read();
    for (const pieces of [0, 4]) await stock([{ item_id: 'pot', stock: pieces }]);
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect(await count(back)).to.equal(1);
    const told = (await room.client.get<any>('/v1/events?event_type=fell', { expect: 200 })).body.events;
    expect(told.map(({ properties }: any) => properties)).to.deep.equal([{ before: 20, after: 15 }]);
    const planned = await query(`select from automation_audience where store_id = $store`);
    expect(planned).to.deep.equal([]);
  });

  it('have told a customer whose subscription a merge has not moved yet', async () => {
    const id = await onTrigger({ change: 'back_in_stock' });
    await customers('ada');
    const { profile_id: ada } = await subscribe('ada', { item_id: 'pot' });
    const former = '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03';
    await query(`
      insert into profile_alias (store_id, id, profile_id) values ($store, '${former}', '${ada}');
      update catalog_subscription set profile_id = '${former}' where store_id = $store`);
    await stock([{ item_id: 'pot', stock: 3 }]);
    await room.settle();
    expect([await count(id), await waiting()]).to.deep.equal([1, 0]);
  });

  it('start by a price that falls enough, in a currency, and below what a customer would pay', async () => {
    const any = await onTrigger({ change: 'price_drop' });
    const much = await onTrigger({ change: 'price_drop', min_percent: 25, currency: 'EUR' });
    const cheap = await onTrigger({ change: 'price_drop', currency: 'EUR', below: 12 });
    const dollars = await onTrigger({ change: 'price_drop', currency: 'USD' });
    await customers('ada', 'bo');
    await subscribe('ada', { item_id: 'pot', kind: 'price_drop' });
    await subscribe('bo', { item_id: 'pot', kind: 'price_drop', below: 16, currency: 'EUR' });
    const counts = () => Promise.all([any, much, cheap, dollars].map(count));
    await stock([{ item_id: 'pot', stock: 4 }]);
    await stock([{ item_id: 'pot', prices: { EUR: { price: 18 } } }]);
    await room.settle();
    expect(await counts()).to.deep.equal([1, 0, 0, 0]);
    await query(`update catalog_subscription set notified_at = null where store_id = $store`);
    await query(`update automation_enrolment set last_started_at = now() - interval '8 days' where store_id = $store`);
    await stock([{ item_id: 'pot', prices: { EUR: { price: 13.5 } } }]);
    await room.settle();
    // 25 % less than 18, which is under 16, too.
    expect(await counts()).to.deep.equal([3, 2, 0, 0]);
    await stock([{ item_id: 'pot', prices: { EUR: { price: 15 } } }]);
    await room.settle();
    expect(await counts()).to.deep.equal([3, 2, 0, 0]);
  });

  it('start when few pieces are left, for those who did something with the item', async () => {
    const id = await onTrigger({ change: 'low_stock', below: 4, audience: { viewed: 'P30D', carted: 'P7D' } });
    await customers('ada', 'bo', 'cy');
    await did('ada', 'viewed', 'tea', 20);
    await did('ada', 'carted', 'tea', 1);
    await did('bo', 'viewed', 'tea', 40);
    await did('cy', 'carted', 'tea', 3);
    await stock([{ variant_id: 'tea-l', stock: 4 }]);
    await room.settle();
    expect(await count(id)).to.equal(0);
    await stock([{ variant_id: 'tea-l', stock: 3 }]);
    await stock([{ variant_id: 'tea-l', stock: 2 }]);
    await room.settle();
    expect(await count(id)).to.equal(2);
  });

  it('start nothing by first loads, history, what is hidden, other items, and what changed while they were paused', async () => {
    const id = await onTrigger({
      change: 'back_in_stock',
      filter: { property: 'brand', op: 'eq', value: 'Leaf' },
    });
    await customers('ada');
    await subscribe('ada', { item_id: 'tea' });
    await subscribe('ada', { item_id: 'pot' });
    const upsert = (body: object) => room.client.post('/v1/catalog/items/upsert', body, { expect: 200 });
    const tea = (number: number) => ({ id: 'tea', variants: [{ id: 'tea-s', stock: number }] });
    await upsert({ ...tea(3), backfill: true });
    await room.client.post('/v1/catalog/items/upsert', { id: 'new', title: 'New', stock: 3 }, { expect: 201 });
    await stock([{ item_id: 'pot', stock: 1 }]);
    await upsert({ ...tea(0), status: 'hidden' });
    await upsert(tea(3));
    await room.settle();
    await upsert({ ...tea(0), status: 'published' });
    await room.client.send('PUT', `/v1/automations/${id}/status`, JSON.stringify({ status: 'paused' }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await upsert(tea(3));
    await room.settle();
    expect([await count(id), await waiting()]).to.deep.equal([0, 2]);
  });

  it('skip the others once the item is gone again, and go through as many as they may', async () => {
    const id = await onTrigger({ change: 'back_in_stock', per_unit: 2 });
    await customers('ada', 'bo', 'cy', 'di', 'ed');
    for (const name of ['ada', 'bo', 'cy', 'di', 'ed']) await subscribe(name, { item_id: 'pot' });
    await stock([{ item_id: 'pot', stock: 2 }]);
    await room.settle();
    expect([await count(id), await waiting()]).to.deep.equal([4, 1]);
    await stock([{ item_id: 'pot', stock: 0 }]);
    await stock([{ item_id: 'pot', stock: 1 }]);
    await stock([{ item_id: 'pot', stock: 0 }]);
    await room.settle();
    expect([await count(id), await waiting()]).to.deep.equal([4, 1]);
    expect(await room.skips(id)).to.deep.equal(['no_longer']);
  });

  it('tell nobody after it is gone, while stock falls', async () => {
    const id = await onTrigger({ change: 'back_in_stock' });
    const names = Array.from({ length: 450 }, (_, n) => `c${n}`);
    await room.client.post(
      '/v1/events/bulk',
      { events: names.map((name) => ({ event_type: 'came', profile: { email: `${name}@example.com` } })) },
      { expect: 201 },
    );
    await query(`
      insert into catalog_subscription (store_id, id, item_id, kind, profile_id, from_client, created_at)
      select $store, gen_random_uuid(), 'pot', 'back_in_stock', id, false, now() - interval '1 second'
      from profile where store_id = $store`);
    await stock([{ item_id: 'pot', stock: 9 }]);
    await room.read();
    await room.fillAudience();
    expect(await count(id)).to.equal(200);
    await stock([{ item_id: 'pot', stock: 0 }]);
    await room.settle();
    await stock([{ item_id: 'pot', stock: 9 }]);
    expect([await count(id), await waiting()]).to.deep.equal([200, 250]);
    expect(await room.skips(id)).to.have.length(250);
    await room.settle();
    expect([await count(id), await waiting()]).to.deep.equal([450, 0]);
  });

  it('name the item in what they emit, and take those whom pages subscribed only if they say so', async () => {
    const step = {
      ...{ id: 'first', type: 'emit_event', event_type: 'told', next: null },
      properties: {
        item: { from: 'event.properties.item_id' },
        title: { from: 'event.properties.title' },
        price: { from: 'event.properties.price' },
        stock: { from: 'event.properties.stock' },
      },
    };
    const id = await onTrigger({ change: 'back_in_stock', from_client: true }, { steps: [step] });
    const cautious = await onTrigger({ change: 'back_in_stock' });
    await customers('ada');
    await subscribe('ada', { variant_id: 'tea-s' });
    await query('update catalog_subscription set from_client = true where store_id = $store');
    await stock([{ variant_id: 'tea-s', stock: 3 }]);
    await room.settle();
    expect([await count(id), await count(cautious)]).to.deep.equal([1, 0]);
    const { body } = await room.client.get<any>('/v1/events?event_type=told', { expect: 200 });
    expect(body.events[0].properties).to.deep.equal({ item: 'tea', title: 'Tea', price: 20, stock: 3 });
  });

  it('go through nobody where nobody waits for an item or did anything with it', async () => {
    const id = await onTrigger({
      change: 'back_in_stock',
      audience: { subscribed: true, viewed: 'P7D', carted: 'P7D' },
    });
    await onTrigger({ change: 'price_drop', audience: { ordered: 'P7D' } });
    await customers('ada', 'bo', 'cy');
    await subscribe('ada', { item_id: 'tea', kind: 'price_drop' });
    // Too long ago, and of a kind that it does not ask for.
    await did('bo', 'viewed', 'tea', 8);
    await did('cy', 'ordered', 'pot', 1);
    const planned = async () => await query('select from automation_audience where store_id = $store');
    await stock([
      { variant_id: 'tea-s', stock: 3, prices: { EUR: { price: 10 } } },
      { item_id: 'pot', stock: 3 },
    ]);
    await readChanges(room.db, room.storeId, room.tools);
    expect(await planned()).to.deep.equal([]);
    await room.settle();
    expect(await count(id)).to.equal(0);
    await did('ada', 'carted', 'pot', 1);
    await stock([{ item_id: 'pot', stock: 0 }]);
    await stock([{ item_id: 'pot', stock: 3 }]);
    await readChanges(room.db, room.storeId, room.tools);
    expect(await planned()).to.have.length(1);
    await room.settle();
    expect(await count(id)).to.equal(1);
  });

  it('do not have dates and members of new versions wait', async () => {
    const id = await onTrigger({ change: 'back_in_stock' });
    await customers('ada');
    await query(
      `
      insert into automation_audience (
        store_id, id, automation_id, change_id, item_id, kind, changed_at, stage, after_id)
      select $store, uuidv7(), '${id}', uuidv7(), 'tea', 'back_in_stock', now(), 'subscribed', $nobody
      from generate_series(1, 3000)`.replace('$nobody', `'00000000-0000-0000-0000-000000000000'`),
    );
    await room.publish({
      trigger: { type: 'date', attribute: 'birthday', at: '09:00' } as Trigger,
      steps: [{ id: 'first', type: 'exit' }],
    });
    await new Turns(room.tools).take(room.db, room.storeId);
    expect(await query('select from automation_date_fill where store_id = $store')).to.deep.equal([]);
    expect(await query('select from automation_audience where store_id = $store')).not.to.be.empty;
  });

  it('tell any number of an item that is sold on without stock', async () => {
    const variants = [{ id: 'book-1', stock: 0, stock_policy: 'deny', prices: { EUR: { price: 20 } } }];
    await room.client.post(
      '/v1/catalog/items/bulk',
      { items: [{ id: 'book', title: 'Book', variants }] },
      { expect: 200 },
    );
    const id = await onTrigger({ change: 'back_in_stock', per_unit: 1 });
    await customers('ada', 'bo');
    for (const name of ['ada', 'bo']) await subscribe(name, { item_id: 'book' });
    const again = [{ ...variants[0], stock_policy: 'continue' }];
    await room.client.post('/v1/catalog/items/bulk', { items: [{ id: 'book', variants: again }] }, { expect: 200 });
    await room.settle();
    expect(await count(id)).to.equal(2);
  });

  it('keep of the item only what their steps name', async () => {
    await room.client.post(
      '/v1/catalog/items/bulk',
      { items: [{ id: 'tea', attributes: { story: 'x'.repeat(20_000) } }] },
      { expect: 200 },
    );
    const step = {
      ...{ id: 'first', type: 'emit_event', event_type: 'told', next: null },
      properties: { title: { from: 'event.properties.title' } },
    };
    const id = await onTrigger({ change: 'back_in_stock' }, { steps: [step] });
    await customers('ada');
    await subscribe('ada', { variant_id: 'tea-s' });
    await stock([{ variant_id: 'tea-s', stock: 3 }]);
    await room.settle();
    const [run] = await query<any>(`select captured from automation_run where automation_id = '${id}'`);
    expect(run.captured.properties).to.deep.include({ change: 'back_in_stock', item_id: 'tea', title: 'Tea' });
    expect(run.captured.properties).not.to.have.any.keys('attributes', 'brand', 'price');
  });

  it('look at the item when a step is taken, and in a simulation', async () => {
    const says = (id: string) => ({ id, type: 'emit_event', event_type: id, next: null });
    const id = await onTrigger(
      { change: 'back_in_stock' },
      {
        steps: [
          { id: 'first', type: 'delay', for: 'PT1H', next: 'look' },
          {
            ...{ id: 'look', type: 'branch', else: 'gone' },
            cases: [
              { when: { item: 'stock', op: 'gte', value: 10 }, next: 'many' },
              {
                when: {
                  all: [
                    { item: 'available', op: 'eq', value: true },
                    { item: 'price', currency: 'USD', op: 'lt', value: 30 },
                  ],
                },
                next: 'few',
              },
            ],
          },
          ...['many', 'few', 'gone'].map(says),
        ],
      },
    );
    await customers('ada', 'bo');
    await subscribe('ada', { item_id: 'pot' });
    await subscribe('bo', { variant_id: 'tea-s' });
    await stock([
      { item_id: 'pot', stock: 12 },
      { variant_id: 'tea-s', stock: 2 },
    ]);
    await room.settle();
    await stock([{ item_id: 'pot', stock: 0 }]);
    const simulate = async (properties: object, expected = 200) =>
      (
        await room.client.post<any>(
          `/v1/automations/${id}/simulate`,
          { profile: { email: 'ada@example.com' }, properties },
          { expect: expected },
        )
      ).body;
    const emitted = async (properties: object) =>
      (await simulate(properties)).effects.map((effect: any) => effect.event_type);
    expect(await emitted({ item_id: 'tea', variant_id: 'tea-s' })).to.deep.equal(['few']);
    expect(await emitted({ item_id: 'pot' })).to.deep.equal(['gone']);
    expect((await simulate({}, 400)).error.field).to.equal('properties.item_id');
    expect((await simulate({ item_id: 'none' }, 400)).error.field).to.equal('properties.item_id');
    room.pass('PT1H');
    await room.settle();
    const counts = async (type: string) =>
      (await room.client.get<any>(`/v1/events?event_type=${type}`, { expect: 200 })).body.events.length;
    expect([await counts('many'), await counts('few'), await counts('gone')]).to.deep.equal([0, 1, 1]);
  });

  it('do nothing to another store, to those who are erased, and tell a merged customer once', async () => {
    const id = await onTrigger({ change: 'back_in_stock' });
    await customers('ada', 'bo', 'cy');
    for (const name of ['ada', 'bo', 'cy']) await subscribe(name, { item_id: 'pot' });
    const profileId = async (name: string) =>
      (await room.client.get<any>(`/v1/profiles?email=${name}@example.com`, { expect: 200 })).body.profiles[0].id;
    const [ada, bo, cy] = [await profileId('ada'), await profileId('bo'), await profileId('cy')];
    await room.client.post(`/v1/profiles/${ada}/merge`, { from: bo });
    await room.client.post('/v1/erasures', { profile_id: cy }, { expect: 202 });
    const other = await engine.newStore();
    await other.client.post('/v1/catalog/items/upsert', { id: 'pot', title: 'Pot', stock: 0 }, { expect: 201 });
    await other.client.post('/v1/catalog/stock', { updates: [{ item_id: 'pot', stock: 5 }] }, { expect: 200 });
    await room.settle();
    expect(await count(id)).to.equal(0);
    await stock([{ item_id: 'pot', stock: 5 }]);
    await room.settle();
    const { body } = await room.client.get<any>(`/v1/automations/${id}/runs`, { expect: 200 });
    expect(body.runs.map((run: any) => run.profile_id)).to.deep.equal([ada]);
  });
});
