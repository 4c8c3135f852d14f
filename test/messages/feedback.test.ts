import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { isTrackedType } from '../../src/domain/tracking/core/event-types.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { TestService } from '../support/service.ts';
import { Hooks, SECRET, signed } from './support/hooks.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const DAY_MS = 86_400_000;

describe('What a provider tells of messages', () => {
  let service: TestService;
  let hooks: Hooks;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    hooks = await Hooks.open(service);
  });
  after(() => service.stop());

  const types = async (customer: string) => (await hooks.events(customer)).map(({ event_type: type }: any) => type);

  describe('is recorded', () => {
    it('as delivered, with the time that it says', async () => {
      const { id } = await hooks.sent();
      const occurred_at = new Date(Date.now() - 5_000).toISOString();
      expect(await hooks.tell({ type: 'delivered', message_id: id, occurred_at })).to.deep.equal({
        recorded: 1,
        repeated: 0,
        unmatched: 0,
      });
      expect(await hooks.shop.message(id)).to.include({
        status: 'delivered',
        delivered_at: occurred_at,
        why_not: null,
      });
    });

    it('by the Message-ID as well, in brackets or not', async () => {
      const [one, other] = [await hooks.sent(), await hooks.sent()];
      await hooks.tell(
        { type: 'delivered', message_id: `<${one.id}@shop.example>` },
        { type: 'delivered', message_id: `${other.id.toUpperCase()}@shop.example` },
      );
      expect((await hooks.shop.message(one.id)).status).to.equal('delivered');
      expect((await hooks.shop.message(other.id)).status).to.equal('delivered');
    });

    it('as a hard bounce: nothing is sent to the address any more, and consent shows it', async () => {
      const { id, customer, to } = await hooks.sent();
      await hooks.tell({ type: 'bounced', message_id: id, status: '5.1.1', detail: '550 5.1.1 No such user' });
      const message = await hooks.shop.message(id);
      expect(message).to.include({ status: 'bounced', reason: 'no_mailbox', response: '550 5.1.1 No such user' });
      expect(message.bounced_at).to.be.a('string');
      expect(message.why_not.explanation).to.include('No such user');
      expect(await hooks.suppressed(to)).to.deep.equal([['hard_bounce', true]]);
      expect((await hooks.consent(customer)).suppressed.reason).to.equal('HARD_BOUNCE');
      const [event] = await hooks.events(customer);
      expect(event).to.deep.include({ event_type: 'email_bounced' });
      expect(event.properties).to.include({ message_id: id, fault: 'address', status_code: '5.1.1' });
      const template = await hooks.shop.template();
      expect(await hooks.shop.fate(template, to)).to.deep.equal(['skipped', 'address_suppressed']);
    });

    it('as a hard bounce of the address that it had: one that the customer has by now is well', async () => {
      const { id, customer, to } = await hooks.sent();
      const [external_id, email] = [randomUUID(), `${randomUUID()}@shop.example`];
      const upsert = (identifiers: object) =>
        hooks.shop.client.post('/v1/profiles/upsert', { identifiers }, { expect: 200 });
      await upsert({ email: to, external_id });
      await upsert({ external_id, email });
      await hooks.tell({ type: 'bounced', message_id: id, status: '5.1.1' });
      expect(await hooks.suppressed(to)).to.deep.equal([['hard_bounce', true]]);
      expect((await hooks.consent(customer)).suppressed).to.equal(null);
      expect(await hooks.shop.fate(await hooks.shop.template(), email)).to.deep.equal(['sent', null]);
    });

    it('as a complaint: the customer is unsubscribed and the address suppressed', async () => {
      const { id, customer, to } = await hooks.sent();
      await hooks.tell({ type: 'complained', message_id: id });
      expect((await hooks.shop.message(id)).status).to.equal('complained');
      expect(await hooks.suppressed(to)).to.deep.equal([['complaint', true]]);
      const consent = await hooks.consent(customer);
      expect(consent.status).to.equal('unsubscribed');
      expect(consent.suppressed.reason).to.equal('SPAM_COMPLAINT');
      expect(await types(customer)).to.deep.equal(['email_complained']);
    });

    it('as an opt-out, which suppresses nothing', async () => {
      const { id, customer, to } = await hooks.sent();
      await hooks.tell({ type: 'unsubscribed', message_id: id });
      expect((await hooks.consent(customer)).status).to.equal('unsubscribed');
      expect(await hooks.suppressed(to)).to.deep.equal([]);
      expect((await hooks.shop.message(id)).status).to.equal('sent');
      expect(await types(customer)).to.deep.equal(['email_unsubscribed']);
    });

    it('once, however often it is told', async () => {
      const { id, customer } = await hooks.sent();
      const item = { id: 'b-1', type: 'bounced', message_id: id, status: '5.1.1' };
      expect(await hooks.tell(item, item)).to.include({ recorded: 1, repeated: 1 });
      expect(await hooks.tell(item)).to.include({ recorded: 0, repeated: 1 });
      expect(await types(customer)).to.deep.equal(['email_bounced']);
      expect(await hooks.counts()).to.include({ bounced_count: 1, delivered_count: 0, unmatched_count: 0 });
    });

    it('once, if two processes are told it at the same time', async () => {
      const second = await TestService.start({}, service.database);
      try {
        const { id, customer } = await hooks.sent();
        const items = Array.from({ length: 50 }, (_, i) => ({ id: `u-${i}`, type: 'unsubscribed', message_id: id }));
        const body = JSON.stringify({ items });
        const headers = { ...JSON_TYPE, ...signed(body) };
        const answers = await Promise.all(
          [service.url, second.url, service.url, second.url].map((url) => hooks.post('events', body, headers, url)),
        );
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
        expect(answers.reduce((sum, answer) => sum + answer.body.recorded, 0)).to.equal(50);
        expect(await types(customer)).to.have.length(50);
      } finally {
        await second.stopService();
      }
    });

    it('with 10,000 items in a request', async function () {
      this.timeout(60_000);
      const { id } = await hooks.sent();
      const item = (i: number) => ({ id: String(i), type: 'deferred', message_id: i % 2 ? id : randomUUID() });
      const body = JSON.stringify({ items: Array.from({ length: 10_000 }, (_, i) => item(i)) });
      const { status, body: answer } = await hooks.post('events', body, { ...JSON_TYPE, ...signed(body) });
      expect([status, answer]).to.deep.equal([200, { recorded: 5_000, repeated: 0, unmatched: 5_000 }]);
      expect(await hooks.counts()).to.include({ deferred_count: 10_000, unmatched_count: 5_000 });
    });

    it('for messages of which it is unknown whether they were sent', async () => {
      const [one, other] = [await hooks.sent(), await hooks.sent()];
      await hooks.shop.query(`
        update message set status = 'unknown', reason = 'undecided' where id in ('${one.id}', '${other.id}')`);
      await hooks.tell({ type: 'deferred', message_id: one.id }, { type: 'delivered', message_id: other.id });
      expect(await hooks.shop.message(one.id)).to.include({ status: 'sent', reason: null });
      expect(await hooks.shop.message(other.id)).to.include({ status: 'delivered', reason: null });
    });

    it('for what was about to be sent once more, which then is not', async () => {
      const { id } = await hooks.sent();
      await hooks.shop.query(`
        update message set status = 'waiting', due_at = now() + interval '1 hour' where id = '${id}'`);
      await hooks.tell({ type: 'delivered', message_id: id });
      expect(await hooks.shop.message(id)).to.include({ status: 'delivered', due_at: null });
    });

    it('as nothing for a message that was never handed over', async () => {
      const to = `${randomUUID()}@shop.example`;
      const customer = await hooks.shop.customer(to);
      const later = new Date(Date.now() + DAY_MS).toISOString();
      const id = await hooks.shop.send(await hooks.shop.template(), to, { send_at: later });
      await hooks.tell(
        { type: 'delivered', message_id: id },
        { type: 'bounced', message_id: id, status: '5.1.1' },
        { type: 'complained', message_id: id },
      );
      expect(await hooks.shop.message(id)).to.include({ status: 'waiting', bounced_at: null });
      expect(await hooks.suppressed(to)).to.deep.equal([]);
      expect((await hooks.consent(customer)).status).to.equal('subscribed');
    });

    it('of messages of the store alone', async () => {
      const stranger = await Hooks.open(service);
      const { id, to } = await stranger.sent();
      expect(await hooks.tell({ type: 'complained', message_id: id })).to.include({ recorded: 0, unmatched: 1 });
      expect((await stranger.shop.message(id)).status).to.equal('sent');
      expect(await stranger.suppressed(to)).to.deep.equal([]);
    });
  });

  describe('in another order than it happened', () => {
    const orders: [string, string[], string][] = [
      ['delivered after bounced', ['bounced', 'delivered'], 'bounced'],
      ['bounced after delivered', ['delivered', 'bounced'], 'bounced'],
      ['delivered after complained', ['complained', 'delivered'], 'complained'],
      ['bounced after complained', ['complained', 'bounced'], 'complained'],
      ['complained after bounced', ['bounced', 'complained'], 'complained'],
      ['deferred after delivered', ['delivered', 'deferred'], 'delivered'],
    ];
    for (const [name, told, status] of orders) {
      it(`${name} ends as ${status}`, async () => {
        const { id } = await hooks.sent();
        for (const type of told) {
          await hooks.tell({ type, message_id: id, ...(type === 'bounced' && { status: '5.1.1' }) });
        }
        expect((await hooks.shop.message(id)).status).to.equal(status);
      });
    }
  });

  describe('is classified by its status code', () => {
    const codes: [string | undefined, string, string | null, boolean][] = [
      ['5.1.1', 'bounced', 'no_mailbox', true],
      ['5.2.1', 'bounced', 'no_mailbox', true],
      ['5.1.10', 'bounced', 'no_mailbox', true],
      // Amazon SES calls it transient.
      ['5.4.4', 'bounced', 'no_mailbox', true],
      ['5.2.2', 'failed', 'recipient_refused', false],
      ['4.4.7', 'failed', 'recipient_refused', false],
      ['5.0.0', 'failed', 'recipient_refused', false],
      [undefined, 'failed', 'recipient_refused', false],
      ['5.7.1', 'failed', 'sender_refused', false],
      ['4.7.0', 'failed', 'sender_refused', false],
      ['5.3.4', 'failed', 'message_refused', false],
      ['5.6.1', 'failed', 'message_refused', false],
    ];
    for (const [status, outcome, reason, isSuppressed] of codes) {
      it(`${status ?? 'none'}: ${outcome}, ${reason}`, async () => {
        const { id, to, customer } = await hooks.sent();
        await hooks.tell({ type: 'bounced', message_id: id, ...(status && { status }) });
        expect(await hooks.shop.message(id)).to.include({ status: outcome, reason });
        expect((await hooks.suppressed(to)).length > 0).to.equal(isSuppressed);
        expect((await hooks.consent(customer)).suppressed !== null).to.equal(isSuppressed);
      });
    }

    const bounce = (id: string) => ({ type: 'bounced', message_id: id, status: '5.2.2' });

    it('and three messages that are not taken suppress an address for 30 days', async () => {
      const to = `${randomUUID()}@shop.example`;
      const template = await hooks.shop.template();
      for (const isLast of [false, false, true]) {
        const { id } = await hooks.sent(to, template);
        // Each counts once, however often its provider says so.
        await hooks.tell(bounce(id), bounce(id));
        expect(await hooks.suppressed(to)).to.deep.equal(isLast ? [['soft_bounces', false]] : []);
      }
      expect(await hooks.shop.fate(template, to)).to.deep.equal(['skipped', 'address_suppressed']);
    });

    it('unless one between them is delivered, or they are of more than 30 days', async () => {
      const to = `${randomUUID()}@shop.example`;
      const template = await hooks.shop.template();
      const next = async () => (await hooks.sent(to, template)).id;
      await hooks.tell(bounce(await next()), bounce(await next()));
      await hooks.tell({ type: 'delivered', message_id: await next() });
      await hooks.tell(bounce(await next()));
      expect(await hooks.suppressed(to)).to.deep.equal([]);
      await hooks.tell(bounce(await next()));
      await hooks.shop.query(`
        update soft_bounce set bounced_at = now() - interval '31 days' where store_id = '${hooks.shop.storeId}'`);
      await hooks.tell(bounce(await next()));
      expect(await hooks.suppressed(to)).to.deep.equal([]);
    });
  });

  it('is counted for its campaign, which pauses at the second complaint', async () => {
    const { client, storeId } = hooks.shop;
    const draft = { name: 'News', channel: 'email' };
    const campaign = (await client.post<any>('/v1/campaigns', draft, { expect: 201 })).body.id;
    await hooks.shop.query(`
      update campaign set status = 'sending', started_at = now(), prepared_at = now(), recent = 2
      where store_id = '${storeId}' and id = '${campaign}'`);
    const [one, other] = [await hooks.sent(), await hooks.sent()];
    await hooks.shop.query(`
      update message set source = 'campaign', source_id = '${campaign}' where id in ('${one.id}', '${other.id}')`);
    const found = async () => {
      const { status, reason } = (await client.get<any>(`/v1/campaigns/${campaign}`, { expect: 200 })).body;
      return [status, reason];
    };
    await hooks.tell({ type: 'complained', message_id: one.id });
    expect((await found())[1]).to.equal(null);
    await hooks.tell({ type: 'complained', message_id: one.id });
    expect((await found())[1]).to.equal(null);
    await hooks.tell({ type: 'complained', message_id: other.id });
    expect(await found()).to.deep.equal(['paused', 'too_many_complaints']);
    const [event] = await hooks.events(other.customer);
    expect(event.properties).to.include({ campaign_id: campaign, message_id: other.id });
  });

  describe('is an event', () => {
    it('when it is sent and delivered, only if the store wants that', async () => {
      const { id, customer } = await hooks.sent();
      await hooks.tell({ type: 'delivered', message_id: id });
      expect(await types(customer)).to.deep.equal([]);
      const tracking = { opens: true, clicks: true, transactional: false, sent: true, delivered: true };
      await saveMessageSettings(hooks.shop.client, { tracking }, 200);
      const other = await Hooks.open(service);
      await saveMessageSettings(other.shop.client, { tracking }, 200);
      const sent = await other.sent();
      await other.tell({ type: 'delivered', message_id: sent.id });
      const events = await other.events(sent.customer);
      expect(events.map((event) => event.event_type)).to.deep.equal(['email_sent', 'email_delivered']);
      for (const { properties } of events) expect(properties.message_id).to.equal(sent.id);
    });

    it('that it was sent as well, where that is not recorded by then', async () => {
      const { id, customer } = await hooks.sent();
      const tracking = { opens: true, clicks: true, transactional: false, sent: true, delivered: true };
      await saveMessageSettings(hooks.shop.client, { tracking }, 200);
      await hooks.shop.query(`
        update message set status = 'sending', due_at = now() + interval '1 hour', finished_at = null where id = '${id}'`);
      await hooks.tell({ type: 'delivered', message_id: id }, { type: 'unsubscribed', message_id: id });
      expect((await types(customer)).toSorted()).to.deep.equal(['email_delivered', 'email_sent', 'email_unsubscribed']);
    });

    it('that a public key can not send', () => {
      for (const type of ['email_bounced', 'email_sent', 'sms_delivered', 'sms_unsubscribed']) {
        expect(isTrackedType(type), type).to.equal(true);
      }
    });
  });

  describe('is refused', () => {
    const body = JSON.stringify({ items: [{ id: '1', type: 'delivered', message_id: randomUUID() }] });
    const refused = async (headers: Record<string, string>, sent = body) => {
      const answer = await hooks.post('events', sent, { ...JSON_TYPE, ...headers });
      return [answer.status, answer.body.error?.code, answer.body.error?.field ?? null];
    };

    it('without a signature, with one by another secret or of another body, and after five minutes', async () => {
      const unauthorized = [401, 'unauthorized', null];
      expect(await refused({})).to.deep.equal(unauthorized);
      expect(await refused(signed(body, 'another-secret-of-a-shop'))).to.deep.equal(unauthorized);
      expect(await refused(signed(`${body} `))).to.deep.equal(unauthorized);
      expect(await refused(signed(body, SECRET, Date.now() - 301_000))).to.deep.equal(unauthorized);
      expect(await refused(signed(body, SECRET, Date.now() + 301_000))).to.deep.equal(unauthorized);
      expect((await refused(signed(body)))[0]).to.equal(200);
    });

    it('once the secret is another one, or gone, or nobody is named', async () => {
      await hooks.configure({ provider: 'generic', secret: 'another-secret-of-the-shop' });
      expect((await refused(signed(body)))[0]).to.equal(401);
      await hooks.configure({ provider: 'generic', secret: null });
      expect((await refused(signed(body)))[0]).to.equal(401);
      await hooks.configure({ provider: null, secret: SECRET });
      expect((await refused(signed(body)))[0]).to.equal(401);
      await hooks.configure({ provider: 'generic' });
      expect((await refused(signed(body)))[0]).to.equal(200);
    });

    it('at URLs that are not ours, and of senders that are deleted', async () => {
      const path = (token: string) => fetch(`${service.url}/m/hooks/${token}/events`, { method: 'POST', body });
      const token = new URL((await hooks.counts()).events_url).pathname.split('/')[3] as string;
      const altered = token.slice(0, -1) + (token.endsWith('A') ? 'Q' : 'A');
      for (const other of ['x', 'A'.repeat(66), altered, `${token}A`, '%00']) {
        expect((await path(other)).status, other).to.equal(404);
      }
      await hooks.shop.query(`update sender set deleted_at = now() where id = '${hooks.senderId}'`);
      expect((await refused(signed(body)))[0]).to.equal(404);
    });

    const FAULTS: [string, unknown, string | null][] = [
      ['no JSON', 'x', null],
      ['no object', [], 'items'],
      ['no items', {}, 'items'],
      ['none', { items: [] }, 'items'],
      ['too many', { items: Array.from({ length: 10_001 }, () => 1) }, 'items'],
      ['no item', { items: [1] }, 'items[0].id'],
      ['a long id', { items: [{ id: 'x'.repeat(256) }] }, 'items[0].id'],
      ['an unknown type', { items: [{ id: '1', type: 'opened' }] }, 'items[0].type'],
      ['no message', { items: [{ id: '1', type: 'bounced' }] }, 'items[0].message_id'],
      [
        'a bad code',
        { items: [{ id: '1', type: 'bounced', message_id: randomUUID(), status: '550' }] },
        'items[0].status',
      ],
      [
        'a bad time',
        { items: [{ id: '1', type: 'bounced', message_id: randomUUID(), occurred_at: 'soon' }] },
        'items[0].occurred_at',
      ],
    ];
    for (const [name, content, field] of FAULTS) {
      it(`with ${name}`, async () => {
        const sent = typeof content === 'string' ? content : JSON.stringify(content);
        expect(await refused(signed(sent), sent)).to.deep.equal([400, 'validation_error', field]);
      });
    }

    it('if it is larger than 1 MB, or empty', async () => {
      const large = JSON.stringify({ items: [], filler: 'x'.repeat(1024 * 1024) });
      expect(await refused(signed(large), large)).to.deep.equal([400, 'validation_error', null]);
      expect(await refused(signed(''), '')).to.deep.equal([400, 'validation_error', null]);
    });
  });
});
