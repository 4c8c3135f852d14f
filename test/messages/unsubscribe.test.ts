import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { header, pathIn, Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

describe('The links of a message', () => {
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let unsubscribe: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    const id = await shop.send(await shop.template(), ADA);
    await shop.ended(id);
    unsubscribe = pathIn(header(await shop.content(id), 'List-Unsubscribe'));
  });
  after(() => service.stop());

  const open = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
  const statusOf = async () => (await shop.client.get<any>(`/v1/profiles/${customer}`)).body.consent.email.status;

  it('are those of RFC 8058 in the header, and in the text', async () => {
    const { messages } = (await shop.client.get<any>('/v1/messages')).body;
    const content = await shop.content(messages[0].id);
    expect(header(content, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    expect(content.html).to.include(`${unsubscribe}"`);
  });

  it('change nothing by being opened', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await open(unsubscribe, { method });
      expect(response.status).to.equal(200);
      expect(response.headers.get('x-robots-tag')).to.include('noindex');
    }
    expect(await statusOf()).to.equal('subscribed');
  });

  it('unsubscribe by a POST, without a redirect or a cookie, however often', async () => {
    for (let i = 0; i < 2; i += 1) {
      const response = await open(unsubscribe, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(response.status).to.equal(200);
      expect(response.headers.get('set-cookie')).to.equal(null);
    }
    expect(await statusOf()).to.equal('unsubscribed');
    const { changes } = (await shop.client.get<any>(`/v1/profiles/${customer}/consent/history`)).body;
    expect(changes[0]).to.include({ kind: 'unsubscribed', source: 'message' });
    const { events } = (await shop.client.get<any>(`/v1/profiles/${customer}/events`)).body;
    expect(events.map((event: any) => event.event_type)).to.deep.equal(['email_unsubscribed']);
    const again = await shop.send(await shop.template(), ADA);
    expect(await shop.ended(again)).to.include({ status: 'skipped', reason: 'unsubscribed' });
  });

  it('lead to preferences, where one subscribes again', async () => {
    const page = await (await open(unsubscribe, { method: 'POST' })).text();
    const [, preferences = ''] = /href="(\/m\/p\/[\w-]+)"/.exec(page) ?? [];
    expect((await open(preferences)).status).to.equal(200);
    expect(await statusOf()).to.equal('unsubscribed');
    const body = new URLSearchParams({ shown: 'email', channel: 'email' });
    expect((await open(preferences, { method: 'POST', body })).status).to.equal(200);
    expect(await statusOf()).to.equal('subscribed');
  });

  it('show a message that was kept, as a document that can do nothing', async () => {
    const body = '<p>Seen</p><a href="{{ view_url }}">View</a> <a href="{{ unsubscribe_url }}">Unsubscribe</a>';
    const id = await shop.send(await shop.template({ body }), ADA);
    await shop.ended(id);
    const [, view = ''] = /(\/m\/v\/[\w-]+)/.exec((await shop.content(id)).html) ?? [];
    const response = await open(view);
    expect(await response.text()).to.include('<p>Seen</p>');
    expect(response.headers.get('content-security-policy')).to.match(/^sandbox; default-src 'none'/);
    expect((await open(view.slice(0, -1))).status).to.equal(404);
  });

  it('show a message that was not kept as it is for the customer today, as long as it is known', async () => {
    const body =
      '<p>{{ profile.attributes.first_name }}, {{ data.order }}</p><a href="{{ view_url }}">View</a> <a href="{{ unsubscribe_url }}">Unsubscribe</a>';
    const id = await shop.send(await shop.template({ body }), ADA, { data: { order: 'A-1' } });
    await shop.ended(id);
    const [, view = ''] = /(\/m\/v\/[\w-]+)/.exec((await shop.content(id)).html) ?? [];
    await shop.query(`delete from outbox_message where store_id = '${shop.storeId}'`);
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA }, attributes: { first_name: '<Ada>' } });
    const response = await open(view);
    const page = await response.text();
    expect(page).to.include('<p>&lt;Ada&gt;, A-1</p>');
    expect(page).to.match(/"[^"]+\/m\/u\/[\w-]+"/);
    expect(response.headers.get('content-security-policy')).to.match(/^sandbox; default-src 'none'/);
    await shop.query(`update message set status = 'skipped' where id = '${id}'`);
    expect((await open(view)).status).to.equal(404);
    await shop.query(`delete from message where id = '${id}'`);
    expect((await open(view)).status).to.equal(404);
  });

  it('are of no use when they are cut, altered, or used for something else', async () => {
    const token = unsubscribe.slice('/m/u/'.length);
    const altered = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    for (const path of [
      `/m/u/${token.slice(0, -1)}`,
      `/m/u/${altered}`,
      `/m/p/${token}`,
      `/m/u/${'a'.repeat(3_000)}`,
    ]) {
      const response = await open(path, { method: 'POST' });
      expect(response.status, path).to.equal(404);
      expect(response.headers.get('content-type')).to.include('text/html');
    }
    expect(await statusOf()).to.equal('subscribed');
  });

  it('work for a message that is deleted', async () => {
    await service.database.query(`delete from message where store_id = '${shop.storeId}'`);
    expect((await open(unsubscribe, { method: 'POST' })).status).to.equal(200);
    expect(await statusOf()).to.equal('unsubscribed');
  });
});
