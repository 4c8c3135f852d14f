import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Receiver } from '../webhooks/support/receiver.ts';
import { header, Shop } from './support/shop.ts';

const ADA = '+4930901820';
const TEXT = { kind: 'sms', subject: '', body: 'Hi {{ profile.attributes.first_name }}. {{ data.more }} STOP to end.' };

describe('Text messages', () => {
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let template: string;
  let receiver: Receiver;

  before(async () => {
    service = await TestService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: '1',
      PUBLIC_URL: 'https://mail.shop.example',
    });
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    template = await shop.template(TEXT);
    receiver = await Receiver.start();
  });
  afterEach(() => receiver[Symbol.asyncDispose]());
  after(() => service.stop());

  it('are kept by the outbox, and counted in segments', async () => {
    const id = await shop.send(template, ADA);
    expect(await shop.ended(id)).to.include({ status: 'sent', channel: 'sms', address: ADA, segment_count: 1 });
    const content = await shop.content(id);
    expect(content).to.include({ subject: '', html: '', text: 'Hi Ada.  STOP to end.' });
    expect(header(content, 'To')).to.equal(ADA);
    const long = await shop.send(template, ADA, { data: { more: '„'.repeat(100) } });
    expect(await shop.ended(long)).to.include({ status: 'sent', segment_count: 2 });
  });

  it('go to an endpoint of the store, signed, by the id of the message', async () => {
    const { id: sender, secret } = await shop.texter(receiver.url, { from_name: 'Löwe' });
    const id = await shop.send(template, ADA, { sender_id: sender });
    expect(await shop.ended(id)).to.include({ status: 'sent', response: '204', segment_count: 1 });
    const [{ headers, body }] = receiver.received as [Receiver['received'][number]];
    const message = new Webhook(secret).verify(body, headers as Record<string, string>) as any;
    expect(headers['webhook-id']).to.equal(id);
    expect(message.type).to.equal('sms.send');
    expect(message.data).to.deep.equal({
      to: ADA,
      from: 'Löwe',
      text: 'Hi Ada.  STOP to end.',
      segment_count: 1,
      encoding: 'gsm7',
      class: 'marketing',
      profile_id: customer,
    });
  });

  it('go by the default sender of text messages, and e-mails by that of e-mail', async () => {
    const { id } = await shop.texter(receiver.url);
    await saveMessageSettings(shop.client, { default_sms_sender_id: id }, 200);
    expect(await shop.ended(await shop.send(template, ADA))).to.include({ sender_id: id, status: 'sent' });
    await shop.customer('ada@shop.example');
    const mail = await shop.ended(await shop.send(await shop.template(), 'ada@shop.example'));
    expect(mail).to.include({ channel: 'email', status: 'sent', segment_count: null });
    expect(mail.sender_id).not.to.equal(id);
  });

  it('need the consent for text messages, and a number that is international', async () => {
    const fate = (to: string) => shop.fate(template, to);
    await shop.consent(customer, { status: 'unsubscribed' }, 'sms');
    await shop.consent(customer, { status: 'subscribed' }, 'email');
    expect(await fate(ADA)).to.deep.equal(['skipped', 'unsubscribed']);
    await shop.customer('+4930901821', 'none');
    expect(await fate('+4930901821')).to.deep.equal(['skipped', 'no_consent']);
    await shop.customer('30901822');
    expect(await fate('30901822')).to.deep.equal(['skipped', 'no_address']);
    const suppressed = await shop.customer('+4930901823');
    await shop.consent(suppressed, { suppressed: true }, 'sms');
    expect(await fate('+4930901823')).to.deep.equal(['skipped', 'suppressed']);
  });

  it('are capped apart from e-mails', async () => {
    const both = { identifiers: { phone: ADA, email: 'ada@shop.example' } };
    await shop.client.post('/v1/profiles/upsert', both);
    await shop.consent(customer, { status: 'subscribed' }, 'email');
    await saveMessageSettings(shop.client, { caps: { most: 1, within: 'P1D' } }, 200);
    const mail = await shop.template();
    expect(await shop.fate(mail, ADA)).to.deep.equal(['sent', null]);
    expect(await shop.fate(template, ADA)).to.deep.equal(['sent', null]);
    expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'too_many_messages']);
    expect(await shop.fate(mail, ADA)).to.deep.equal(['skipped', 'too_many_messages']);
  });

  it('are not sent where they are longer than ten segments, or empty', async () => {
    expect(await shop.fate(template, ADA, { data: { more: 'x'.repeat(1_500) } })).to.deep.equal(['sent', null]);
    expect(await shop.fate(template, ADA, { data: { more: 'x'.repeat(1_600) } })).to.deep.equal([
      'failed',
      'too_large',
    ]);
    const empty = await shop.template({ ...TEXT, class: 'transactional', body: '{{ data.more }}' });
    expect(await shop.fate(empty, ADA)).to.deep.equal(['failed', 'render_failed']);
  });

  it('unsubscribe by their link from text messages, and from nothing else', async () => {
    await shop.consent(customer, { status: 'subscribed' }, 'email');
    const linked = await shop.template({ ...TEXT, body: 'News. {{ unsubscribe_url }}' });
    const id = await shop.send(linked, ADA);
    await shop.ended(id);
    const [, path = ''] = /https:\/\/mail\.shop\.example(\S+)/.exec((await shop.content(id)).text) ?? [];
    const page = await fetch(`${service.url}${path}`);
    expect(await page.text()).to.include('by text message');
    expect((await fetch(`${service.url}${path}`, { method: 'POST' })).status).to.equal(200);
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${customer}`)).body;
    expect([consent.email.status, consent.sms.status]).to.deep.equal(['subscribed', 'unsubscribed']);
    expect(await shop.fate(linked, ADA)).to.deep.equal(['skipped', 'unsubscribed']);
  });

  describe('What an endpoint answers', () => {
    const answered = async (status: number, more: object = {}) => {
      receiver.respond = (response) => response.writeHead(status).end('Because');
      const { id } = await shop.texter(receiver.url, more);
      return await shop.send(template, ADA, { sender_id: id });
    };
    /** What became of a message once it was tried so often. */
    const triedOnce = async (id: string) => {
      await until(async () => (await shop.message(id)).failed_attempts > 0, 'it was tried');
      return await shop.message(id);
    };

    it('ends a message with 4xx', async () => {
      for (const status of [400, 422]) {
        const message = await shop.ended(await answered(status));
        expect(message).to.include({ status: 'failed', reason: 'message_refused', response: `${status} Because` });
      }
    });

    it('has it tried again where it does not know us, is not well, or asks for time', async () => {
      for (const status of [401, 410, 429, 302, 500, 503]) {
        const message = await triedOnce(await answered(status));
        expect(message, String(status)).to.include({ status: 'waiting', response: `${status} Because` });
      }
    });

    it('does not hand one over again by itself where a connection that was kept is lost', async () => {
      const { id: sender } = await shop.texter(receiver.url);
      expect((await shop.ended(await shop.send(template, ADA, { sender_id: sender }))).status).to.equal('sent');
      receiver.respond = (response) => response.destroy();
      const unknown = await shop.ended(await shop.send(template, ADA, { sender_id: sender }));
      expect(unknown).to.include({ status: 'unknown', reason: 'undecided' });
      expect(receiver.received).to.have.length(2);
    });

    it('leaves marketing unknown whose answer is lost, and repeats what customers have caused', async () => {
      receiver.respond = (response) => response.destroy();
      const { id: sender } = await shop.texter(receiver.url);
      const unknown = await shop.ended(await shop.send(template, ADA, { sender_id: sender }));
      expect(unknown).to.include({ status: 'unknown', reason: 'undecided', response: 'connection_closed' });
      const receipt = await shop.template({ ...TEXT, class: 'transactional' });
      const again = await triedOnce(await shop.send(receipt, ADA, { sender_id: sender }));
      expect(again.status).to.equal('waiting');
    });

    it('is not asked for once the endpoint is disabled', async () => {
      const { id: sender, endpointId } = await shop.texter(receiver.url);
      const body = {
        url: receiver.url,
        name: 'Texts',
        max_per_second: 50,
        max_concurrent: 10,
        secret_headers: [],
        status: 'disabled',
      };
      await shop.client.send('PUT', `/v1/webhook-endpoints/${endpointId}`, JSON.stringify(body), {
        expect: 200,
        headers: { 'Content-Type': 'application/json' },
      });
      const message = await triedOnce(await shop.send(template, ADA, { sender_id: sender }));
      expect(message).to.include({ status: 'waiting', response: 'endpoint_disabled' });
      expect(receiver.received).to.deep.equal([]);
    });
  });
});
