import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const profile = (attributes: object, meta?: object) => ({ type: 'profile', attributes, meta });
const event = (attributes: object, more: object = {}, name = 'Viewed Product') => ({
  data: {
    type: 'event',
    attributes: {
      metric: { data: { type: 'metric', attributes: { name } } },
      profile: { data: profile(attributes) },
      properties: { product_id: 'prod_77' },
      ...more,
    },
  },
});
const waiting = (id: string, attributes: object = { email: 'ada@example.com' }) => ({
  data: {
    type: 'back-in-stock-subscription',
    attributes: { channels: ['EMAIL'], profile: { data: profile(attributes) } },
    relationships: { variant: { data: { type: 'catalog-variant', id } } },
  },
});
const subscription = (attributes: object, more: object = {}) => ({
  data: { type: 'subscription', attributes: { profile: { data: profile(attributes) } }, ...more },
});

describe('What pages and apps send, with a public key', () => {
  let service: TestService;
  /** It sends what a page sends with a public key of the store, and reads with a secret one. */
  let client: Client;
  let page: Client;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=700,partner=100000,three=3' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    const { key, storeId } = await service.newKey();
    client = new Client(service.url, key);
    page = new Client(service.url, (await service.newKey({ storeId, scopes: ['client:write'] })).key);
  });

  const send = (name: string, body: unknown, status = 202) =>
    page.post(`/compat/v1/client/${name}`, body, { expect: status });
  const events = async () => (await client.get('/v1/events', { expect: 200 })).body.events;
  const profiles = async () => (await client.get('/v1/profiles', { expect: 200 })).body.profiles;
  const profileOf = async (email: string) => {
    const { body } = await client.get(`/v1/profiles?email=${encodeURIComponent(email)}`, { expect: 200 });
    return body.profiles[0];
  };
  const upsert = async (identifiers: object, attributes = {}) =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes })).body;

  describe('POST /compat/v1/client/back-in-stock-subscriptions', () => {
    const PATH = 'back-in-stock-subscriptions';
    const subscriptions = async () =>
      (await client.get('/v1/catalog/subscriptions', { expect: 200 })).body.subscriptions as any[];
    const shown = async () =>
      (await subscriptions()).map(({ item_id, variant_id, kind, from_client }) => [
        item_id,
        variant_id,
        kind,
        from_client,
      ]);

    beforeEach(async () => {
      const items = [
        { id: 'tea', title: 'Tea', variants: [{ id: 'tea-s', stock: 0 }] },
        { id: 'pot', title: 'Pot', stock: 0 },
        { id: 'secret', title: 'Secret', status: 'hidden', variants: [{ id: 'secret-s' }] },
      ];
      await client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
    });

    it('has a customer wait for a variant, or for an item, who consents to nothing by it', async () => {
      await send(PATH, waiting('tea-s'));
      await send(PATH, waiting('$custom:::$default:::pot'));
      await send(PATH, waiting('tea-s'));
      expect(await shown()).to.deep.equal([
        ['pot', null, 'back_in_stock', true],
        ['tea', 'tea-s', 'back_in_stock', true],
      ]);
      const { id } = await profileOf('ada@example.com');
      expect((await subscriptions()).map((one) => one.profile_id)).to.deep.equal([id, id]);
      const { body } = await client.get(`/v1/profiles/${id}/consent/history`, { expect: 200 });
      expect(body.changes).to.deep.equal([]);
    });

    it('answers the same whatever the catalog has, and shows nothing of what is not published', async () => {
      const answers = ['tea-s', 'secret', 'secret-s', 'none'].map((id) => send(PATH, waiting(id)));
      const bodies = (await Promise.all(answers)).map(({ body }) => body);
      expect(new Set(bodies)).to.deep.equal(new Set(['']));
      expect((await shown()).map(([id]) => id)).to.deep.equal(['tea']);
    });

    it('changes nothing that the store has written down, nor adds more than a hundred', async () => {
      const { id } = await upsert({ email: 'ada@example.com' });
      const own = { profile: { email: 'ada@example.com' }, variant_id: 'tea-s', kind: 'back_in_stock' };
      const { body } = await client.post('/v1/catalog/subscriptions', own, { expect: 201 });
      await send(PATH, waiting('tea-s'));
      expect(await subscriptions()).to.deep.equal([body]);
      await service.database.query(`
        insert into catalog_subscription (store_id, id, item_id, kind, profile_id, from_client, created_at)
        select store_id, gen_random_uuid(), 'item ' || n, 'back_in_stock', profile_id, true, now()
        from catalog_subscription, generate_series(1, 99) n where profile_id = '${id}'`);
      await send(PATH, waiting('pot'));
      expect((await shown()).filter(([item]) => item === 'pot')).to.deep.equal([]);
    });

    it('is refused without anybody', async () => {
      await send(PATH, waiting('tea-s', {}), 400);
      await send(PATH, waiting(''), 400);
    });
  });

  describe('POST /compat/v1/client/events', () => {
    it('records an event of a new visitor, which says that a client sent it', async () => {
      await send('events', event({ anonymous_id: 'visitor' }, { value: 12.5, time: '2026-11-20T09:15:27Z' }));
      const [recorded] = await events();
      expect(recorded).to.deep.include({
        event_type: 'viewed_product',
        properties: { product_id: 'prod_77', value: 12.5 },
        occurred_at: '2026-11-20T09:15:27.000Z',
        from_client: true,
      });
      const { body } = await client.get(`/v1/events/${recorded.id}`, { expect: 200 });
      expect(body).to.deep.equal(recorded);
    });

    it('does not mark what a server sends', async () => {
      await client.post('/compat/v1/events', event({ email: 'ada@example.com' }, { properties: { client: true } }));
      await client.post('/v1/events', { event_type: 'seen', profile: { email: 'ada@example.com' } });
      for (const one of await events()) expect(one).not.to.have.property('from_client');
    });

    it('records it for a customer who is known, changes their attributes, and leaves their identifiers', async () => {
      const { id, identifiers } = await upsert({ email: 'ada@example.com' }, { tier: 'gold' });
      const given = { email: 'ada@example.com', phone_number: '+12025550123', anonymous_id: 'v', first_name: 'Ada' };
      await send('events', event(given));
      const [recorded] = await events();
      expect(recorded.profile_id).to.equal(id);
      expect(await profileOf('ada@example.com')).to.deep.include({
        identifiers,
        attributes: { tier: 'gold', first_name: 'Ada' },
      });
      expect((await client.get('/v1/profiles?phone=%2B12025550123')).body.profiles).to.deep.equal([]);
    });

    it('goes by the strongest identifier alone: a visitor who gives an address becomes a customer', async () => {
      await send('events', event({ anonymous_id: 'visitor' }));
      await send('events', event({ anonymous_id: 'visitor', email: 'lin@example.com' }));
      const [second, first] = await events();
      expect(second.profile_id).not.to.equal(first.profile_id);
      expect((await profileOf('lin@example.com')).id).to.equal(second.profile_id);
      await send('events', event({ anonymous_id: 'visitor' }));
      expect((await events())[0].profile_id).to.equal(first.profile_id);
    });

    it('never takes an address from its owner, nor drops or adds one', async () => {
      const ada = await upsert({ email: 'ada@example.com' });
      const patch_identifiers = { append: { email: 'more@example.com' }, unappend: { email: 'ada@example.com' } };
      await send('events', event({ email: 'stranger@example.com', phone_number: '+12025550123' }));
      await send('events', event({ email: 'ada@example.com', meta: { patch_identifiers } }));
      const [last, first] = await events();
      expect(last.profile_id).to.equal(ada.id);
      expect(first.profile_id).not.to.equal(ada.id);
      expect((await profileOf('ada@example.com')).id).to.equal(ada.id);
      expect(await profileOf('more@example.com')).to.equal(undefined);
    });

    it('finds a customer by an external_id, and gives none: the shop still can', async () => {
      const { id } = await upsert({ external_id: 'cust_1', email: 'ada@example.com' });
      await send('events', event({ external_id: 'cust_1', email: 'other@example.com' }));
      for (const external_id of ['cust_2', 'cust_2']) await send('events', event({ external_id }));
      await send('events', event({ external_id: 'cust_3', email: 'lin@example.com' }));
      const [withAddress, second, first, known] = (await events()).map(
        ({ profile_id }: { profile_id: string }) => profile_id,
      );
      expect(known).to.equal(id);
      expect(second).to.equal(first);
      const given = { external_id: 'cust_3', email: 'lin@example.com' };
      const { body } = await client.post(
        '/v1/profiles/upsert',
        { identifiers: given, attributes: {} },
        { expect: 200 },
      );
      expect(body.id).to.equal(withAddress);
      await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'cust_2' } }, { expect: 201 });
      expect(await profileOf('other@example.com')).to.equal(undefined);
    });

    it('ignores an id, which alone identifies nobody here', async () => {
      const { id } = await upsert({ email: 'ada@example.com' });
      for (const known of [id, 'nobody']) {
        const document = event({ email: 'lin@example.com' });
        Object.assign(document.data.attributes.profile.data, { id: known });
        await send('events', document);
        expect((await events())[0].profile_id).not.to.equal(id);
        const { body } = await send('profiles', { data: { ...profile({}), id: known } }, 400);
        expect(body.errors[0].source).to.deep.equal({ pointer: '/data/attributes' });
      }
    });

    it('answers the same whatever is stored: no customer, one without attributes, or one with all there can be', async () => {
      const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`stored_${i}`, i]));
      await upsert({ email: 'empty@example.com' });
      await upsert({ email: 'full@example.com' }, { ...many, stored_0: ['a'] });
      const bodies = [
        { properties: many },
        { properties: { more: 1 } },
        { first_name: 'Lin' },
        { meta: { patch_properties: { append: { stored_0: Array.from({ length: 4000 }, (_, i) => i) } } } },
        { meta: { patch_properties: { append: { stored_0: 'a' }, unappend: { stored_0: 'a' }, unset: 'stored_1' } } },
      ];
      for (const attributes of bodies) {
        for (const email of ['nobody@example.com', 'empty@example.com', 'full@example.com']) {
          for (const [name, body] of [
            ['events', event({ email, ...attributes })],
            ['profiles', { data: profile({ email, ...attributes }) }],
          ] as const) {
            const answer = await send(name, body);
            expect([answer.body, answer.headers['content-length']]).to.deep.equal(['', '0']);
          }
        }
      }
      expect(await events()).to.have.length(15);
    });

    it('leaves room in the attributes for the shop', async () => {
      await upsert({ email: 'ada@example.com' }, { tags: ['vip'], tier: 'gold' });
      const set = (properties: object) => send('events', event({ email: 'ada@example.com', properties }));
      await set(Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`p${i}`, i])));
      await set({ large: 'x'.repeat(60_000) });
      await set({ larger: 'x'.repeat(10_000) });
      await set({ tier: 'silver' });
      const append = { tags: Array.from({ length: 101 }, (_, i) => i) };
      await send('events', event({ email: 'ada@example.com', meta: { patch_properties: { append } } }));
      expect(await events()).to.have.length(5);
      const { attributes } = await profileOf('ada@example.com');
      expect(Object.keys(attributes)).to.have.members(['tags', 'tier', 'large']);
      expect(attributes).to.deep.include({ tags: ['vip'], tier: 'silver' });
      const own = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`own_${i}`, i]));
      await client.post(
        '/v1/profiles/upsert',
        { identifiers: { email: 'ada@example.com' }, attributes: own },
        { expect: 200 },
      );
      await set({ own_1: 'changed' });
      expect((await profileOf('ada@example.com')).attributes.own_1).to.equal('changed');
    });

    it('refuses the names of metrics beyond 500 a day, and goes on with those that there were', async () => {
      const item = (i: number) => ({
        type: 'event',
        attributes: { metric: { data: { type: 'metric', attributes: { name: `Metric ${i}` } } } },
      });
      const batch = (from: number, to: number) => ({
        data: {
          type: 'event-bulk-create',
          attributes: {
            profile: { data: profile({ anonymous_id: 'v' }) },
            events: { data: Array.from({ length: to - from }, (_, i) => item(from + i)) },
          },
        },
      });
      for (const n of [0, 1, 2, 3, 4]) await send('event-bulk-create', batch(n * 100, n * 100 + 100));
      const { body } = await send('event-bulk-create', batch(450, 502), 400);
      expect(body.errors[0].source.pointer).to.equal(
        '/data/attributes/events/data/50/attributes/metric/data/attributes/name',
      );
      const { body: single } = await send('events', event({ anonymous_id: 'v' }, {}, 'One more'), 400);
      expect(single.errors[0].source.pointer).to.equal('/data/attributes/metric/data/attributes/name');
      await send('events', event({ anonymous_id: 'v' }, {}, 'Metric 7'));
      await client.post('/compat/v1/events', event({ email: 'a@example.com' }, {}, 'One more'), { expect: 202 });
    });

    it('records a unique_id once, and leaves that of an order to the shop', async () => {
      const order = event({ email: 'ada@example.com' }, { unique_id: 'ord_1' }, 'Placed Order');
      await send('events', order);
      await send('events', order);
      await client.post('/compat/v1/events', order, { expect: 202 });
      await client.post('/compat/v1/events', order, { expect: 202 });
      expect((await events()).map(({ from_client = false }) => from_client)).to.deep.equal([false, true]);
    });

    it('creates one profile where a page sends several events of a new customer at once', async () => {
      const all = Array.from({ length: 20 }, (_, i) => event({ email: 'lin@example.com', anonymous_id: `${i}` }));
      await Promise.all(all.map((one) => send('events', one)));
      expect(await events()).to.have.length(20);
      expect(await profiles()).to.have.length(1);
    });

    it('takes JSON that is declared as a text, as sendBeacon does, on every path', async () => {
      const email = 'ada@example.com';
      const attributes = { profile: { data: profile({ email }) }, events: { data: [event({ email }).data] } };
      const bodies: [string, object][] = [
        ['events', event({ email })],
        ['event-bulk-create', { data: { type: 'event-bulk-create', attributes } }],
        ['profiles', { data: profile({ email }) }],
        ['subscriptions', subscription({ email })],
      ];
      for (const [name, body] of bodies) {
        for (const [type, text] of [
          ['text/plain;charset=UTF-8', JSON.stringify(body)],
          ['application/vnd.api+json', `\ufeff${JSON.stringify(body)}`],
        ] as const) {
          await page.send('POST', `/compat/v1/client/${name}`, text, {
            headers: { 'Content-Type': type },
            expect: 202,
          });
        }
      }
      expect(await events()).to.have.length(4);
      const headers = { 'Content-Type': 'text/plain' };
      const sent = JSON.stringify(bodies[0]?.[1]);
      await page.send('POST', '/compat/v1/client/events', 'metric=Visit', { headers, expect: 400 });
      await client.send('POST', '/compat/v1/events', sent, { headers, expect: 400 });
    });

    it('refuses more than 64 KB, and what the shape does not allow', async () => {
      await send('events', event({ email: 'a@example.com' }, { properties: { text: 'x'.repeat(70_000) } }), 400);
      await send('events', event({}), 400);
      await send('events', event({ email: 'a@example.com' }, { time: 'yesterday' }), 400);
      await send('events', { data: profile({ email: 'a@example.com' }) }, 400);
      expect(await events()).to.deep.equal([]);
    });
  });

  describe('POST /compat/v1/client/event-bulk-create', () => {
    const batch = (attributes: object, list: object[]) => ({
      data: {
        type: 'event-bulk-create',
        attributes: { profile: { data: profile(attributes) }, events: { data: list } },
      },
    });
    const item = (name: string, more: object = {}) => ({
      type: 'event',
      attributes: { metric: { data: { type: 'metric', attributes: { name } } }, ...more },
    });

    it('records all events of one profile, each once', async () => {
      const list = [item('Opened App', { unique_id: '1' }), item('Opened App', { unique_id: '2' }), item('Left App')];
      await send('event-bulk-create', batch({ anonymous_id: 'v', first_name: 'Lin' }, list));
      await send('event-bulk-create', batch({ anonymous_id: 'v' }, list.slice(0, 2)));
      const recorded = await events();
      expect(recorded).to.have.length(3);
      expect(recorded.every((one: { from_client?: true }) => one.from_client)).to.equal(true);
      expect((await profiles())[0].attributes).to.deep.equal({ first_name: 'Lin' });
    });

    it('takes 100 events, and records none where one is refused', async () => {
      const many = Array.from({ length: 100 }, (_, i) => item('Opened App', { unique_id: String(i) }));
      await send('event-bulk-create', batch({ anonymous_id: 'v' }, [...many.slice(1), item('')]), 400);
      await send('event-bulk-create', batch({ anonymous_id: 'v' }, [...many, item('Left App')]), 400);
      expect((await client.get('/v1/events')).body.events).to.deep.equal([]);
      await send('event-bulk-create', batch({ anonymous_id: 'v' }, many));
      expect((await client.get('/v1/events/stats', { expect: 200 })).body.total).to.equal(100);
    });

    it('does nothing for a profile without events', async () => {
      await send('event-bulk-create', batch({ anonymous_id: 'v' }, []));
      expect(await profiles()).to.deep.equal([]);
    });
  });

  describe('POST /compat/v1/client/profiles', () => {
    it('creates a profile with what is free, and does not say that it did', async () => {
      const ada = await upsert({ phone: '+12025550123' });
      const given = { email: 'lin@example.com', phone_number: '+12025550123', anonymous_id: 'v', first_name: 'Lin' };
      const { body, headers } = await send('profiles', { data: profile(given) });
      expect(body).to.equal('');
      expect(headers).not.to.have.property('location');
      expect(await profileOf('lin@example.com')).to.deep.include({
        identifiers: { email: 'lin@example.com', phone: null, external_id: null, anonymous_id: 'v' },
        attributes: { first_name: 'Lin' },
      });
      const { body: byPhone } = await client.get('/v1/profiles?phone=%2B12025550123');
      expect(byPhone.profiles[0]).to.deep.include({ id: ada.id, identifiers: ada.identifiers });
    });

    it('changes attributes of one that exists, and shows the identifiers that it showed', async () => {
      await upsert({ email: 'old@example.com', external_id: '1' }, { seen: 1, tags: ['a'] });
      await upsert({ email: 'new@example.com', external_id: '1' });
      const meta = { patch_properties: { append: { tags: 'b' }, unset: 'seen' } };
      await send('profiles', { data: profile({ email: 'old@example.com', last_name: 'Lee' }, meta) });
      expect(await profileOf('old@example.com')).to.deep.include({
        identifiers: { email: 'new@example.com', phone: null, external_id: '1' },
        attributes: { tags: ['a', 'b'], last_name: 'Lee' },
      });
    });
  });

  describe('POST /compat/v1/client/subscriptions', () => {
    const consentOf = async (email: string) => {
      const { id } = await profileOf(email);
      return (await client.get(`/v1/profiles/${id}`, { expect: 200 })).body.consent;
    };

    it('opts a new customer in, for the channels whose address is given, with the list and what the form asks', async () => {
      const list = { relationships: { list: { data: { type: 'list', id: 'XyZ123' } } } };
      const given = { email: 'lin@example.com', phone_number: '+12025550123', first_name: 'Lin' };
      await send('subscriptions', subscription(given, list));
      const { email, sms } = await consentOf('lin@example.com');
      expect([email.status, sms.status]).to.deep.equal(['subscribed', 'subscribed']);
      expect(email.lists).to.have.length(1);
      expect((await profileOf('lin@example.com')).attributes).to.deep.equal({ first_name: 'Lin' });
      expect(await profiles()).to.have.length(1);
    });

    it('is the consent of whoever owns the address or the number', async () => {
      const ada = await upsert({ email: 'ada@example.com' });
      const number = await upsert({ phone: '+12025550123' });
      await send('subscriptions', subscription({ email: 'ada@example.com', phone_number: '+12025550123' }));
      await send('subscriptions', subscription({ email: 'ada@example.com', phone_number: '+12025550199' }));
      const consents = await Promise.all(
        [ada.id, number.id].map(async (id) => {
          const { email, sms } = (await client.get(`/v1/profiles/${id}`)).body.consent;
          return [email.status, sms.status];
        }),
      );
      expect(consents).to.deep.equal([
        ['subscribed', 'never'],
        ['never', 'subscribed'],
      ]);
      const { body } = await client.get('/v1/profiles?phone=%2B12025550199');
      expect(body.profiles[0].id).not.to.be.oneOf([ada.id, number.id]);
    });

    it('opts in for the channels that it names alone, each with its address', async () => {
      const subscriptions = { sms: { marketing: { consent: 'SUBSCRIBED' } } };
      const { body } = await send('subscriptions', subscription({ email: 'ada@example.com', subscriptions }), 400);
      expect(body.errors[0].source.pointer).to.equal('/data/attributes/profile/data/attributes/phone_number');
      await send('subscriptions', subscription({ external_id: '1' }), 400);
      const given = { email: 'ada@example.com', phone_number: '+12025550123', subscriptions };
      await send('subscriptions', subscription(given));
      const { email, sms } = await consentOf('ada@example.com');
      expect([email.status, sms.status]).to.deep.equal(['never', 'subscribed']);
    });

    it('is given now, whatever it says, is marked in the history, and leaves a suppression', async () => {
      const { id } = await upsert({ email: 'ada@example.com' });
      const body = { email: { status: 'unsubscribed', suppressed: true, reason: 'bounced' } };
      await client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify(body), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });
      const earlier = { consent: 'SUBSCRIBED', consented_at: '2025-01-01T00:00:00Z' };
      const given = { email: 'ada@example.com', subscriptions: { email: { marketing: earlier } } };
      const before = Date.now();
      await send('subscriptions', subscription(given));
      const { email } = await consentOf('ada@example.com');
      expect(email.status).to.equal('subscribed');
      expect(Date.parse(email.changed_at)).to.be.at.least(before - 1000);
      expect(email.suppressed).to.deep.include({ reason: 'bounced' });
      const { body: history } = await client.get(`/v1/profiles/${id}/consent/history`, { expect: 200 });
      const marks = history.changes.map(({ kind, from_client }: any) => [kind, from_client]);
      expect(marks).to.deep.include.members([
        ['subscribed', true],
        ['unsubscribed', undefined],
      ]);
    });
  });

  describe('Limits', () => {
    it('gives an address 60 requests a minute, and does not count what exceeds them against the key', async () => {
      const body = event({ anonymous_id: 'v' });
      const answers = await Promise.all(Array.from({ length: 65 }, () => page.post('/compat/v1/client/events', body)));
      expect(answers.filter(({ status }) => status === 202)).to.have.length(60);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(5);
      expect(answers[0]?.headers['ratelimit-limit']).to.equal('60');
      const { body: keys } = await client.get('/v1/api-keys');
      const used = keys.api_keys.find(({ public_key }: { public_key: string | null }) => public_key)?.rate_limit.used;
      expect(used).to.equal(60);
    });

    it('keeps no more than a few of their refusals, so that those of servers are still found', async () => {
      await client.post('/v1/events', { event_type: 'seen', profile: {} }, { expect: 400 });
      for (let i = 0; i < 15; i += 1) await send('events', {}, 400);
      await until(async () => (await client.get('/v1/rejections')).body.rejections.length >= 11, 'they are recorded');
      const { rejections } = (await client.get('/v1/rejections', { expect: 200 })).body;
      expect(rejections).to.have.length(11);
      expect(rejections.map(({ operation }: { operation: string }) => operation)).to.include('createEvent');
    });

    it('leaves the memory for bodies to servers, however many bodies of pages never end', async () => {
      const { key: publicKey } = page;
      const { hostname, port } = new URL(service.url);
      const sockets = Array.from({ length: 12 }, () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        socket.write(
          `POST /compat/v1/client/events?company_id=${publicKey} HTTP/1.1\r\nHost: shop\r\n` +
            `Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n${' '.repeat(59_000)}`,
        );
        return socket;
      });
      try {
        // Four of these bodies are all that an address may have.
        const large = event({ anonymous_id: 'v' }, { properties: { text: 'x'.repeat(40_000) } });
        await until(async () => {
          await sleep(100);
          return (await page.post('/compat/v1/client/events', large)).status === 503;
        }, 'the address has all it may have');
        await client.post('/compat/v1/events', event({ email: 'ada@example.com' }), { expect: 202 });
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });

    it('counts each address by itself, and all of them against the tier of the key', async () => {
      const shared = await TestService.start({ TRUST_PROXY: '1', RATE_LIMIT_TIERS: 'standard=700,three=3' });
      try {
        const { key } = await shared.newKey({ scopes: ['client:write'], tier: 'three' });
        const shop = new Client(shared.url, key);
        const from = (address: string) =>
          shop.post('/compat/v1/client/events', event({ anonymous_id: 'v' }), {
            headers: { 'X-Forwarded-For': address },
          });
        for (const n of [1, 2, 3]) expect((await from(`203.0.113.${n}`)).status).to.equal(202);
        const refused = await from('203.0.113.4');
        expect(refused.status).to.equal(429);
        expect(refused.headers['ratelimit-limit']).to.equal('3');
      } finally {
        await shared.stop();
      }
    });
  });

  it('is led to by the account, whose public key it is', async () => {
    const store = await service.client();
    const before = (await store.get('/compat/v1/accounts', { expect: 200 })).body.data[0];
    expect(before.attributes.public_api_key).to.equal(before.id);
    const created = { name: 'Pages', scopes: ['client:write'] };
    const { key } = (await store.post('/v1/api-keys', created, { expect: 201 })).body;
    const after = (await store.get('/compat/v1/accounts', { expect: 200 })).body.data[0];
    expect(after.attributes.public_api_key).to.equal(key);
    const byKey = await store.get(`/compat/v1/accounts/${key}`, { expect: 200 });
    expect(byKey.body.data.id).to.equal(before.id);
    await (await service.client()).get(`/compat/v1/accounts/${key}`, { expect: 404 });
  });

  it('may be sent with /api in the path, and slashes as clients like them', async () => {
    for (const path of [
      '/compat/v1/api/client/events/',
      '/compat/v1//client//events',
      '//compat/v1/api/client/events',
    ]) {
      const answer = await page.post(path, event({ anonymous_id: 'v' }), { expect: 202 });
      expect(answer.headers['access-control-allow-origin']).to.equal('*');
    }
    expect(await events()).to.have.length(3);
  });
});
