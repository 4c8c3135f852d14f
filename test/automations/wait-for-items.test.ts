import { expect } from 'chai';
import { sql } from 'kysely';
import type { WaitForItem } from '../../src/domain/automations/core/definition/steps.ts';
import { until } from '../support/process.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = 'ada@example.com';

describe('Waits for items of the catalog', () => {
  let engine: EngineRoom;
  let room: EngineRoom;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    await items([
      { id: 'pot', title: 'Pot', stock: 0, prices: { EUR: { price: 20 } } },
      { id: 'cup', title: 'Cup', stock: 0, prices: { EUR: { price: 20 } } },
      { id: 'tea', title: 'Tea', stock: 9, prices: { EUR: { price: 20 } } },
    ]);
  });
  after(() => engine.close());

  const items = (all: object[]) => room.client.post('/v1/catalog/items/bulk', { items: all }, { expect: 200 });
  const update = (one: object) => room.client.post('/v1/catalog/stock', { updates: [one] }, { expect: 200 });
  const definition = (...cases: Omit<WaitForItem, 'next'>[]) => ({
    trigger: { type: 'event' as const, event_type: 'viewed' },
    reentry: { mode: 'every_time' as const, per: 'profile' as const },
    steps: [
      {
        ...{ id: 'first', type: 'wait' as const, timeout: 'P10D', on_timeout: null },
        for: cases.map((one) => ({ item: { from: 'event.properties.ProductID' }, ...one, next: 'tell' })),
      },
      { id: 'tell', type: 'emit_event' as const, event_type: 'told', next: null },
    ],
  });
  const view = (ProductID: unknown) => room.send('viewed', ADA, { ProductID });
  const run = async (id: string) =>
    (await room.client.get<any>(`/v1/automations/${id}/runs`, { expect: 200 })).body.runs[0];
  const DONE = ['started', 'waiting', 'matched', 'event_emitted', 'ended: completed'];

  it('end when the item of the event is back in stock, and no other one', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('pot');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    const { due_at, waiting } = await run(id);
    expect(waiting.for).to.equal('wait');
    expect((Date.parse(due_at) - Date.parse(waiting.since)) / 86_400_000).to.be.closeTo(10, 0.01);
    await update({ item_id: 'cup', stock: 3 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await update({ item_id: 'pot', stock: 3 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
    const { id: runId } = await run(id);
    const { timeline } = (await room.client.get<any>(`/v1/runs/${runId}`, { expect: 200 })).body;
    expect(timeline[2].detail).to.deep.equal({ index: 0, condition: null, next: 'tell' });
  });

  it('go on at once where it can be bought already, and in the end where the catalog has none of that id', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('tea');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE.filter((outcome) => outcome !== 'waiting'));
    const other = await room.publish(definition({ catalog: 'back_in_stock' }));
    for (const one of ['gone', 17, { id: 'pot' }, null]) await view(one);
    await room.settle();
    room.pass('P9D');
    await room.settle();
    expect((await room.runs(other)).map(({ status }) => status)).to.deep.equal(Array(4).fill('active'));
    room.pass('P1DT1S');
    await room.settle();
    const outcomes = await room.outcomes(other);
    expect(outcomes.filter((one) => one === 'timed_out')).to.have.length(4);
  });

  it('look at the item again before they go on, and wait further if it is gone', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('pot');
    await room.settle();
    await update({ item_id: 'pot', stock: 3 });
    await update({ item_id: 'pot', stock: 0 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await update({ item_id: 'pot', stock: 2 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('end when it costs less than that, and can be bought', async () => {
    const id = await room.publish(definition({ catalog: 'price_drop', below: 15, currency: 'EUR' }));
    await view('tea');
    await view('pot');
    await room.settle();
    const price = (item_id: string, EUR: number) => update({ item_id, prices: { EUR: { price: EUR } } });
    await price('tea', 15);
    await price('pot', 10);
    await room.settle();
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['active', 'active']);
    await price('tea', 14.99);
    await room.settle();
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['ended', 'active']);
  });

  it('end when it is back at a price that fell while it was gone', async () => {
    const id = await room.publish(definition({ catalog: 'price_drop', below: 15, currency: 'EUR' }));
    await view('pot');
    await room.settle();
    room.pass('PT1M');
    await update({ item_id: 'pot', prices: { EUR: { price: 10 } } });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await update({ item_id: 'pot', stock: 3 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('end when an item with variants is published again', async () => {
    const shirt = (status: string) =>
      items([{ id: 'shirt', title: 'Shirt', status, variants: [{ id: 'red', stock: 2 }] }]);
    await shirt('hidden');
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('shirt');
    await room.settle();
    room.pass('PT1M');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await shirt('published');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('look once more soon after they began: what changed meanwhile may have found nobody waiting', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('pot');
    await room.settle();
    // What is new is no change, of which nobody is told.
    await room.client.send('DELETE', '/v1/catalog/items/pot', undefined, { expect: 200 });
    await items([{ id: 'pot', title: 'Pot', stock: 4, prices: { EUR: { price: 20 } } }]);
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    room.pass('PT11S');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('end though the item comes back just after it was looked at, in a transaction that goes on', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('pot');
    await room.settle();
    await sql`
      update automation_run set due_at = now() - interval '1 second' where store_id = ${room.storeId}`.execute(room.db);
    let reading: Promise<unknown> = Promise.resolve();
    await room.db.transaction().execute(async (looking) => {
      await sql`select from automation_run where store_id = ${room.storeId} for update`.execute(looking);
      await update({ item_id: 'pot', stock: 3 });
      let hasRead = false;
      reading = room.read().finally(() => {
        hasRead = true;
      });
      const isWaiting = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          room.db,
        );
        return hasRead || rows.length > 0;
      };
      await until(isWaiting, 'the change is read');
      await sql`
        update automation_run set due_at = now() + interval '9 days' where store_id = ${room.storeId}`.execute(looking);
    });
    await reading;
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('look once a day for what is new of an item', async () => {
    const id = await room.publish(definition({ catalog: 'price_drop', below: 15, currency: 'USD' }));
    await view('tea');
    await room.settle();
    room.pass('PT1M');
    await room.settle();
    await update({ item_id: 'tea', prices: { EUR: { price: 20 }, USD: { price: 12 } } });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    room.pass('P1D');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('go on after a pause, in which the item came back, though what is overdue ends', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    await view('pot');
    await room.settle();
    room.pass('PT1M');
    await room.settle();
    await room.setStatus(id, 'paused');
    await update({ item_id: 'pot', stock: 3 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await room.setStatus(id, 'live', { overdue: 'exit' });
    room.pass('PT1M');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(DONE);
  });

  it('are by default for the item that triggered', async () => {
    const step = {
      ...{ id: 'first', type: 'wait' as const, timeout: 'P10D', on_timeout: null },
      for: [{ catalog: 'price_drop' as const, below: 12, currency: 'EUR', next: null }],
    };
    const trigger = {
      type: 'catalog' as const,
      change: 'back_in_stock' as const,
      audience: { subscribed: true as const },
    };
    const id = await room.publish({ trigger, steps: [step] });
    await room.upsert(ADA, {});
    const subscription = { profile: { email: ADA }, item_id: 'pot', kind: 'back_in_stock' };
    await room.client.post('/v1/catalog/subscriptions', subscription, { expect: 201 });
    await update({ item_id: 'pot', stock: 3 });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting']);
    await update({ item_id: 'pot', prices: { EUR: { price: 11 } } });
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting', 'matched', 'ended: completed']);
  });

  it('are simulated by what the catalog says now', async () => {
    const id = await room.publish(definition({ catalog: 'back_in_stock' }));
    const simulate = async (ProductID: string) => {
      const body = { event_id: await view(ProductID) };
      const simulated = (await room.client.post<any>(`/v1/automations/${id}/simulate`, body, { expect: 200 })).body;
      return simulated.timeline.map(({ outcome }: any) => outcome);
    };
    expect(await simulate('tea')).to.deep.equal(['started', 'matched', 'event_emitted', 'ended']);
    expect(await simulate('pot')).to.deep.equal(['started', 'waiting', 'timed_out', 'ended']);
  });

  it('are refused where it is not clear what is waited for, and to keys that may not read the catalog', async () => {
    const create = async (client: typeof room.client, one: object) => {
      const { steps, ...rest } = definition();
      const [first, tell] = steps as [object, object];
      const wait = { ...first, for: [{ ...one, next: null }], on_timeout: 'tell' };
      const draft = { name: 'Test', ...rest, start: 'first', steps: [wait, tell] };
      return await client.post<any>('/v1/automations', { definition: draft });
    };
    const item = { from: 'event.properties.ProductID' };
    const refused: [object, string][] = [
      [{ catalog: 'back_in_stock' }, 'item'],
      [{ catalog: 'back_in_stock', item: { from: 'event.occurred_at' } }, 'item.from'],
      [{ catalog: 'back_in_stock', item: { from: 'coupon.code' } }, 'item.from'],
      [{ catalog: 'back_in_stock', item, below: 5 }, 'below'],
      [{ catalog: 'price_drop', item, below: 5 }, 'currency'],
      [{ catalog: 'price_drop', item, currency: 'EUR' }, 'below'],
      [{ catalog: 'price_drop', item, below: 0.00001, currency: 'EUR' }, 'below'],
    ];
    for (const [one, field] of refused) {
      const { id } = (await create(room.client, one)).body;
      const { body } = await room.client.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 400 });
      const fields = [body.error.field, ...(body.error.violations ?? []).map((violation: any) => violation.field)];
      expect(fields, JSON.stringify(one)).to.include(`steps[0].for[0].${field}`);
    }
    for (const one of [
      { catalog: 'in_stock', item },
      { catalog: 'price_drop', item, below: -1, currency: 'euro' },
    ]) {
      expect((await create(room.client, one)).status).to.equal(400);
    }
    const { key } = await room.service.newKey({
      storeId: room.storeId,
      scopes: ['automations:write', 'events:read', 'profiles:read', 'events:write'],
    });
    const refusal = await create(room.client.as(key), { catalog: 'back_in_stock', item });
    expect([refusal.status, refusal.body.error.message]).to.deep.equal([
      403,
      'The API key lacks the scope catalog:read, which what the definition reads needs',
    ]);
  });
});
