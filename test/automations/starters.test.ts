import { expect } from 'chai';
import { STARTERS } from '../../src/dashboard/pages/automations/starters/index.ts';
import { Shop } from '../messages/support/shop.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = 'ada@shop.example';

describe('What automations begin with', () => {
  let room: EngineRoom;
  let shop: Shop;

  before(async () => {
    room = await EngineRoom.open();
    shop = Shop.of(room.service.database, room.client, room.storeId);
  });
  after(() => room.close());

  /** Does what the dashboard does, and publishes the automation. */
  const publish = async ({ emails, segment, definition }: (typeof STARTERS)[number]) => {
    const ids = new Map<string, string>();
    for (const [step, { blocks, ...email }] of Object.entries(emails)) {
      ids.set(step, await shop.template({ ...email, kind: 'blocks', body: { blocks } }));
    }
    const { trigger } = definition;
    const ofSegment = segment && (await room.client.post<any>('/v1/segments', segment, { expect: 201 })).body.id;
    const steps = definition.steps.map((step) =>
      step.type === 'send_email' ? { ...step, template_id: ids.get(step.id) } : step,
    );
    const whole = { ...definition, trigger: segment ? { ...trigger, segment: ofSegment } : trigger, steps };
    const { id, problems } = (await room.client.post<any>('/v1/automations', { definition: whole }, { expect: 201 }))
      .body;
    expect(problems, definition.name).to.deep.equal([]);
    await room.client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 200 });
    return id as string;
  };

  it('can be published, and thanks for a first order by the outbox of a new store', async () => {
    const sending = STARTERS.filter(({ emails }) => Object.keys(emails).length > 0);
    for (const starter of sending) await publish(starter);
    await shop.customer(ADA);
    const order = async (order_id: string) => {
      await room.send('placed_order', ADA, { order_id });
      await room.settle();
      return (await room.client.get<any>('/v1/messages')).body.messages;
    };
    const [{ id }] = await order('A-1');
    expect(await shop.ended(id)).to.include({ status: 'sent', source: 'automation' });
    expect((await shop.content(id)).subject).to.equal('Thank you for your first order');
    expect(await order('A-2')).to.have.length(1);
    await room.client.post('/v1/catalog/items/upsert', { id: 'pot', title: 'A pot', stock: 0 }, { expect: 201 });
    const waiting = { profile: { email: ADA }, item_id: 'pot', kind: 'back_in_stock' };
    await room.client.post('/v1/catalog/subscriptions', waiting, { expect: 201 });
    await room.client.post('/v1/catalog/stock', { updates: [{ item_id: 'pot', stock: 1 }] }, { expect: 200 });
    await room.settle();
    const [told] = (await room.client.get<any>('/v1/messages')).body.messages;
    expect(await shop.ended(told.id)).to.include({ status: 'sent', source: 'automation' });
    expect((await shop.content(told.id)).subject).to.equal('A pot is there again');
  });
});
