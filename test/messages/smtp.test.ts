import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { type Script, ScriptedServer } from '../senders/support/scripted-server.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { pathIn, Shop } from './support/shop.ts';
import { verifyDkim } from './support/verify-dkim.ts';

const ADA = 'ada@shop.example';

describe('Messages by SMTP', () => {
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let template: string;
  let relay: ScriptedServer | undefined;

  before(async () => {
    service = await TestService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_URL: 'https://mail.shop.example',
    });
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    template = await shop.template();
  });
  afterEach(() => relay?.[Symbol.asyncDispose]());
  after(() => service.stop());

  /** Sends Ada a message by a relay that answers so. */
  async function send(script: Script, more: object = {}): Promise<string> {
    relay = await ScriptedServer.start(script);
    return await shop.send(template, ADA, { sender_id: await shop.relay(relay.port), ...more });
  }

  const answering =
    (at: string, answer: string): Script =>
    (verb) =>
      verb === at ? answer : undefined;

  it('arrive whole, with the headers by which mail programs unsubscribe', async () => {
    const id = await send(() => undefined);
    expect(await shop.ended(id)).to.include({ status: 'sent', reason: null, response: '250 2.0.0 Taken as 1234' });
    const mail = await PostalMime.parse(relay?.messages[0] ?? '');
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(mail.subject).to.equal('Hello Ada');
    expect(mail.from?.address).to.equal('hello@shop.example');
    expect(mail.to?.[0]?.address).to.equal(ADA);
    expect(mail.messageId).to.equal(`<${id}@shop.example>`);
    expect(headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
    expect(headers.get('list-unsubscribe')).to.match(/^<https:\/\/mail\.shop\.example\/m\/u\//);
    expect(mail.html).to.include(pathIn(headers.get('list-unsubscribe')));
    expect(mail.text).to.include('Your order is here.');
  });

  it('are not kept by a sender that sends them', async () => {
    const id = await send(() => undefined);
    await shop.ended(id);
    await shop.client.get(`/v1/messages/${id}/content`, { expect: 404 });
  });

  it('bounce where there is no such mailbox', async () => {
    const id = await send(answering('RCPT', '550 5.1.1 No such user'));
    expect(await shop.ended(id)).to.include({ status: 'bounced', reason: 'no_mailbox' });
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${customer}`)).body;
    expect(consent.email.suppressed.reason).to.equal('HARD_BOUNCE');
  });

  it('fail, and suppress nobody, where something else is refused', async () => {
    const id = await send(answering('.', '554 5.7.1 Looks like spam'));
    expect((await shop.ended(id)).status).to.equal('failed');
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${customer}`)).body;
    expect(consent.email.suppressed).to.equal(null);
  });

  it('are tried again after a refusal for now', async () => {
    let refusals = 0;
    const id = await send((verb) => (verb === 'RCPT' && refusals++ === 0 ? '451 4.3.0 Busy' : undefined));
    await until(async () => (await shop.message(id)).failed_attempts === 1, 'an attempt has failed');
    await shop.query(`update message set due_at = now() where id = '${id}'`);
    expect(await shop.ended(id)).to.include({ status: 'sent', failed_attempts: 1 });
  });

  it('are unknown, and not sent again, where the relay is lost before it answers for one that is marketing', async () => {
    let isLost = true;
    const id = await send((verb, _, { socket }) => {
      if (verb !== '.' || !isLost) return undefined;
      socket.destroy();
      return null;
    });
    expect(await shop.ended(id)).to.include({ status: 'unknown', reason: 'undecided' });
    isLost = false;
    await shop.client.post(`/v1/messages/${id}/resolve`, { decision: 'resend' }, { expect: 200 });
    expect((await shop.ended(id)).status).to.equal('sent');
    expect(relay?.messages).to.have.length(2);
  });

  it('are sent again then if they are transactional', async () => {
    let lost = 0;
    template = await shop.template({ class: 'transactional', body: '<p>Receipt</p>' });
    const id = await send((verb, _, { socket }) => {
      if (verb !== '.' || lost++ > 0) return undefined;
      socket.destroy();
      return null;
    });
    await until(async () => (await shop.message(id)).failed_attempts === 1, 'an attempt has failed');
    await shop.query(`update message set due_at = now() where id = '${id}'`);
    expect((await shop.ended(id)).status).to.equal('sent');
  });

  it('are signed where their sender has a key, and with them the headers by which one unsubscribes', async () => {
    relay = await ScriptedServer.start();
    const sender = await shop.relay(relay.port, { dkim_selector: 's1', dkim_signing: true });
    const { dkim_record: record } = (await shop.client.get<any>(`/v1/senders/${sender}`)).body;
    await shop.ended(await shop.send(template, ADA, { sender_id: sender }));
    const { domain, signed } = verifyDkim(Buffer.from(`${relay.messages[0]}\r\n`, 'latin1'), record);
    expect(domain).to.equal('shop.example');
    expect(signed).to.include.members(['from', 'list-unsubscribe', 'list-unsubscribe-post']);
  });

  it('let a sender rest whose relay does nothing but fail', async () => {
    relay = await ScriptedServer.start(answering('CONNECT', '554 Go away'));
    const sender = await shop.relay(relay.port);
    for (let i = 0; i < 12; i += 1) await shop.send(template, ADA, { sender_id: sender });
    const resting = async () => (await shop.client.get<any>(`/v1/senders/${sender}`)).body.resting_until !== null;
    await until(resting, 'the sender rests');
  });

  it('are not sent by a sender that nobody has checked', async () => {
    relay = await ScriptedServer.start();
    const sender = await shop.relay(relay.port);
    await shop.query(`update sender set checks = null where id = '${sender}'`);
    const body = { template_id: template, profile: { email: ADA }, sender_id: sender };
    const { error } = (await shop.client.post<any>('/v1/messages', body, { expect: 400 })).body;
    expect(error.field).to.equal('sender_id');
  });

  it('wait while the checks of their sender do not hold, as after a change', async () => {
    relay = await ScriptedServer.start();
    const sender = await shop.relay(relay.port);
    const id = await shop.send(template, ADA, { sender_id: sender, send_at: '2035-01-01T00:00:00Z' });
    const settings = { host: '127.0.0.1', port: relay.port, security: 'starttls' };
    const changed = {
      ...{ name: 'Relay', from_email: 'boss@other.example', from_name: null, reply_to: null, settings },
      ...{ dkim_selector: null, dkim_signing: false, class: 'both' },
      ...{ max_per_second: 500, max_per_day: null, max_concurrent: 4, warm_up: null },
    };
    await shop.client.send('PUT', `/v1/senders/${sender}`, JSON.stringify(changed), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    await shop.query(`update message set due_at = now() where id = '${id}'`);
    const other = await shop.send(await shop.template(), ADA);
    expect((await shop.ended(other)).status).to.equal('sent');
    expect((await shop.message(id)).status).to.equal('waiting');
    expect(relay.messages).to.deep.equal([]);
    await shop.query(`update sender set checks = '[{"name":"spf","ok":true,"detail":""}]' where id = '${sender}'`);
    expect((await shop.ended(id)).status).to.equal('sent');
  });

  it('are tried again where the relay does not let us in, and suppress nobody where it wants nothing of ours', async () => {
    const id = await send(answering('MAIL', '530 5.7.0 Authentication required'));
    await until(async () => (await shop.message(id)).failed_attempts === 1, 'an attempt has failed');
    await relay?.[Symbol.asyncDispose]();
    const other = await send(answering('RCPT', '550 Relaying denied'));
    expect(await shop.ended(other)).to.include({ status: 'failed', reason: 'recipient_refused' });
    const { consent } = (await shop.client.get<any>(`/v1/profiles/${customer}`)).body;
    expect(consent.email.suppressed).to.equal(null);
  });

  it('do not keep others of their slice back by an address that no header can have', async () => {
    const odd = await shop.customer('odd@shop.example');
    relay = await ScriptedServer.start();
    const sender = await shop.relay(relay.port);
    const at = { sender_id: sender, send_at: '2035-01-01T00:00:00Z' };
    const ids = [await shop.send(template, 'odd@shop.example', at), await shop.send(template, ADA, at)];
    await shop.query(`update profile set email = 'a' || chr(57344) || 'b@shop.example' where id = '${odd}'`);
    await shop.query(`update message set due_at = now() where store_id = '${shop.storeId}'`);
    const statuses = await Promise.all(ids.map(async (id) => (await shop.ended(id)).status));
    expect(statuses).to.deep.equal(['failed', 'sent']);
  });

  it('are sent to the address that the customer has by then', async () => {
    relay = await ScriptedServer.start();
    const id = await shop.send(template, ADA, {
      sender_id: await shop.relay(relay.port),
      send_at: '2035-01-01T00:00:00Z',
    });
    await shop.query(`
      update profile set email = 'new@shop.example' where id = '${customer}' and store_id = '${shop.storeId}'`);
    await shop.query(`update message set due_at = now() where id = '${id}'`);
    expect((await shop.ended(id)).address).to.equal('new@shop.example');
  });
});
