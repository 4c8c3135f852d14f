import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { expectRefusal, pointersOf, saveProfile } from './steps.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
const BASE = '/compat/v1';
const SUBSCRIBE = `${BASE}/profile-subscription-bulk-create-jobs`;
const UNSUBSCRIBE = `${BASE}/profile-subscription-bulk-delete-jobs`;
const SUPPRESS = `${BASE}/profile-suppression-bulk-create-jobs`;
const UNSUPPRESS = `${BASE}/profile-suppression-bulk-delete-jobs`;
const ITEMS = '/data/attributes/profiles/data';

type Item = Record<string, unknown> & { id?: unknown };

/** The document of a job; `id` stands beside a profile's attributes. */
function jobDocument(path: string, items: Item[], more: { list?: string; [attribute: string]: unknown } = {}) {
  const { list, ...attributes } = more;
  const type = path.slice(BASE.length + 1, -1);
  const data = items.map(({ id, ...own }) => ({ type: 'profile', ...(id !== undefined && { id }), attributes: own }));
  const relationships = list && { relationships: { list: { data: { type: 'list', id: list } } } };
  return { data: { type, attributes: { ...attributes, profiles: { data } }, ...relationships } };
}

const choice = (consent: string, consented_at?: string) => ({ marketing: { consent, consented_at } });

