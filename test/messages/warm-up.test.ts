import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Receiver } from '../webhooks/support/receiver.ts';
import { Shop } from './support/shop.ts';

const ADA = '+4930901820';
const WARM_UP = { first_per_day: 1, target_per_day: 8 };

describe('A sender that warms up', () => {
  let service: TestService;
  let receiver: Receiver;
  let shop: Shop;
  let template: string;
  let sender: string;
  let endpointId: string;

  before(async () => {
    receiver = await Receiver.start();
    service = await TestService.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' });
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    shop = await Shop.open(service);
    await shop.customer(ADA);
    template = await shop.template({ kind: 'sms', subject: '', body: 'Hi.', class: 'transactional' });
    ({ id: sender, endpointId } = await shop.texter(receiver.url, { warm_up: WARM_UP }));
    // The limits are those of a day, which is not to end meanwhile.
    await until(hasMinutesLeft, 'the day is another one');
  });
  after(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const hasMinutesLeft = async (): Promise<boolean> =>
    (await shop.query(`select now() < current_date + 1 - interval '3 minutes' as found`))[0].found;
  const found = async () => (await shop.client.get<any>(`/v1/senders/${sender}`, { expect: 200 })).body;
  const read = async () => (await found()).warm_up;
  const sentToday = async () => (await found()).sent_today;
  const send = () => shop.send(template, ADA, { sender_id: sender });
  const set = (change: string) => shop.query(`update sender set ${change} where id = '${sender}'`);
  /** As if what was sent until now had been so the day before. */
  const nextDay = () => set('day = current_date - 1, tested_on = tested_on - 1');
  const sent = (count: number) => until(async () => receiver.received.length === count, `${count} have been sent`);
  const put = (warm_up: object | null, expected = 200) => {
    const settings = { endpoint_id: endpointId };
    const whole = {
      ...{ name: 'Texts', from_email: null, from_name: null, reply_to: null, settings, dkim_selector: null },
      ...{ dkim_signing: false, class: 'both', max_per_second: 500, max_per_day: null, max_concurrent: 4, warm_up },
    };
    const options = { headers: { 'Content-Type': 'application/json' }, expect: expected };
    return shop.client.send<any>('PUT', `/v1/senders/${sender}`, JSON.stringify(whole), options);
  };

  it('sends few on its first day, and twice as many on each day after one on which it has sent any', async () => {
    expect(await read()).to.deep.equal({ ...WARM_UP, limit_today: 1, days_left: 3 });
    const ids = [await send(), await send(), await send(), await send()];
    await sent(1);
    const last = await shop.message(ids[3] as string);
    expect([last.status, last.why_not?.cause]).to.deep.equal(['waiting', 'sender_warming_up']);
    expect(await sentToday()).to.equal(1);
    await nextDay();
    expect(await read()).to.include({ limit_today: 2, days_left: 2 });
    await sent(3);
    expect((await shop.message(ids[3] as string)).status).to.equal('waiting');
    await nextDay();
    await Promise.all(ids.map((id) => shop.ended(id)));
    expect(await read()).to.include({ limit_today: 4, days_left: 1 });
    await nextDay();
    expect(await read()).to.include({ limit_today: null, days_left: 0 });
    expect(await sentToday()).to.equal(0);
    await Promise.all(Array.from({ length: 9 }, send));
    await sent(13);
  });

  it('does not go on by days on which it has sent nothing but tests', async () => {
    await set('day = current_date - 3, sent_today = 0');
    expect(await read()).to.include({ limit_today: 1 });
    const test = () => shop.client.post<any>(`/v1/senders/${sender}/test`, { to: ADA });
    expect((await test()).status).to.equal(200);
    await nextDay();
    expect(await read()).to.include({ limit_today: 1 });
    expect((await test()).status).to.equal(200);
    const { status, body } = await test();
    expect([status, body.error?.message]).to.deep.equal([400, 'The sender has sent all that it may today (warm_up)']);
  });

  it('goes on where it is when it is changed, and begins anew after it was left out', async () => {
    await set('warm_up_days = 2');
    expect((await put({ first_per_day: 2, target_per_day: 100 })).body.warm_up).to.deep.equal({
      ...{ first_per_day: 2, target_per_day: 100, limit_today: 8, days_left: 4 },
    });
    expect((await put(null)).body.warm_up).to.equal(null);
    expect((await put(WARM_UP)).body.warm_up).to.include({ limit_today: 1 });
  });

  it('has a target beyond its first day, and is no outbox', async () => {
    const refused = await put({ first_per_day: 8, target_per_day: 8 }, 400);
    expect(refused.body.error.field).to.equal('warm_up.target_per_day');
    const { senders } = (await shop.client.get<any>('/v1/senders', { expect: 200 })).body;
    sender = senders.find(({ kind }: any) => kind === 'outbox').id;
    const outbox = {
      ...{ name: 'Outbox', from_email: 'shop@outbox.test', from_name: null, reply_to: null, settings: null },
      ...{ dkim_selector: null, dkim_signing: false, class: 'both', max_per_second: 5, max_per_day: null },
      ...{ max_concurrent: 4, warm_up: WARM_UP },
    };
    const options = { headers: { 'Content-Type': 'application/json' }, expect: 400 };
    const { body } = await shop.client.send<any>('PUT', `/v1/senders/${sender}`, JSON.stringify(outbox), options);
    expect(body.error.field).to.equal('warm_up');
  });
});
