import { expect } from 'chai';
import { takeDueRuns } from '../../src/domain/automations/engine/take-due-runs.ts';
import { Shop } from '../messages/support/shop.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = 'ada@shop.example';

describe('A webhook of an automation that counts as a message', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let shop: Shop;
  let endpoint: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    shop = Shop.of(room.service.database, room.client, room.storeId);
    const body = { url: 'https://shop.example/hook', name: 'Shop' };
    endpoint = (await room.client.post<any>('/v1/webhook-endpoints', body, { expect: 201 })).body.endpoint.id;
  });
  after(() => engine.close());

  const settle = async (fields: object) => void (await saveMessageSettings(room.client, fields, 200));
  const webhook = (more: object = {}) =>
    ({
      id: 'first',
      type: 'send_webhook',
      endpoint_id: endpoint,
      message_type: 'push.send',
      counts_as: 'email',
      next: null,
      ...more,
    }) as any;
  const often = { mode: 'every_time', per: 'profile' } as const;
  const publish = async (steps: object[] = [webhook()]) =>
    await room.publish({ trigger: { type: 'event', event_type: 'came' }, reentry: often, steps: steps as any });
  const come = async () => {
    await room.send('came', ADA);
    await room.settle();
  };
  const codes = async (id: string) =>
    (await room.timeline(id)).flatMap(({ outcome, detail }) =>
      outcome === 'delivery_queued' ? ['sent'] : outcome === 'message_skipped' ? [detail.code] : [],
    );

  it('is skipped with a reason where the customer has had as many, and goes on', async () => {
    await settle({ caps: { most: 2, within: 'P7D' } });
    const id = await publish();
    for (let i = 0; i < 3; i += 1) await come();
    expect(await codes(id)).to.deep.equal(['sent', 'sent', 'too_many_messages']);
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['message_skipped', 'ended: completed']);
    const { runs } = (await room.client.get<any>(`/v1/automations/${id}/runs`)).body;
    const { timeline } = (await room.client.get<any>(`/v1/runs/${runs[0].id}`)).body;
    expect(timeline.find((one: any) => one.outcome === 'message_skipped').detail).to.deep.equal({
      code: 'too_many_messages',
      next: null,
    });
  });

  it('counts for messages, and they for it, each within its channel', async () => {
    await shop.customer(ADA);
    const template = await shop.template();
    await settle({ smart_sending: 'PT16H' });
    const id = await publish([
      webhook({ next: 'text' }),
      webhook({ id: 'text', counts_as: 'sms', next: 'call' }),
      { id: 'call', type: 'call_webhook', endpoint_id: endpoint, await: false, counts_as: 'email', next: null },
    ]);
    await come();
    expect(await codes(id)).to.deep.equal(['sent', 'sent', 'too_soon']);
    expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'too_soon']);
  });

  it('does not count if it was not received', async () => {
    await settle({ smart_sending: 'PT16H' });
    const id = await publish();
    await come();
    await shop.query(`update webhook_delivery set status = 'failed', due_at = null where store_id = '${room.storeId}'`);
    await come();
    expect(await codes(id)).to.deep.equal(['sent', 'sent']);
  });

  it('counts from when it is replayed, by itself or with others', async () => {
    await settle({ caps: { most: 1, within: 'P7D' } });
    const id = await publish();
    const longAgo = () =>
      shop.query(`
        update counted_webhook set counted_at = now() - interval '8 days' where store_id = '${room.storeId}';
        update webhook_delivery set status = 'failed', due_at = null where store_id = '${room.storeId}'`);
    await come();
    await longAgo();
    const { deliveries } = (await room.client.get<any>(`/v1/webhook-endpoints/${endpoint}/deliveries`)).body;
    await room.client.post(`/v1/webhook-deliveries/${deliveries[0].id}/replay`, undefined, { expect: 200 });
    await come();
    expect(await codes(id)).to.deep.equal(['sent', 'too_many_messages']);
    await longAgo();
    const replay = { status: 'failed' };
    await room.client.post(`/v1/webhook-endpoints/${endpoint}/replay`, replay, { expect: 200 });
    await come();
    expect(await codes(id)).to.deep.equal(['sent', 'too_many_messages', 'too_many_messages']);
  });

  it('does not count where the step says nothing of it', async () => {
    await settle({ smart_sending: 'PT16H' });
    const id = await publish([webhook({ counts_as: undefined })]);
    await come();
    await come();
    expect(await codes(id)).to.deep.equal(['sent', 'sent']);
  });

  for (const who of ['who has consented', 'of whom no consent is known']) {
    it(`is held to the caps exactly among many at once, for a customer ${who}`, async () => {
      const hasConsented = who === 'who has consented';
      await shop.customer(ADA, hasConsented ? 'subscribed' : 'none');
      const template = await shop.template();
      await settle({ caps: { most: 5, within: 'P7D' } });
      const ids = [await publish(), await publish()];
      for (let i = 0; i < 8; i += 1) await room.send('came', ADA);
      await room.read();
      const take = async () => {
        while ((await takeDueRuns(room.db, room.storeId, room.tools, 1)) > 0);
      };
      const messages = Promise.all(Array.from({ length: 4 }, () => shop.fate(template, ADA)));
      await Promise.all([take(), take(), take(), take()]);
      await room.settle();
      const sent = (await messages).filter(([status]) => status === 'sent' || status === 'delivered').length;
      const all = [...(await codes(ids[0] as string)), ...(await codes(ids[1] as string))];
      expect(all).to.have.length(16);
      expect(all.filter((one) => one === 'sent').length + sent).to.equal(5);
      if (!hasConsented) expect(sent).to.equal(0);
    });
  }

  it('is decided about in a simulation as it would be now', async () => {
    await shop.customer(ADA);
    await settle({ caps: { most: 2, within: 'P7D' } });
    const id = await publish([
      webhook({ next: 'second' }),
      webhook({ id: 'second', next: 'third' }),
      webhook({ id: 'third', next: null }),
    ]);
    const simulate = async () =>
      (
        await room.client.post<any>(`/v1/automations/${id}/simulate`, { profile: { email: ADA } }, { expect: 200 })
      ).body.timeline.flatMap(({ outcome, detail }: any) =>
        outcome === 'message_skipped' ? [detail.code] : outcome === 'delivery_queued' ? ['sent'] : [],
      );
    expect(await simulate()).to.deep.equal(['sent', 'sent', 'too_many_messages']);
  });
});