describe('Consent on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const send = (path: string, items: Item[], more = {}, expected = 202) =>
    client.post(path, jobDocument(path, items, more), { expect: expected });
  const refuse = async (path: string, items: Item[], more = {}) => send(path, items, more, 400);

  /** The profile that an address leads to, with what its owner has chosen. */
  async function find(filter: string): Promise<any> {
    const query = new URLSearchParams({ filter, 'additional-fields[profile]': 'subscriptions' });
    const { body } = await client.get(`${BASE}/profiles?${query}`, { expect: 200 });
    return body.data[0];
  }
  const email = async (address: string) =>
    (await find(`equals(email,"${address}")`))?.attributes.subscriptions.email.marketing;
  const sms = async (number: string) =>
    (await find(`equals(phone_number,"${number}")`))?.attributes.subscriptions.sms.marketing;
  const consent = async (address: string) => (await email(address))?.consent;
  const native = async (id: string) => (await client.get(`/v1/profiles/${id}`, { expect: 200 })).body.consent;

  describe('POST /compat/v1/profile-subscription-bulk-create-jobs', () => {
    it('shows no identifier of another customer on the profile that the first one leads to', async () => {
      const { id } = await saveProfile(client, { email: 'ada@example.com' });
      await saveProfile(client, { phone_number: '+49301234567' });
      await send(SUBSCRIBE, [{ email: 'ada@example.com', phone_number: '+49301234567' }]);
      const { body } = await client.get(`/v1/profiles/${id}`, { expect: 200 });
      expect(body.identifiers).to.include({ email: 'ada@example.com', phone: null });
    });

    it('answers with nothing, and subscribes known and unknown customers to the channels that are named', async () => {
      const { id } = await saveProfile(client, { email: 'ada@example.com' });
      const items = [
        { email: 'Ada@Example.com', subscriptions: { email: choice('SUBSCRIBED') } },
        { phone_number: '+49 30 1234567', subscriptions: { sms: choice('SUBSCRIBED', '2026-03-01T10:00:00Z') } },
      ];
      const answer = await send(SUBSCRIBE, items, { custom_source: 'checkout' });
      expect([answer.body, answer.headers['content-length']]).to.deep.equal(['', '0']);
      expect(answer.headers).not.to.have.property('content-type');
      const marketing = await email('ada@example.com');
      expect(marketing).to.deep.include({
        can_receive_email_marketing: true,
        consent: 'SUBSCRIBED',
        method_detail: 'checkout',
        suppression: [],
        list_suppressions: [],
      });
      expect((await native(id)).email).to.deep.include({ status: 'subscribed', source: 'checkout' });
      expect(await sms('+49301234567')).to.deep.include({
        can_receive_sms_marketing: true,
        consent: 'SUBSCRIBED',
        consent_timestamp: '2026-03-01T10:00:00.000000+00:00',
      });
    });

    it('subscribes without subscriptions to the channels whose address is given', async () => {
      await send(SUBSCRIBE, [{ email: 'a@example.com' }, { email: 'b@example.com', phone_number: '+4930111111' }]);
      expect([await consent('a@example.com'), await consent('b@example.com')]).to.deep.equal(
        Array(2).fill('SUBSCRIBED'),
      );
      expect((await sms('+4930111111')).consent).to.equal('SUBSCRIBED');
      const { attributes } = await find('equals(email,"a@example.com")');
      expect(attributes.subscriptions.sms.marketing.consent).to.equal('NEVER_SUBSCRIBED');
    });

    it('gives each profile the consent of its own address and number', async () => {
      const ada = await saveProfile(client, { email: 'ada@example.com' });
      const bob = await saveProfile(client, { phone_number: '+4930222222' });
      await send(SUBSCRIBE, [{ email: 'ada@example.com', phone_number: '+4930222222' }]);
      const [first, second] = [await native(ada.id), await native(bob.id)];
      expect([first.email.status, first.sms.status]).to.deep.equal(['subscribed', 'never']);
      expect([second.email.status, second.sms.status]).to.deep.equal(['never', 'subscribed']);
    });

    it('takes a profile by its id, and refuses one that nobody has', async () => {
      const { id } = await saveProfile(client, { external_id: 'c1' });
      await send(SUBSCRIBE, [{ id: id.toUpperCase(), subscriptions: { sms: choice('SUBSCRIBED') } }]);
      expect((await native(id)).sms.status).to.equal('subscribed');
      const items = [{ email: 'x@example.com' }, { id: UNKNOWN_ID, email: 'y@example.com' }];
      expectRefusal(await refuse(SUBSCRIBE, items), `${ITEMS}/1/id`);
      expect(await find('any(email,["x@example.com","y@example.com"])')).to.equal(undefined);
    });

    it('keeps a later opt-out, and needs to know when choices of the past were made', async () => {
      await send(UNSUBSCRIBE, [{ email: 'ada@example.com' }]);
      const old = { email: 'ada@example.com', subscriptions: { email: choice('SUBSCRIBED', '2025-01-01T00:00:00Z') } };
      await send(SUBSCRIBE, [old], { historical_import: true });
      expect(await consent('ada@example.com')).to.equal('UNSUBSCRIBED');
      const [first, second] = [{ email: 'a@example.com' }, { ...old, subscriptions: { email: choice('SUBSCRIBED') } }];
      const refused = await refuse(SUBSCRIBE, [first, old, second], { historical_import: true });
      expect(pointersOf(refused)).to.deep.equal([
        `${ITEMS}/0/attributes/email`,
        `${ITEMS}/2/attributes/subscriptions/email/marketing`,
      ]);
      expect(refused.body.errors[0].detail).to.include('needs consented_at');
    });

    it('takes the latest of several choices of one customer in a request', async () => {
      const at = (day: number) => ({ email: choice('SUBSCRIBED', `2026-03-0${day}T00:00:00Z`) });
      const items = [2, 3, 1].map((day) => ({ email: 'ada@example.com', subscriptions: at(day) }));
      await send(SUBSCRIBE, items);
      expect((await email('ada@example.com')).consent_timestamp).to.equal('2026-03-03T00:00:00.000000+00:00');
    });

    it('ignores other channels and transactional messages', async () => {
      const other = { whatsapp: choice('SUBSCRIBED'), sms: { transactional: { consent: 'SUBSCRIBED' } } };
      await send(SUBSCRIBE, [{ phone_number: '+4930333333', subscriptions: other }]);
      expect((await sms('+4930333333')).consent).to.equal('NEVER_SUBSCRIBED');
    });

    it('lets a client that drops the address its error names, and sends the rest again, come to an end', async () => {
      const good = ['a@example.com', 'b@example.com'];
      let recipients = ['ada', good[0], 'x y@example.com', 'c@', good[1]];
      for (let turn = 0; turn < 10; turn += 1) {
        const items = recipients.map((address) => ({ email: address }));
        const { status, body } = await client.post(SUBSCRIBE, jobDocument(SUBSCRIBE, items));
        if (status === 202) break;
        const bad = body.errors[0].detail.replace(' is not a valid email.', '');
        expect(recipients).to.include(bad);
        recipients = recipients.filter((address) => address !== bad);
      }
      expect(recipients).to.deep.equal(good);
      for (const address of good) expect(await consent(address)).to.equal('SUBSCRIBED');
    });

    it('subscribes 1,000 customers at once, and refuses more', async () => {
      const items = Array.from({ length: 1001 }, (_, n) => ({ email: `c${n}@example.com` }));
      await send(SUBSCRIBE, items.slice(0, 1000));
      expect([await consent('c0@example.com'), await consent('c999@example.com')]).to.deep.equal(
        Array(2).fill('SUBSCRIBED'),
      );
      expectRefusal(await refuse(SUBSCRIBE, items), ITEMS);
    });

    it('refuses what it cannot record, at its item', async () => {
      const future = new Date(Date.now() + 3_600_000).toISOString();
      const place = '/0/attributes/subscriptions/email/marketing';
      for (const [item, pointer, words = ''] of [
        [{ email: 'ada' }, '/0/attributes/email', 'ada is not a valid email.'],
        [{ phone_number: '12' }, '/0/attributes/phone_number', 'phone number'],
        [{ email: 'a@example.com', phone_number: 'x' }, '/0/attributes/phone_number', 'phone number'],
        [{}, '/0/attributes'],
        [{ external_id: 'c1' }, '/0/attributes', 'phone number'],
        [{ id: '01GDDKASAP8TKDDA2GRZDSVP4H', email: 'a@example.com' }, '/0/id'],
        [{ email: 'a@example.com', subscriptions: { email: choice('UNSUBSCRIBED') } }, `${place}/consent`],
        [{ email: 'a@example.com', subscriptions: { email: { marketing: {} } } }, `${place}/consent`],
        [{ email: 'a@example.com', subscriptions: { email: choice('SUBSCRIBED', 'today') } }, `${place}/consented_at`],
        [{ email: 'a@example.com', subscriptions: { email: choice('SUBSCRIBED', future) } }, `${place}/consented_at`],
      ] as [Item, string, string?][]) {
        const answer = await refuse(SUBSCRIBE, [item, { email: 'good@example.com' }]);
        expectRefusal(answer, ITEMS + pointer);
        expect(answer.body.errors[0].detail).to.include(words);
      }
      expectRefusal(await refuse(SUBSCRIBE, [], { list: 'x'.repeat(256) }), '/data/relationships/list/data/id');
      expect(await find('equals(email,"good@example.com")')).to.equal(undefined);
    });
  });

  describe('POST /compat/v1/profile-subscription-bulk-delete-jobs', () => {
    it('unsubscribes known and unknown customers', async () => {
      const { id } = await saveProfile(client, { email: 'ada@example.com' });
      await send(SUBSCRIBE, [{ email: 'ada@example.com' }]);
      const answer = await send(UNSUBSCRIBE, [
        { email: 'ada@example.com', subscriptions: { email: choice('UNSUBSCRIBED') } },
        { email: 'new@example.com' },
      ]);
      expect(answer.body).to.equal('');
      expect((await native(id)).email.status).to.equal('unsubscribed');
      const marketing = await email('new@example.com');
      expect(marketing).to.deep.include({ can_receive_email_marketing: false, consent: 'UNSUBSCRIBED' });
      expect(marketing.suppression.map(({ reason }: { reason: string }) => reason)).to.deep.equal(['UNSUBSCRIBE']);
    });

    it('leaves a list alone where the customer is subscribed to it, and the channel otherwise', async () => {
      await send(SUBSCRIBE, [{ email: 'ada@example.com' }], { list: 'news' });
      await send(UNSUBSCRIBE, [{ email: 'ada@example.com' }], { list: 'news' });
      const left = await email('ada@example.com');
      expect(left.consent).to.equal('SUBSCRIBED');
      expect(left.list_suppressions).to.have.length(1);
      expect(left.list_suppressions[0]).to.deep.include({ list_id: 'news', reason: 'UNSUBSCRIBE' });
      await send(UNSUBSCRIBE, [{ email: 'ada@example.com' }], { list: 'other' });
      expect(await consent('ada@example.com')).to.equal('UNSUBSCRIBED');
    });

    it('refuses an opt-in, and more than 100 customers', async () => {
      const item = { email: 'ada@example.com', subscriptions: { email: choice('SUBSCRIBED') } };
      const pointer = `${ITEMS}/0/attributes/subscriptions/email/marketing/consent`;
      expectRefusal(await refuse(UNSUBSCRIBE, [item]), pointer);
      const items = Array.from({ length: 101 }, (_, n) => ({ email: `c${n}@example.com` }));
      expectRefusal(await refuse(UNSUBSCRIBE, items), ITEMS);
      await send(UNSUBSCRIBE, items.slice(1));
    });
  });

  describe('POST /compat/v1/profile-suppression-bulk-create-jobs', () => {
    it('suppresses addresses beside what their owners have chosen, also unknown ones', async () => {
      await send(SUBSCRIBE, [{ email: 'ada@example.com' }]);
      const { body } = await send(SUPPRESS, [{ email: 'ada@example.com' }, { email: 'new@example.com' }]);
      expect(body.data.type).to.equal('profile-suppression-bulk-create-job');
      expect(body.data.links.self).to.match(
        new RegExp(`/compat/v1/profile-suppression-bulk-create-jobs/${body.data.id}$`),
      );
      expect(body.data.attributes).to.deep.include({ status: 'complete', total_count: 2, completed_count: 2 });
      const marketing = await email('ada@example.com');
      expect(marketing).to.deep.include({ can_receive_email_marketing: false, consent: 'SUBSCRIBED' });
      expect(marketing.suppression[0].reason).to.equal('USER_SUPPRESSED');
      expect((await email('new@example.com')).consent).to.equal('NEVER_SUBSCRIBED');
    });

    it('refuses what is no address, and more than 100', async () => {
      for (const address of ['ada', '', ' ', null]) {
        expectRefusal(await refuse(SUPPRESS, [{ email: address }]), `${ITEMS}/0/attributes/email`);
      }
      const items = Array.from({ length: 101 }, (_, n) => ({ email: `c${n}@example.com` }));
      expectRefusal(await refuse(SUPPRESS, items), ITEMS);
    });
  });

  describe('POST /compat/v1/profile-suppression-bulk-delete-jobs', () => {
    it('lifts what the store has suppressed, and neither another reason nor an opt-out', async () => {
      for (const address of ['a@example.com', 'b@example.com']) await saveProfile(client, { email: address });
      await send(UNSUBSCRIBE, [{ email: 'a@example.com' }]);
      await send(SUPPRESS, [{ email: 'a@example.com' }]);
      const { id } = await find('equals(email,"b@example.com")');
      const bounced = JSON.stringify({ email: { suppressed: true, reason: 'HARD_BOUNCE' } });
      const headers = { 'Content-Type': 'application/json' };
      await client.send('PUT', `/v1/profiles/${id}/consent`, bounced, { expect: 200, headers });
      const addresses = ['a@example.com', 'b@example.com', 'unknown@example.com'];
      const { body } = await send(
        UNSUPPRESS,
        addresses.map((address) => ({ email: address })),
      );
      expect(body.data.type).to.equal('profile-suppression-bulk-delete-job');
      expect(body.data.links.self).to.match(
        new RegExp(`/compat/v1/profile-suppression-bulk-delete-jobs/${body.data.id}$`),
      );
      const reasons = async (address: string) =>
        (await email(address)).suppression.map(({ reason }: { reason: string }) => reason);
      expect(await reasons('a@example.com')).to.deep.equal(['UNSUBSCRIBE']);
      expect(await reasons('b@example.com')).to.deep.equal(['HARD_BOUNCE']);
      expect(await find('equals(email,"unknown@example.com")')).to.equal(undefined);
    });
  });

  describe('What profiles show of it', () => {
    it('is there where it is asked for, wherever a profile is returned', async () => {
      await send(SUBSCRIBE, [{ email: 'ada@example.com' }]);
      const { id } = await find('equals(email,"ada@example.com")');
      const query = 'additional-fields%5Bprofile%5D=subscriptions,predictive_analytics';
      const document = { data: { type: 'profile', id, attributes: {} } };
      const patch = (path: string) =>
        client.send('PATCH', path, JSON.stringify(document), { headers: { 'Content-Type': 'application/json' } });
      for (const answer of [
        await client.get(`${BASE}/profiles/${id}?${query}`),
        await patch(`${BASE}/profiles/${id}?${query}`),
        await client.post(`${BASE}/profile-import?${query}`, document),
      ]) {
        expect(answer.body.data.attributes.subscriptions.email.marketing.consent).to.equal('SUBSCRIBED');
      }
      for (const answer of [await client.get(`${BASE}/profiles/${id}`), await patch(`${BASE}/profiles/${id}`)]) {
        expect(answer.body.data.attributes).not.to.have.property('subscriptions');
      }
    });

    it('can be searched for by the reason of a suppression, page by page', async () => {
      const addresses = Array.from({ length: 5 }, (_, n) => `c${n}@example.com`);
      for (const address of addresses) await saveProfile(client, { email: address });
      await send(
        UNSUBSCRIBE,
        [0, 1, 3].map((n) => ({ email: addresses[n] })),
      );
      await send(
        SUPPRESS,
        [3, 4].map((n) => ({ email: addresses[n] })),
      );
      const search = async (filter: string, sort = 'created') => {
        const found: string[] = [];
        const query = new URLSearchParams({ filter, sort, 'page[size]': '2' });
        for (let next: string | null = `${BASE}/profiles?${query}`; next; ) {
          const { body }: { body: any } = await client.get(next, { expect: 200 });
          found.push(...body.data.map((profile: any) => profile.attributes.email));
          next = body.links.next?.slice(service.url.length);
        }
        return found.map((address) => addresses.indexOf(address));
      };
      const reason = (text: string) => `equals(subscriptions.email.marketing.suppression.reason,'${text}')`;
      expect(await search(reason('UNSUBSCRIBE'))).to.deep.equal([0, 1, 3]);
      expect(await search(reason('UNSUBSCRIBE'), '-created')).to.deep.equal([3, 1, 0]);
      expect(await search(reason('USER_SUPPRESSED'))).to.deep.equal([3, 4]);
      expect(await search(reason('SPAM_COMPLAINT'))).to.deep.equal([]);
      const both = `${reason('UNSUBSCRIBE')},any(email,["c1@example.com","c2@example.com"])`;
      expect(await search(both)).to.deep.equal([1]);
    });
  });
});
