import { expect } from 'chai';
import { publish } from '../dashboard/support/automations.ts';
import { Shop } from '../messages/support/shop.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const [ADA, EVE] = ['ada@shop.example', 'eve@shop.example'];

describe('PUT /v1/store/hold and GET /v1/store/hold', () => {
  let service: TestService;
  let shop: Shop;
  let template: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    template = await shop.template();
    await shop.customer(ADA);
  });
  after(() => service?.stop());

  const hold = async (isHeld: boolean, expected = 200) =>
    (
      await shop.client.send<any>('PUT', '/v1/store/hold', JSON.stringify({ is_held: isHeld }), {
        expect: expected,
        headers: { 'Content-Type': 'application/json' },
      })
    ).body;
  const greeting = () =>
    publish(shop.client, {
      name: 'Greetings',
      trigger: { type: 'event', event_type: 'joined' },
      start: 'greet',
      steps: [{ id: 'greet', type: 'send_email', template_id: template, next: null }],
    });
  const runs = async (id: string) =>
    (await shop.client.get<any>(`/v1/automations/${id}/runs`, { expect: 200 })).body.runs.length;

  it('keep a store from sending and starting anything, and let it do both later', async () => {
    const id = await greeting();
    expect(await hold(true)).to.include({ is_held: true, reason: 'paused' });
    const message = await shop.send(template, ADA);
    await shop.client.post('/v1/events', { event_type: 'joined', profile: { email: ADA } }, { expect: 201 });
    const other = await Shop.open(service);
    await other.customer(EVE);
    // By then the first store would have, too.
    expect(await other.fate(await other.template(), EVE)).to.deep.equal(['sent', null]);
    expect(await shop.message(message)).to.include({ status: 'waiting' });
    expect((await shop.message(message)).why_not).to.include({
      cause: 'store_held',
      explanation: 'Somebody has paused all that this store sends.',
    });
    expect(await runs(id)).to.equal(0);
    expect((await shop.client.get<any>(`/v1/automations/${id}`)).body).to.include({ status: 'live', is_held: true });

    expect(await hold(false)).to.deep.equal({ is_held: false, reason: null, held_at: null, held_by: null });
    expect((await shop.ended(message)).status).to.equal('sent');
    await until(async () => (await runs(id)) === 1, 'what was recorded meanwhile has started a run');
  });

  it('say since when it is held and by whom; holding it again changes nothing', async () => {
    const first = await hold(true);
    expect(first.held_by).to.include({ kind: 'key' });
    expect(first.held_by.name).to.be.a('string');
    expect(Date.parse(first.held_at)).to.be.greaterThan(0);
    expect(await hold(true)).to.deep.equal(first);
    expect((await shop.client.get<any>('/v1/store/hold', { expect: 200 })).body).to.deep.equal(first);
    await hold(false);
    expect(await hold(false)).to.include({ is_held: false });
  });

  it('let nothing go on that was restored, nor change why it is held', async () => {
    await shop.query(`insert into automation_hold (store_id, held_at) values ('${shop.storeId}', now())`);
    expect(await hold(true)).to.include({ is_held: true, reason: 'restored', held_by: null });
    const { error } = await hold(false, 400);
    expect([error.code, error.field]).to.deep.equal(['validation_error', 'is_held']);
    expect(await hold(true)).to.include({ reason: 'restored' });
  });
});
