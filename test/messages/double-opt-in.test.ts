import { expect } from 'chai';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { USUAL_DRAFT } from '../support/templates.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

describe('Double opt-in of a list', () => {
  let service: TestService;
  let shop: Shop;
  let list: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    list = await newList();
  });
  after(() => service.stop());

  const newList = async (more: object = {}): Promise<string> => {
    const body = { name: 'Internal name', public_name: 'News <weekly>', opt_in: 'double', ...more };
    return (await shop.client.post<any>('/v1/lists', body, { expect: 201 })).body.id;
  };
  const job = (emails: readonly string[], { listId = list, consent = {}, ...more }: any = {}) => ({
    data: {
      type: 'profile-subscription-bulk-create-job',
      attributes: {
        custom_source: 'Footer',
        ...more,
        profiles: {
          data: emails.map((email) => ({
            type: 'profile',
            attributes: { email, subscriptions: { email: { marketing: { consent: 'SUBSCRIBED', ...consent } } } },
          })),
        },
      },
      relationships: { list: { data: { type: 'list', id: listId } } },
    },
  });
  const subscribe = async (emails: readonly string[], more: object = {}, expected = 202) =>
    (
      await shop.client.post<any>('/compat/v1/api/profile-subscription-bulk-create-jobs', job(emails, more), {
        expect: expected,
      })
    ).body;
  const unsubscribe = async (email: string) => {
    const { data } = job([email], { consent: { consent: 'UNSUBSCRIBED' } });
    const type = 'profile-subscription-bulk-delete-job';
    await shop.client.post(
      '/compat/v1/api/profile-subscription-bulk-delete-jobs',
      { data: { ...data, type } },
      {
        expect: 202,
      },
    );
  };
  const profileOf = async (email: string) => {
    const { profiles } = (await shop.client.get<any>(`/v1/profiles?email=${encodeURIComponent(email)}`)).body;
    return (await shop.client.get<any>(`/v1/profiles/${profiles[0].id}`, { expect: 200 })).body;
  };
  const consentOf = async (email: string) => (await profileOf(email)).consent.email;
  const historyOf = async (email: string) =>
    (await shop.client.get<any>(`/v1/profiles/${(await profileOf(email)).id}/consent/history`, { expect: 200 })).body
      .changes;
  const membersOf = async (id: string) =>
    (await shop.client.get<any>(`/v1/lists/${id}/members`, { expect: 200 })).body.members.length;
  const messagesTo = async (email: string): Promise<any[]> =>
    (await shop.client.get<any>(`/v1/profiles/${(await profileOf(email)).id}/messages`, { expect: 200 })).body.messages;
  const contentTo = async (email: string) => {
    const [{ id }] = (await messagesTo(email)) as [any];
    await shop.ended(id);
    return await shop.content(id);
  };
  const linkIn = ({ html }: { html: string }) => `${service.url}${/(\/m\/confirm\/[\w-]+)/.exec(html)?.[1]}`;
  const titleOf = async (response: Response) => /<h1>(.*)<\/h1>/.exec(await response.text())?.[1];
  const open = async (link: string) => await titleOf(await fetch(link));
  const press = async (link: string) => await titleOf(await fetch(link, { method: 'POST' }));
  const age = (interval: string) =>
    shop.query(`update list_confirmation set asked_at = asked_at - interval '${interval}' where list_id = '${list}'`);

  it('asks who is subscribed to it, who is neither subscribed nor in it until they have confirmed', async () => {
    await subscribe([ADA]);
    const { status, lists, unconfirmed } = await consentOf(ADA);
    expect([status, lists, await membersOf(list)]).to.deep.equal(['never', [], 0]);
    expect(unconfirmed.map(({ list_id }: any) => list_id)).to.deep.equal([list]);
    const [asked] = await historyOf(ADA);
    expect(asked).to.include({ kind: 'subscribed', applied: false, reason: 'CONFIRMATION_ASKED', source: 'Footer' });

    const content = await contentTo(ADA);
    const [message] = await messagesTo(ADA);
    expect(message).to.include({ class: 'transactional', template_id: null, template_version: null, status: 'sent' });
    expect(content.text).to.include('/m/confirm/');
    const link = linkIn(content);
    const page = await (await fetch(link)).text();
    expect(page).to.include('News &lt;weekly&gt;').and.not.to.include('Internal name').and.not.to.include('<script');
    expect((await consentOf(ADA)).status).to.equal('never');

    expect(await press(link)).to.equal('You are subscribed');
    const consent = await consentOf(ADA);
    expect(consent).to.include({ status: 'subscribed', source: 'Footer' });
    expect(consent).not.to.have.property('unconfirmed');
    expect(consent.lists.map((one: any) => [one.id, one.status])).to.deep.equal([[list, 'subscribed']]);
    expect(Date.parse(consent.changed_at)).to.be.greaterThan(Date.parse(asked.changed_at));
    const [confirmed] = await historyOf(ADA);
    expect(confirmed).to.include({ kind: 'subscribed', applied: true, reason: 'CONFIRMED' });
    expect(await membersOf(list)).to.equal(1);
    const before = await historyOf(ADA);
    expect([await open(link), await press(link)]).to.deep.equal(['You are subscribed', 'You are subscribed']);
    expect(await historyOf(ADA)).to.deep.equal(before);
  });

  it('asks by a template of the store, which has to be transactional and to have the link', async () => {
    const html = (body: string) => ({ subject: 'Really, {{ data.list.name }}?', body, class: 'transactional' });
    const link = '<p><a href="{{ data.confirm_url }}">Yes</a></p>';
    const template = await shop.template(html(link));
    const other = await newList({ confirmation_template_id: template });
    await subscribe([ADA], { listId: other });
    const content = await contentTo(ADA);
    expect(content.subject).to.equal('Really, News <weekly>?');
    expect(await press(linkIn(content))).to.equal('You are subscribed');
    expect(await membersOf(other)).to.equal(1);

    const refused = [
      await shop.template({ subject: 'M', body: `${link}<a href="{{ unsubscribe_url }}">Unsubscribe</a>` }),
      await shop.template(html('<p>Hello</p>')),
      '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03',
      'x',
    ];
    for (const confirmation_template_id of refused) {
      const body = { name: 'N', opt_in: 'double', confirmation_template_id };
      const answer = await shop.client.post<any>('/v1/lists', body, { expect: 400 });
      expect(answer.body.error.field).to.equal('confirmation_template_id');
    }
    const draft = {
      ...{ ...USUAL_DRAFT, name: 'Without', kind: 'html', revision: 1 },
      ...{ ...html('<p>Hello</p>'), text: 'By {{ data.confirm_url }}' },
    };
    const changed = await shop.client.send<any>('PUT', `/v1/templates/${template}`, JSON.stringify(draft), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await shop.client.post(`/v1/templates/${template}/publish`, { revision: changed.body.revision }, { expect: 200 });
    await subscribe(['grace@shop.example'], { listId: other });
    expect((await contentTo('grace@shop.example')).subject).to.include('Please confirm');
    await shop.client.post(`/v1/templates/${template}/archive`, {}, { expect: 200 });
    await subscribe(['joan@shop.example'], { listId: other });
    expect((await contentTo('joan@shop.example')).subject).to.include('Please confirm');
  });

  it('is not asked of those who are subscribed, nor where consent was given in the past', async () => {
    await shop.customer(ADA);
    await subscribe([ADA]);
    await subscribe(['grace@shop.example'], {
      historical_import: true,
      consent: { consented_at: '2025-03-01T12:00:00Z' },
    });
    expect(await membersOf(list)).to.equal(2);
    expect(await messagesTo(ADA)).to.deep.equal([]);
    expect((await consentOf('grace@shop.example')).status).to.equal('subscribed');
    await shop.client.post(`/v1/lists/${list}/members`, { members: [{ email: ADA }] }, { expect: 200 });
  });

  it('is not asked of those who choose the list on the page that a message has led them to', async () => {
    const topic = await newList({ topic: true });
    const customer = await shop.customer(ADA, 'unsubscribed');
    const body = '<p><a href="{{ preferences_url }}">Choose</a></p>';
    const id = await shop.send(await shop.template({ body, class: 'transactional' }), ADA);
    await shop.ended(id);
    const [, path] = /(\/m\/p\/[\w-]+)/.exec((await shop.content(id)).html) ?? [];
    const form = new URLSearchParams([
      ['shown', topic],
      ['topic', topic],
    ]);
    await fetch(`${service.url}${path}`, { method: 'POST', body: form });
    const { lists } = (await shop.client.get<any>(`/v1/profiles/${customer}`, { expect: 200 })).body.consent.email;
    expect(lists.map((one: any) => [one.id, one.status])).to.deep.equal([[topic, 'subscribed']]);
    expect(await messagesTo(ADA)).to.have.length(1);
  });

  it('concerns e-mail alone: a number is subscribed at once', async () => {
    const { data } = job([ADA]);
    const [profile] = data.attributes.profiles.data as [any];
    profile.attributes.phone_number = '+442079460958';
    profile.attributes.subscriptions.sms = { marketing: { consent: 'SUBSCRIBED' } };
    await shop.client.post('/compat/v1/api/profile-subscription-bulk-create-jobs', { data }, { expect: 202 });
    const { consent } = await profileOf(ADA);
    expect([consent.email.status, consent.sms.status]).to.deep.equal(['never', 'subscribed']);
    expect(consent.email.unconfirmed).to.have.length(1);
    expect(await membersOf(list)).to.equal(0);
  });

  it('is of no more interest for a list that the customer has joined by other means', async () => {
    await subscribe([ADA]);
    await shop.client.post(`/v1/lists/${list}/members`, { members: [{ email: ADA }] }, { expect: 200 });
    expect(await consentOf(ADA)).not.to.have.property('unconfirmed');
  });

  it('asks who subscribes on a page, with a public key', async () => {
    const { key } = await service.newKey({ storeId: shop.storeId, scopes: ['client:write'] });
    const { profiles: _, ...attributes } = job([]).data.attributes;
    const body = {
      data: {
        type: 'subscription',
        attributes: { ...attributes, profile: { data: { type: 'profile', attributes: { email: ADA } } } },
        relationships: { list: { data: { type: 'list', id: list } } },
      },
    };
    const response = await fetch(`${service.url}/compat/v1/client/subscriptions?company_id=${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).to.equal(202);
    expect((await consentOf(ADA)).unconfirmed).to.have.length(1);
    expect(await press(linkIn(await contentTo(ADA)))).to.equal('You are subscribed');
  });

  it('asks nobody twice within ten minutes for a list, nor more than five times in a day', async () => {
    for (let i = 0; i < 3; i += 1) await subscribe([ADA, ADA]);
    expect(await messagesTo(ADA)).to.have.length(1);
    await age('11 minutes');
    await subscribe([ADA]);
    expect(await messagesTo(ADA)).to.have.length(2);
    for (let i = 0; i < 4; i += 1) await subscribe([ADA], { listId: await newList() });
    expect(await messagesTo(ADA)).to.have.length(5);
    expect((await consentOf(ADA)).unconfirmed).to.have.length(4);
    await age('1 day');
    await subscribe([ADA]);
    expect(await messagesTo(ADA)).to.have.length(6);
  });

  it('asks 5,000 customers of a store in an hour at most: what is more is refused, and nothing of it stored', async () => {
    await shop.query(`
      insert into list_confirmation (store_id, message_id, profile_id, list_id, asked_at)
      select '${shop.storeId}', gen_random_uuid(), gen_random_uuid(), '${list}', now() from generate_series(1, 4999)`);
    const { errors } = await subscribe([ADA, 'grace@shop.example'], {}, 429);
    expect(errors[0].detail).to.include('5,000');
    expect((await shop.client.get<any>(`/v1/profiles?email=${ADA}`)).body.profiles).to.deep.equal([]);
    await subscribe([ADA]);
    expect(await messagesTo(ADA)).to.have.length(1);
  });

  it('does not write to suppressed addresses', async () => {
    await shop.client.post('/v1/suppressed-addresses', { addresses: [ADA] }, { expect: 200 });
    await subscribe([ADA]);
    const [{ id }] = (await messagesTo(ADA)) as [any];
    expect(await shop.ended(id)).to.include({ status: 'skipped', reason: 'address_suppressed' });
  });

  it('lets an opt-out since win over the link, and asks anew whoever subscribes again', async () => {
    await subscribe([ADA]);
    const first = linkIn(await contentTo(ADA));
    await unsubscribe(ADA);
    expect([await open(first), await press(first)]).to.deep.equal(['You have unsubscribed', 'You have unsubscribed']);
    const { status, ...rest } = await consentOf(ADA);
    expect(status).to.equal('unsubscribed');
    expect(rest).not.to.have.property('unconfirmed');
    await age('11 minutes');
    await subscribe([ADA]);
    await until(async () => (await messagesTo(ADA)).length === 2, 'they are asked again');
    const second = linkIn(await contentTo(ADA));
    expect(await press(first)).to.equal('You have unsubscribed');
    expect(await press(second)).to.equal('You are subscribed');
    expect((await consentOf(ADA)).status).to.equal('subscribed');
  });

  it('has links that end after seven days, and prove no other address than that which they were sent to', async () => {
    await subscribe([ADA]);
    const link = linkIn(await contentTo(ADA));
    const id = (await profileOf(ADA)).id;
    await shop.query(`update profile set email = 'ada@other.example' where id = '${id}'`);
    expect(await press(link)).to.equal('This link is too old');
    await shop.query(`update profile set email = '${ADA}' where id = '${id}'`);
    await age('8 days');
    expect([await open(link), await press(link)]).to.deep.equal(['This link is too old', 'This link is too old']);
    expect(await consentOf(ADA))
      .to.include({ status: 'never' })
      .and.not.to.have.property('unconfirmed');
    await shop.query(`delete from list_confirmation where list_id = '${list}'`);
    expect(await press(link)).to.equal('This link is too old');
  });

  it('has links that work when the message is long gone, and when the list asks no more', async () => {
    await subscribe([ADA]);
    const link = linkIn(await contentTo(ADA));
    await shop.query(`delete from message where store_id = '${shop.storeId}'`);
    await shop.client.send('PATCH', `/v1/lists/${list}`, JSON.stringify({ opt_in: 'single' }), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(await press(link)).to.equal('You are subscribed');
    expect(await membersOf(list)).to.equal(1);
  });

  it('has links that nobody can make or bend', async () => {
    await subscribe([ADA]);
    const link = linkIn(await contentTo(ADA));
    const token = link.slice(link.lastIndexOf('/') + 1);
    const bent = [
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      `${token.slice(0, -2)}AA`,
      token.slice(0, -1),
      `${token}A`,
      '%00',
    ];
    for (const one of bent) {
      for (const method of ['GET', 'POST']) {
        const { status } = await fetch(`${service.url}/m/confirm/${one}`, { method });
        expect(status, `${method} ${one}`).to.equal(404);
      }
    }
    // Of another kind, it is as good as none.
    expect((await fetch(`${service.url}/m/u/${token}`, { method: 'POST' })).status).to.equal(404);
    expect((await consentOf(ADA)).status).to.equal('never');
  });

  it('asks at the hands of who may send messages alone', async () => {
    const client = await service.client({ scopes: ['audiences:write', 'audiences:read'] });
    await client.post('/v1/lists', { name: 'N', opt_in: 'double' }, { expect: 403 });
    await client.post('/v1/lists', { name: 'N', opt_in: 'single' }, { expect: 201 });
    await client.post('/v1/lists', { name: 'N', opt_in: 'triple' }, { expect: 400 });
  });

  it('asks by another sender where the default one is for marketing, and by that if there is none', async () => {
    const settings = { host: 'smtp.relay.example', port: 465, security: 'tls' };
    const marketing = await shop.relay(465, { class: 'marketing', settings });
    await saveMessageSettings(shop.client, { default_sender_id: marketing }, 200);
    await subscribe([ADA]);
    expect((await messagesTo(ADA))[0].sender_id).to.equal(marketing);
    const other = await shop.relay(465, { class: 'transactional', settings });
    await subscribe(['grace@shop.example']);
    expect((await messagesTo('grace@shop.example'))[0].sender_id).to.equal(other);
  });

  it('leaves half of what its sender may send in a day to other messages', async () => {
    const settings = { host: 'smtp.relay.example', port: 465, security: 'tls' };
    const sender = await shop.relay(465, { settings, max_per_day: 3 });
    await saveMessageSettings(shop.client, { default_sender_id: sender }, 200);
    await subscribe([ADA, 'grace@shop.example']);
    const { errors } = await subscribe(['joan@shop.example'], {}, 429);
    expect(errors[0].detail).to.include('half of what its sender may send');
  });
});
