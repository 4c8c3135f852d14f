import { expect } from 'chai';
import { header, Shop } from '../messages/support/shop.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ADA = 'ada@shop.example';
describe('POST /v1/messages', () => {
  let service: TestService;
  let shop: Shop;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
  });
  after(() => service.stop());

  const refused = async (body: object, field: string | null) => {
    const { error } = (await shop.client.post<any>('/v1/messages', body, { expect: 400 })).body;
    expect(error.field).to.equal(field);
    return error.message as string;
  };

  it('keeps the whole message in the outbox of a new store', async () => {
    await shop.customer(ADA);
    const template = await shop.template();
    const id = await shop.send(template, ADA, { data: { order: 'A-1 & <b>' } });
    const message = await shop.ended(id);
    expect(message).to.include({ status: 'sent', reason: null, address: ADA, class: 'marketing', template_version: 1 });
    const content = await shop.content(id);
    expect(content.subject).to.equal('Hello Ada');
    expect(content.html).to.include('Your order A-1 &amp; &lt;b&gt;.');
    expect(content.text).to.include('Your order A-1 & <b>.');
    expect(header(content, 'To')).to.equal(ADA);
    expect(header(content, 'Message-ID')).to.match(new RegExp(`^<${id}@`));
    expect(content.size_bytes).to.be.greaterThan(500);
  });

  it('sends what its preview says, of the store and in the time of the customer, too', async () => {
    await saveMessageSettings(shop.client, { postal_address: '12 Mill Lane' }, 200);
    const id = await shop.customer(ADA);
    const attributes = { locale: 'de', time_zone: 'Asia/Tokyo' };
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA }, attributes }, { expect: 200 });
    const event = { event_type: 'came', profile: { email: ADA }, occurred_at: '2026-11-20T20:00:00Z' };
    const { body: came } = await shop.client.post<any>('/v1/events', event, { expect: 201 });
    const template = await shop.template({
      class: 'transactional',
      body: `<p>{{ store.id }}, {{ store.name }}, {{ store.country }}, {{ store.postal_address }}</p>
        <p>{{ event.occurred_at | date: "%d.%m.%Y, %H:%M" }}</p>`,
    });
    const occasion = { profile: { profile_id: id }, event: { id: came.id }, version: 1 };
    const preview = (await shop.client.post<any>(`/v1/templates/${template}/render`, occasion, { expect: 200 })).body;
    const message = await shop.send(template, ADA, { event_id: came.id });
    await shop.ended(message);
    const { html } = await shop.content(message);
    expect(html).to.equal(preview.html);
    expect(html).to.include('12 Mill Lane').and.to.include('21.11.2026, 05:00');
    expect(html).to.match(/<p>[0-9a-f-]{36}, /);
  });

  it('sends marketing to those alone who have subscribed, and says why others get nothing', async () => {
    const template = await shop.template();
    await shop.customer('subscribed@shop.example');
    await shop.customer('unsubscribed@shop.example', 'unsubscribed');
    await shop.customer('never@shop.example', 'none');
    const suppressed = await shop.customer('suppressed@shop.example');
    await shop.consent(suppressed, { suppressed: true });
    expect(await shop.fate(template, 'subscribed@shop.example')).to.deep.equal(['sent', null]);
    expect(await shop.fate(template, 'unsubscribed@shop.example')).to.deep.equal(['skipped', 'unsubscribed']);
    expect(await shop.fate(template, 'never@shop.example')).to.deep.equal(['skipped', 'no_consent']);
    expect(await shop.fate(template, 'suppressed@shop.example')).to.deep.equal(['skipped', 'suppressed']);
  });

  it('sends what is transactional whatever the customer chose, but not to whom the store suppressed', async () => {
    const body = '<p>Your receipt.</p>';
    const template = await shop.template({ class: 'transactional', body });
    await shop.customer('unsubscribed@shop.example', 'unsubscribed');
    const suppressed = await shop.customer('suppressed@shop.example', 'none');
    await shop.consent(suppressed, { suppressed: true });
    const id = await shop.send(template, 'unsubscribed@shop.example');
    expect((await shop.ended(id)).status).to.equal('sent');
    expect(header(await shop.content(id), 'List-Unsubscribe')).to.equal(undefined);
    expect(await shop.fate(template, 'suppressed@shop.example')).to.deep.equal(['skipped', 'suppressed']);
  });

  it('learns from an address that does not exist, whoever has it afterwards', async () => {
    const template = await shop.template();
    const id = await shop.customer('bounce@simulator.test');
    expect(await shop.fate(template, 'bounce@simulator.test')).to.deep.equal(['bounced', 'no_mailbox']);
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${id}`)).body;
    expect(consent.email.suppressed.reason).to.equal('HARD_BOUNCE');
    await shop.consent(id, { suppressed: false });
    expect(await shop.fate(template, 'bounce@simulator.test')).to.deep.equal(['skipped', 'address_suppressed']);
  });

  it('takes a complaint as an opt-out', async () => {
    const template = await shop.template();
    const id = await shop.customer('complaint@simulator.test');
    expect(await shop.fate(template, 'complaint@simulator.test')).to.deep.equal(['complained', null]);
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${id}`)).body;
    expect(consent.email).to.include({ status: 'unsubscribed' });
    expect(consent.email.suppressed.reason).to.equal('SPAM_COMPLAINT');
  });

  it('tries again later what a relay does not take yet', async () => {
    const template = await shop.template();
    await shop.customer('slow@simulator.test');
    const id = await shop.send(template, 'slow@simulator.test');
    await until(async () => (await shop.message(id)).failed_attempts === 1, 'an attempt has failed');
    const message = await shop.message(id);
    expect(message).to.include({ status: 'waiting', response: '450 4.2.1 Try again later (simulated)' });
    expect(Date.parse(message.due_at)).to.be.greaterThan(Date.parse(message.created_at));
  });

  it('skips a message that would have a hole, and one that is too late', async () => {
    const template = await shop.template({
      body: '<p>{{ data.code }}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>',
      required: ['data.code'],
    });
    await shop.customer(ADA);
    expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'missing_value']);
    expect(await shop.fate(template, ADA, { data: { code: 'X1' } })).to.deep.equal(['sent', null]);
  });

  it('tells a template what the customer did', async () => {
    await shop.customer(ADA);
    await shop.customer('other@shop.example');
    const record = async (email: string) => {
      const event = { event_type: 'shipped', profile: { email }, properties: { parcel: 'P1' } };
      return (await shop.client.post<any>('/v1/events', event)).body.id;
    };
    const template = await shop.template({
      body: '<p>{{ event.properties.parcel }}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>',
    });
    const id = await shop.send(template, ADA, { event_id: await record(ADA) });
    expect((await shop.ended(id)).status).to.equal('sent');
    expect((await shop.content(id)).html).to.include('<p>P1</p>');
    const body = { template_id: template, profile: { email: ADA }, event_id: await record('other@shop.example') };
    await refused(body, 'event_id');
  });

  it('sends a request with a key once', async () => {
    await shop.customer(ADA);
    const template = await shop.template();
    const body = { template_id: template, profile: { email: ADA }, idempotency_key: 'order-1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => shop.client.post<any>('/v1/messages', body, { expect: 201 })),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).to.equal(1);
    const { messages } = (await shop.client.get<any>('/v1/messages')).body;
    expect(messages).to.have.length(1);
  });

  it('names what is wrong', async () => {
    await shop.customer(ADA);
    const template = await shop.template();
    const other = await Shop.open(service);
    const profile = { email: ADA };
    const unknown = '01a1f852-c410-7e05-8b27-3d6fa91c5e42';
    await refused({ template_id: unknown, profile }, 'template_id');
    await refused({ template_id: await other.template(), profile }, 'template_id');
    await refused({ template_id: template, template_version: 2, profile }, 'template_version');
    await refused({ template_id: template, profile: { email: 'nobody@shop.example' } }, 'profile');
    await refused({ template_id: template, profile, sender_id: unknown }, 'sender_id');
    await refused({ template_id: template, profile, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at');
    await refused({ template_id: template, profile, send_at: '2200-01-01T00:00:00Z' }, 'send_at');
    const draft = { name: 'Draft', kind: 'html', subject: 'S', body: '<p>B</p>' };
    const { id } = (await shop.client.post<any>('/v1/templates', draft, { expect: 201 })).body;
    expect(await refused({ template_id: id, profile }, 'template_id')).to.include('not published');
  });
});
