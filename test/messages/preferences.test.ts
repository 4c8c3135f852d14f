import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

describe('The page of preferences', () => {
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let path: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    const body =
      '<p><a href="{{ unsubscribe_url }}">Unsubscribe</a> <a href="{{ preferences_url }}">Preferences</a></p>';
    const id = await shop.send(await shop.template({ body }), ADA);
    await shop.ended(id);
    [, path = ''] = /(\/m\/p\/[\w-]+)/.exec((await shop.content(id)).html) ?? [];
  });
  after(() => service.stop());

  const get = async () => await (await fetch(`${service.url}${path}`)).text();
  const post = (fields: readonly [string, string][] | string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, { method: 'POST', body: new URLSearchParams(fields as string), headers });
  const profile = async () => (await shop.client.get<any>(`/v1/profiles/${customer}`, { expect: 200 })).body;
  const consent = async () => (await profile()).consent;
  const history = async () =>
    (await shop.client.get<any>(`/v1/profiles/${customer}/consent/history`, { expect: 200 })).body.changes;
  const topic = async (name: string, more: object = {}) =>
    (await shop.client.post<any>('/v1/lists', { name, topic: true, ...more }, { expect: 201 })).body.id;
  const listsOfCustomer = async () =>
    (await shop.client.get<any>(`/v1/profiles/${customer}/lists`, { expect: 200 })).body.lists.map(({ id }: any) => id);
  const isTicked = (page: string, value: string) => {
    const [, ticked] = new RegExp(`<input type="checkbox" name="\\w+" value="${value}"( checked)?>`).exec(page) ?? [];
    return ticked !== undefined;
  };

  it('shows what the customer gets, and changes nothing by being opened', async () => {
    const sales = await topic('Sales 2026', { public_name: 'Sales & <offers>' });
    await shop.client.post('/v1/lists', { name: 'Internal' }, { expect: 201 });
    await shop.client.post(`/v1/lists/${sales}/members`, { members: [{ email: ADA }] }, { expect: 200 });
    const before = await history();
    const page = await get();
    expect(isTicked(page, 'email')).to.equal(true);
    expect(isTicked(page, sales)).to.equal(true);
    expect(page).to.include('Sales &amp; &lt;offers&gt;');
    expect(page).not.to.include('Internal').and.not.to.include('text message').and.not.to.include('<script');
    expect(await history()).to.deep.equal(before);
  });

  it('changes channels, and what was not shown stays as it is', async () => {
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA, phone: '+442079460958' } });
    expect(isTicked(await get(), 'sms')).to.equal(false);
    const saved = await post([
      ['shown', 'email'],
      ['shown', 'sms'],
      ['channel', 'sms'],
    ]);
    expect(saved.status).to.equal(200);
    const page = await saved.text();
    expect(page).to.include('Your preferences are saved');
    expect([isTicked(page, 'email'), isTicked(page, 'sms')]).to.deep.equal([false, true]);
    const { email, sms } = await consent();
    expect([email.status, sms.status]).to.deep.equal(['unsubscribed', 'subscribed']);
    expect([email.source, sms.source]).to.deep.equal(['message', 'message']);
    await post([
      ['shown', 'email'],
      ['channel', 'email'],
    ]);
    expect((await consent()).sms.status).to.equal('subscribed');
  });

  it('lets the customer join and leave topics, and stay subscribed to e-mail', async () => {
    const [sales, news] = [await topic('Sales'), await topic('News')];
    await shop.client.post(`/v1/lists/${sales}/members`, { members: [{ email: ADA }] }, { expect: 200 });
    const shown: [string, string][] = ['email', sales, news].map((value) => ['shown', value]);
    const page = await (await post([...shown, ['channel', 'email'], ['topic', news]])).text();
    expect([isTicked(page, sales), isTicked(page, news)]).to.deep.equal([false, true]);
    expect(await listsOfCustomer()).to.deep.equal([news]);
    const { email } = await consent();
    expect(email.status).to.equal('subscribed');
    expect(email.lists.map(({ id, status }: any) => [id, status])).to.have.deep.members([
      [sales, 'unsubscribed'],
      [news, 'subscribed'],
    ]);
  });

  it('records nothing where nothing is chosen otherwise', async () => {
    const before = await history();
    await post([
      ['shown', 'email'],
      ['channel', 'email'],
    ]);
    expect(await history()).to.deep.equal(before);
  });

  it('unsubscribes from everything by one button', async () => {
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA, phone: '+442079460958' } });
    const sales = await topic('Sales');
    await shop.client.post(`/v1/lists/${sales}/members`, { members: [{ email: ADA }] }, { expect: 200 });
    const page = await (await post([['all', 'none']])).text();
    expect(page).to.include('You are unsubscribed').and.to.include(path.slice(0, '/m/p/'.length));
    expect((await consent()).email.status).to.equal('unsubscribed');
    // Once, and with the message, as by the link to unsubscribe.
    await post([['all', 'none']]);
    const { events } = (await shop.client.get<any>('/v1/events?event_type=email_unsubscribed', { expect: 200 })).body;
    expect(events).to.have.length(1);
    expect(events[0].properties.message_id).to.be.a('string');
    expect(await listsOfCustomer()).to.deep.equal([]);
    expect(isTicked(await get(), sales)).to.equal(false);
    expect((await shop.ended(await shop.send(await shop.template(), ADA))).reason).to.equal('unsubscribed');
  });

  it('offers the languages that messages are in, and keeps the one that is chosen', async () => {
    expect(await get()).not.to.include('<select');
    await shop.template({ translations: { de: { subject: 'Hallo' }, 'pt-BR': { subject: 'Olá' } } });
    const page = await get();
    expect(page).to.include('<option value="" selected>As it is</option>').and.to.include('>Deutsch</option>');
    await post([
      ['shown', 'email'],
      ['channel', 'email'],
      ['language', 'de'],
    ]);
    expect((await profile()).attributes.locale).to.equal('de');
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA }, attributes: { locale: 'de-AT' } });
    expect(await get()).to.include('<option value="de" selected>');
    await post([
      ['shown', 'email'],
      ['channel', 'email'],
      ['language', 'de'],
    ]);
    expect((await profile()).attributes.locale).to.equal('de-AT');
  });

  it('says that nothing is sent to an address that is suppressed, which a choice does not lift', async () => {
    await shop.client.post('/v1/suppressed-addresses', { addresses: [ADA], reason: 'complaint' }, { expect: 200 });
    expect(await get()).to.include('Nothing is sent to your e-mail address');
    await post([
      ['shown', 'email'],
      ['channel', 'email'],
    ]);
    expect((await shop.ended(await shop.send(await shop.template(), ADA))).reason).to.equal('address_suppressed');
  });

  it('takes nothing but its form', async () => {
    const before = await history();
    const answers = [
      await post(''),
      await post([['channel', 'email']]),
      await post([
        ['shown', 'email'],
        ['language', 'tlh'],
      ]),
      await post([['shown', 'x'.repeat(20_000)]]),
      await post('shown=email', { 'Content-Type': 'text/plain' }),
    ];
    for (const answer of answers) {
      expect(answer.status).to.equal(400);
      expect(await answer.text()).to.include('Please choose again');
    }
    expect(
      (
        await post([
          ['shown', '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03'],
          ['topic', 'nothing'],
        ])
      ).status,
    ).to.equal(200);
    expect(await history()).to.deep.equal(before);
  });

  it('says so to somebody whom the shop does not know any more', async () => {
    await service.database.query(`delete from profile where store_id = '${shop.storeId}'`);
    expect(await get()).to.include('This shop does not know you any more');
    expect((await post([['all', 'none']])).status).to.equal(200);
  });
});
