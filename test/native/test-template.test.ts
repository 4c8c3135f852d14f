import { expect } from 'chai';
import { header, Shop } from '../messages/support/shop.ts';
import { TestService } from '../support/service.ts';

const ME = 'me@shop.example';
const ADA = 'ada@shop.example';
const UNKNOWN = '01a1f852-d730-7a18-9f4c-52b0e8d7a631';

describe('POST /v1/templates/{id}/test', () => {
  let service: TestService;
  let shop: Shop;
  let template: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    template = await shop.template();
  });
  after(() => service.stop());

  const test = async (body: object, id = template) =>
    (await shop.client.post<any>(`/v1/templates/${id}/test`, { to: ME, ...body }, { expect: 200 })).body;
  const refused = async (body: object, id = template) => {
    const { error } = (await shop.client.post<any>(`/v1/templates/${id}/test`, { to: ME, ...body }, { expect: 400 }))
      .body;
    return [error.field, error.message];
  };
  const outbox = async () =>
    (await shop.client.get<any>('/v1/senders')).body.senders.find(({ kind }: any) => kind === 'outbox').id as string;

  it('sends what the preview shows, as a test', async () => {
    const profile_id = await shop.customer(ADA, 'unsubscribed');
    const asked = { profile: { profile_id }, data: { order: 'A-1' } };
    const preview = (await shop.client.post<any>(`/v1/templates/${template}/render`, asked, { expect: 200 })).body;
    const { message_id, ...result } = await test(asked);
    expect(result).to.include({ outcome: 'accepted', response: 'Kept in the outbox', maybe_sent: true });
    const content = await shop.content(message_id);
    expect(content).to.include({ subject: '[Test] Hello Ada', html: preview.html, text: preview.text });
    expect(content.html).to.include('Your order A-1.').and.to.include('https://preview.invalid/unsubscribe');
    expect(header(content, 'To')).to.equal(ME);
    expect((await shop.client.get<any>('/v1/messages')).body.messages).to.deep.equal([]);
  });

  it('is of the draft, or of the version that it names, by the sender that it names', async () => {
    const { draft } = (await shop.client.get<any>(`/v1/templates/${template}`)).body;
    const update = { ...draft, revision: 1, body: `<p>Changed</p>${draft.body}` };
    await shop.client.send('PUT', `/v1/templates/${template}`, JSON.stringify(update), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    const bodyOf = async (more: object) => (await shop.content((await test(more)).message_id)).html as string;
    expect(await bodyOf({ sender_id: await outbox() })).to.include('Changed');
    expect(await bodyOf({ version: 1 })).not.to.include('Changed');
  });

  it('answers as the server does', async () => {
    expect(await test({ to: 'bounce@simulator.test' })).to.include({ outcome: 'refused', code: 550, message_id: null });
  });

  it('refuses where there would be no message, and what a preview or a test of a sender refuses', async () => {
    const strict = await shop.template({ required: ['data.code'] });
    expect(await refused({}, strict)).to.deep.equal([null, 'There is no message to send: There is no data.code']);
    expect(await refused({ version: 7 })).to.deep.equal(['version', 'version is not the number of a version']);
    expect((await refused({ profile: { external_id: 'nobody' } }))[0]).to.equal('profile');
    expect((await refused({ event: { id: UNKNOWN } }))[0]).to.equal('event.id');
    expect((await refused({ sender_id: UNKNOWN }))[0]).to.equal('sender_id');
    for (const to of ['a@b.example, c@d.example', 'A <a@b.example>', 'a@b.example\r\nRSET', '+49301234567']) {
      expect((await refused({ to }))[0], to).to.equal('to');
    }
  });

  it('is one of the tests that its sender may send in a day', async () => {
    const sender = await shop.relay(587, { settings: { host: 'smtp.relay.example', port: 587, security: 'starttls' } });
    await shop.query(`update sender set tested_on = current_date, tests = 50 where id = '${sender}'`);
    expect((await refused({ sender_id: sender }))[1]).to.include('tested 50 times today');
    await shop.query(
      `update sender set tests = 0, max_per_day = 5, sent_today = 5, day = current_date where id = '${sender}'`,
    );
    expect((await refused({ sender_id: sender }))[1]).to.include('max_per_day');
  });

  it('keeps to the channel of the template', async () => {
    const sms = await shop.template({ kind: 'sms', class: 'transactional', subject: '', body: 'Hello' });
    const relay = await shop.relay(587, { settings: { host: 'smtp.relay.example', port: 587, security: 'starttls' } });
    expect((await refused({ to: '+49301234567', sender_id: relay }, sms))[0]).to.equal('sender_id');
    expect((await refused({ sender_id: await outbox() }, sms))[0]).to.equal('to');
    const { message_id } = await test({ to: '+49301234567', sender_id: await outbox() }, sms);
    expect((await shop.content(message_id)).text).to.include('Hello');
  });

  it('needs a key that may send and may see what it says, and a template of the store', async () => {
    const post = async (scopes: readonly any[], expected: number) => {
      const { key } = await service.newKey({ storeId: shop.storeId, scopes: [...scopes] });
      await shop.client.as(key).post(`/v1/templates/${template}/test`, { to: ME }, { expect: expected });
    };
    const all = ['messages:send', 'messages:read', 'events:read', 'profiles:read'];
    await post(all, 200);
    for (const one of all) {
      await post(
        all.filter((scope) => scope !== one),
        403,
      );
    }
    await shop.client.as('unknown').post(`/v1/templates/${template}/test`, { to: ME }, { expect: 401 });
    await shop.client.post(`/v1/templates/${UNKNOWN}/test`, { to: ME }, { expect: 404 });
    const { client } = await Shop.open(service);
    await client.post(`/v1/templates/${template}/test`, { to: ME }, { expect: 404 });
  });
});
