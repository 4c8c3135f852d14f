import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { isTrackedType } from '../../src/domain/tracking/core/event-types.ts';
import { TestService } from '../support/service.ts';
import { Hooks, signed } from './support/hooks.ts';

const ADA = '+4930901820';
const TEXT = { kind: 'sms', subject: '', body: 'Hi.' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('What a program of the store tells of answers', () => {
  let service: TestService;
  let hooks: Hooks;
  let customer: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    hooks = await Hooks.open(service);
    customer = await hooks.shop.customer(ADA);
  });
  after(() => service.stop());

  const tell = (text: string, more: object = {}) => hooks.tell({ type: 'replied', from: ADA, text, ...more });
  const consent = async () =>
    (await hooks.shop.client.get<any>(`/v1/profiles/${customer}`, { expect: 200 })).body.consent.sms;
  const refused = async (item: object) => {
    const body = JSON.stringify({ items: [{ id: randomUUID(), type: 'replied', from: ADA, text: 'STOP', ...item }] });
    const answer = await hooks.post('events', body, { ...JSON_TYPE, ...signed(body) });
    expect(answer.status).to.equal(400);
    return answer.body.error.field;
  };

  it('unsubscribes from text messages, and from nothing else, once', async () => {
    await hooks.shop.client.post('/v1/profiles/upsert', { identifiers: { phone: ADA, email: 'ada@shop.example' } });
    await hooks.shop.consent(customer, { status: 'subscribed' });
    const message = await hooks.shop.ended(await hooks.shop.send(await hooks.shop.template(TEXT), ADA));
    const id = randomUUID();
    expect(await tell('STOP', { id })).to.deep.equal({ recorded: 1, repeated: 0, unmatched: 0 });
    expect(await tell('STOP', { id })).to.deep.equal({ recorded: 0, repeated: 1, unmatched: 0 });
    expect([(await consent()).status, (await hooks.consent(customer)).status]).to.deep.equal([
      'unsubscribed',
      'subscribed',
    ]);
    // No row says whose answer it was, as one of them outlives the customer.
    const kept = await hooks.shop.query('select f::text as text from feedback f');
    expect(kept.map(({ text }) => text).join('\n')).not.to.include(id);
    const events = await hooks.events(customer);
    expect(events.map(({ event_type }) => event_type)).to.deep.equal(['sms_unsubscribed']);
    expect(events[0].properties.message_id).to.equal(message.id);
  });

  it('is heeded in the order in which it was said, whatever order it is told in', async () => {
    const at = (seconds: number) => ({ occurred_at: new Date(Date.now() - seconds * 1000).toISOString() });
    await hooks.shop.query(`update consent set changed_at = now() - interval '1 hour'`);
    await hooks.tell(
      { type: 'replied', from: ADA, text: 'START', ...at(10) },
      { type: 'replied', from: ADA, text: 'STOP', ...at(20) },
    );
    expect((await consent()).status).to.equal('subscribed');
    await tell('STOP', at(15));
    expect((await consent()).status).to.equal('subscribed');
  });

  it('is heeded beside what became of messages, in one request', async () => {
    const { id: message_id } = await hooks.sent();
    const answer = await hooks.tell(
      { type: 'delivered', message_id },
      { type: 'replied', from: ADA, text: 'Quit' },
      { type: 'replied', from: '+4930901827', text: 'Quit' },
    );
    expect(answer).to.deep.equal({ recorded: 2, repeated: 0, unmatched: 1 });
    expect((await consent()).status).to.equal('unsubscribed');
  });

  it('knows the words in some languages, and no others', async () => {
    for (const text of ['stop', 'STOP ALL', '"Stopp"', 'Désabonner.', 'baja', 'СТОП', 'opt-out']) {
      await hooks.shop.consent(customer, { status: 'subscribed' }, 'sms');
      await tell(text);
      expect((await consent()).status, text).to.equal('unsubscribed');
    }
    for (const text of ['Stop it?', 'ok', '', 'x'.repeat(10_000)]) {
      await hooks.shop.consent(customer, { status: 'subscribed' }, 'sms');
      await tell(text);
      expect((await consent()).status, text).to.equal('subscribed');
    }
  });

  it('tells of others as an event of what is answered, which a public key can not send', async () => {
    expect(isTrackedType('sms_replied')).to.equal(true);
    await tell('Before any message');
    await hooks.shop.ended(await hooks.shop.send(await hooks.shop.template(TEXT), ADA));
    await tell('Half, please');
    const events = await hooks.events(customer);
    expect(events.map(({ event_type, properties: { text } }) => [event_type, text])).to.deep.equal([
      ['sms_replied', 'Half, please'],
    ]);
  });

  it('is refused without what it needs, and nothing of it is recorded', async () => {
    for (const from of [undefined, '', '30901820', 'ada@shop.example', 5]) {
      expect(await refused({ from })).to.equal('items[0].from');
    }
    for (const text of [undefined, 5, 'x'.repeat(10_001), 'Half \ud83d'])
      expect(await refused({ text })).to.equal('items[0].text');
    expect(await refused({ occurred_at: 'today' })).to.equal('items[0].occurred_at');
    expect(await refused({ id: '' })).to.equal('items[0].id');
    expect((await consent()).status).to.equal('subscribed');
  });
});
