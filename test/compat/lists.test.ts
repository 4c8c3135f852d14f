import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { profileJobDocument } from './documents.ts';
import { errorsOf, runJob, saveProfile } from './steps.ts';

const BASE = '/compat/v1';
const [EARLY, LATE] = ['2025-03-01T14:30:00Z', '2025-04-01T14:30:00Z'];

type Channels = { [channel: string]: string | undefined };

describe('Lists on the compatibility surface', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;
  let list: any;

  before(async () => {
    service = await TestService.start({ COMPAT_LISTS: 'true' });
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
    list = await create({ source_id: 'Y6nRLr' });
  });
  after(() => service.stop());

  async function create(input: object = {}): Promise<any> {
    return (await client.post('/v1/lists', { name: 'Newsletter', ...input }, { expect: 201 })).body;
  }
  const members = async (id = list.id): Promise<any[]> =>
    (await client.get<any>(`/v1/lists/${id}/members`, { expect: 200 })).body.members;
  const count = async (id = list.id) => (await client.get<any>(`/v1/lists/${id}`, { expect: 200 })).body.member_count;

  /** Sends a job that (un)subscribes one customer to a list; `channels`: when they chose, by channel. */
  async function choose(
    kind: 'subscribe' | 'unsubscribe',
    listId: string,
    channels: Channels = { email: undefined },
    more: object = {},
  ): Promise<void> {
    const consent = kind === 'subscribe' ? 'SUBSCRIBED' : 'UNSUBSCRIBED';
    const subscriptions = Object.fromEntries(
      Object.entries(channels).map(([channel, consented_at]) => [channel, { marketing: { consent, consented_at } }]),
    );
    const attributes = { email: 'ada@example.com', phone_number: '+12025550173', subscriptions };
    const type = `profile-subscription-bulk-${kind === 'subscribe' ? 'create' : 'delete'}-job`;
    const relationships = { list: { data: { type: 'list', id: listId } } };
    const data = {
      type,
      attributes: { profiles: { data: [{ type: 'profile', attributes }] }, ...more },
      relationships,
    };
    await client.post(`${BASE}/${type}s`, { data }, { expect: 202 });
  }

  describe('are joined by subscribing', () => {
    it('with a list that is named by its source_id, or by its id', async () => {
      await choose('subscribe', 'Y6nRLr', { email: EARLY }, { custom_source: 'checkout' });
      const other = await create();
      await choose('subscribe', other.id);
      const [member] = await members();
      expect(member).to.include({ how: 'subscription', source: 'checkout', joined_at: '2025-03-01T14:30:00.000Z' });
      expect(await count(other.id)).to.equal(1);
    });

    it('once, however often and through however many channels', async () => {
      await Promise.all([1, 2, 3].map(() => choose('subscribe', 'Y6nRLr', { email: undefined, sms: undefined })));
      expect([await count(), (await members()).length]).to.deep.equal([1, 1]);
    });

    it('not with a list that the store does not have; the consent is recorded all the same', async () => {
      await choose('subscribe', UNKNOWN_ID);
      await choose('subscribe', 'unknown');
      expect(await count()).to.equal(0);
      const query = new URLSearchParams({ filter: 'equals(email,"ada@example.com")' });
      const { id } = (await client.get<any>(`${BASE}/profiles?${query}`)).body.data[0];
      const { consent } = (await client.get<any>(`/v1/profiles/${id}`)).body;
      expect(consent.email.lists.map((one: any) => one.id)).to.have.members([UNKNOWN_ID, 'unknown']);
    });

    it('not with a list of another store', async () => {
      const stranger = await service.client();
      const theirs = (await stranger.post<any>('/v1/lists', { name: 'N', source_id: 'theirs' })).body;
      await choose('subscribe', theirs.id);
      await choose('subscribe', 'theirs');
      expect((await stranger.get<any>(`/v1/lists/${theirs.id}`)).body.member_count).to.equal(0);
    });

    it('not by an opt-in that is older than an opt-out, by whichever name either calls the list', async () => {
      await choose('subscribe', 'Y6nRLr', { email: EARLY });
      await choose('unsubscribe', 'Y6nRLr', { email: LATE });
      for (const name of ['Y6nRLr', list.id]) {
        await choose('subscribe', name, { email: EARLY }, { historical_import: true });
        await choose('subscribe', name, { email: LATE });
      }
      expect(await count()).to.equal(0);
      await choose('subscribe', list.id);
      expect(await count()).to.equal(1);
    });

    it('not by an opt-in that is older than an opt-out of the whole channel', async () => {
      await choose('unsubscribe', 'other', { email: LATE });
      await choose('subscribe', 'Y6nRLr', { email: EARLY });
      expect(await count()).to.equal(0);
    });

    it('from a page, with a public key', async () => {
      const { key } = await service.newKey({ storeId, scopes: ['client:write'] });
      const profile = { data: { type: 'profile', attributes: { email: 'lin@example.com' } } };
      const relationships = { list: { data: { type: 'list', id: 'Y6nRLr' } } };
      const data = { type: 'subscription', attributes: { custom_source: 'footer', profile }, relationships };
      await new Client(service.url).post(`${BASE}/client/subscriptions?company_id=${key}`, { data }, { expect: 202 });
      expect((await members())[0]).to.include({ how: 'subscription', source: 'footer' });
    });

    it('not where a list is full; the consent is recorded all the same', async () => {
      await service.database.query(`update list set members = 10000000 where id = '${list.id}'`);
      await choose('subscribe', 'Y6nRLr');
      expect(await members()).to.deep.equal([]);
    });
  });

  describe('are left by unsubscribing', () => {
    it('once no channel is subscribed any more', async () => {
      await choose('subscribe', 'Y6nRLr', { email: EARLY, sms: EARLY });
      await choose('unsubscribe', 'Y6nRLr', { email: LATE });
      expect(await count()).to.equal(1);
      await choose('unsubscribe', list.id, { sms: LATE });
      expect(await count()).to.equal(0);
    });

    it('also by somebody who was added', async () => {
      await saveProfile(client, { email: 'ada@example.com' });
      await client.post(`/v1/lists/${list.id}/members`, { members: [{ email: 'ada@example.com' }] }, { expect: 200 });
      await choose('unsubscribe', 'Y6nRLr');
      expect(await count()).to.equal(0);
    });

    it('but not by an opt-out that is older than the opt-in', async () => {
      await choose('subscribe', 'Y6nRLr', { email: LATE });
      await choose('unsubscribe', 'Y6nRLr', { email: EARLY });
      expect(await count()).to.equal(1);
    });
  });

  describe('are one, whatever they are called', () => {
    /** What the customer has chosen, as both surfaces show it. */
    async function shown(): Promise<{ consent: any; suppressions: any[] }> {
      const query = new URLSearchParams({
        filter: 'equals(email,"ada@example.com")',
        'additional-fields[profile]': 'subscriptions',
      });
      const [{ id, attributes }] = (await client.get<any>(`${BASE}/profiles?${query}`, { expect: 200 })).body.data;
      const { body } = await client.get<any>(`/v1/profiles/${id}`, { expect: 200 });
      return { consent: body.consent.email, suppressions: attributes.subscriptions.email.marketing.list_suppressions };
    }
    const statuses = ({ lists }: any) => lists.map((one: any) => [one.id, one.source_id, one.status]);
    /** What an earlier version recorded, which kept each name by itself. */
    const recordByName = (name: string, status: string, at: string) =>
      service.database.query(
        `insert into consent_list (store_id, profile_id, channel, list_id, status, changed_at)
         select store_id, id, 'email', '${name}', '${status}', '${at}' from profile where store_id = '${storeId}'`,
      );
    const names = (): [string, string][] => [
      ['Y6nRLr', list.id],
      [list.id, 'Y6nRLr'],
      [list.id.toUpperCase(), 'Y6nRLr'],
    ];

    it('so that who subscribes by one name and leaves by the other leaves that list only', async () => {
      for (const [one, other] of names()) {
        await choose('subscribe', one);
        await choose('unsubscribe', other);
        const { consent, suppressions } = await shown();
        expect(consent.status, `${one}, ${other}`).to.equal('subscribed');
        expect(statuses(consent)).to.deep.equal([[list.id, 'Y6nRLr', 'unsubscribed']]);
        expect(
          suppressions.map(({ list_id }) => list_id),
          'as the request calls it',
        ).to.deep.equal([other]);
      }
    });

    it('so that no other name stays subscribed', async () => {
      for (const [one, other] of names()) {
        await choose('subscribe', one);
        await choose('subscribe', other);
        await choose('unsubscribe', one);
        expect(statuses((await shown()).consent)).to.deep.equal([[list.id, 'Y6nRLr', 'unsubscribed']]);
        expect(await count()).to.equal(0);
      }
    });

    it('in the choices of one request, of which the latest holds', async () => {
      const item = (day: number, email: string) => {
        const marketing = { consent: 'SUBSCRIBED', consented_at: `2026-03-0${day}T00:00:00Z` };
        return { type: 'profile', attributes: { email, subscriptions: { email: { marketing } } } };
      };
      const data = [item(2, 'ada@example.com'), item(1, 'Ada@Example.com')];
      const type = 'profile-subscription-bulk-create-job';
      const relationships = { list: { data: { type: 'list', id: list.id.toUpperCase() } } };
      await client.post(`${BASE}/${type}s`, { data: { type, attributes: { profiles: { data } }, relationships } });
      await choose('subscribe', 'Y6nRLr', { email: '2026-03-01T12:00:00Z' });
      const { consent } = await shown();
      expect(consent.lists).to.have.length(1);
      expect(consent.lists[0].changed_at).to.equal('2026-03-02T00:00:00.000Z');
    });

    it('in a form on a page, too', async () => {
      const { key } = await service.newKey({ storeId, scopes: ['client:write'] });
      const profile = { data: { type: 'profile', attributes: { email: 'ada@example.com' } } };
      const relationships = { list: { data: { type: 'list', id: list.id } } };
      const data = { type: 'subscription', attributes: { profile }, relationships };
      await new Client(service.url).post(`${BASE}/client/subscriptions?company_id=${key}`, { data }, { expect: 202 });
      await choose('unsubscribe', 'Y6nRLr');
      const { consent } = await shown();
      expect([consent.status, ...statuses(consent)]).to.deep.equal(['subscribed', [list.id, 'Y6nRLr', 'unsubscribed']]);
    });

    it('also where an earlier version has recorded each name by itself, and the opt-out holds', async () => {
      const profile = { email: 'ada@example.com' };
      for (const [one, other] of names()) {
        for (const [later, at] of [
          ['unsubscribed', LATE],
          ['subscribed', LATE],
          ['unsubscribed', EARLY],
        ] as const) {
          await service.database.query(`delete from consent_list where store_id = '${storeId}'`);
          await saveProfile(client, profile);
          await recordByName(one, 'subscribed', EARLY);
          await recordByName(other, later, at);
          expect(statuses((await shown()).consent)).to.deep.equal([[list.id, 'Y6nRLr', later]]);
          // An older choice changes nothing, but what holds: the names become one.
          await choose('subscribe', one, { email: '2024-01-01T00:00:00Z' });
          const { consent, suppressions } = await shown();
          expect(statuses(consent)).to.deep.equal([[list.id, 'Y6nRLr', later]]);
          expect(suppressions).to.have.length(later === 'unsubscribed' ? 1 : 0);
          const rows = await service.database.query(
            `select list_id, status from consent_list where store_id = '${storeId}'`,
          );
          expect(rows).to.deep.equal([{ list_id: list.id, status: later }]);
        }
      }
    });

    it('and so is one that is created after the choices for it', async () => {
      await choose('subscribe', 'later');
      const later = await create({ source_id: 'later' });
      expect(statuses((await shown()).consent)).to.deep.equal([[later.id, 'later', 'subscribed']]);
      await choose('unsubscribe', later.id);
      const { consent } = await shown();
      expect([consent.status, ...statuses(consent)]).to.deep.equal(['subscribed', [later.id, 'later', 'unsubscribed']]);
    });

    it('and keeps its choices when its source_id is another one', async () => {
      await choose('subscribe', 'Y6nRLr');
      await client.send('PATCH', `/v1/lists/${list.id}`, JSON.stringify({ source_id: 'other' }), {
        expect: 200,
        headers: { 'Content-Type': 'application/json' },
      });
      await choose('unsubscribe', 'other');
      const { consent } = await shown();
      expect([consent.status, ...statuses(consent)]).to.deep.equal(['subscribed', [list.id, 'other', 'unsubscribed']]);
    });

    it('and two whose names look alike stay two', async () => {
      const second = await create();
      // As a version before took it.
      await service.database.query(`update list set source_id = '${list.id}' where id = '${second.id}'`);
      await choose('subscribe', list.id);
      await choose('subscribe', second.id);
      await choose('unsubscribe', second.id);
      expect(statuses((await shown()).consent)).to.have.deep.members([
        [list.id, 'Y6nRLr', 'subscribed'],
        [second.id, list.id, 'unsubscribed'],
      ]);
      await choose('subscribe', 'news');
      await choose('unsubscribe', 'NEWS');
      expect((await shown()).consent.status).to.equal('unsubscribed');
    });
  });

  describe('are joined by an import that names them', () => {
    const lists = (...ids: unknown[]) => ({ lists: { data: ids.map((id) => ({ type: 'list', id })) } });

    it('by id and by source_id, each once', async () => {
      const other = await create();
      const customers = [{ email: 'ada@example.com' }, { email: 'lin@example.com' }, { email: 'ada@example.com' }];
      const job = await runJob(client, profileJobDocument(customers, lists('Y6nRLr', list.id, other.id, 'unknown')));
      expect(job.attributes).to.include({ completed_count: 3, failed_count: 0 });
      expect([await count(), await count(other.id)]).to.deep.equal([2, 2]);
      expect((await members())[0]).to.include({ how: 'import', source: null });
    });

    it('whatever is sent in the place of lists', async () => {
      const strange: unknown[] = [
        null,
        [],
        'x',
        { lists: null },
        { lists: { data: 'x' } },
        lists(7, null, '', 'x\0', '\ud800'),
        lists(),
      ];
      strange.push({ lists: { data: [null, 'x', {}] } }, lists('x'.repeat(300), ...Array(2_000).fill('Y6nRLr')));
      for (const relationships of strange) {
        const job = await runJob(client, profileJobDocument([{ email: 'ada@example.com' }], relationships as object));
        expect(job.attributes.completed_count).to.equal(1);
      }
      expect(await count()).to.equal(1);
    });

    it('without a change of consent', async () => {
      await choose('unsubscribe', 'Y6nRLr');
      await runJob(client, profileJobDocument([{ email: 'ada@example.com' }], lists('Y6nRLr')));
      const [{ profile_id: id }] = (await members()) as [any];
      expect((await client.get<any>(`/v1/profiles/${id}`)).body.consent.email.status).to.equal('unsubscribed');
    });

    it('until a list is full, which is an error of the profile that is stored', async () => {
      await service.database.query(`update list set members = 9999999 where id = '${list.id}'`);
      const customers = [{ email: 'ada@example.com' }, { email: 'lin@example.com' }];
      const job = await runJob(client, profileJobDocument(customers, lists('Y6nRLr')));
      expect(job.attributes).to.include({ completed_count: 1, failed_count: 1 });
      const [error] = await errorsOf(client, job);
      expect(error.attributes.source.pointer).to.equal('/data/attributes/profiles/data/1');
      expect(error.attributes.detail).to.match(/was stored, but a list .* already has 10,000,000 members/);
      expect(await saveProfile(client, { email: 'lin@example.com' })).to.have.property('id');
    });
  });

  describe('GET /compat/v1/lists', () => {
    const find = async (query: Record<string, string> = {}) =>
      (await client.get<any>(`${BASE}/lists?${new URLSearchParams(query)}`, { expect: 200 })).body;
    const names = async (query: Record<string, string>) =>
      (await find(query)).data.map((one: any) => one.attributes.name);

    it('shows the names of lists, and nobody in them', async () => {
      const { data, links } = await find();
      const time = list.created_at.replace('Z', '000+00:00');
      expect(data).to.deep.equal([
        {
          type: 'list',
          id: list.id,
          attributes: { name: 'Newsletter', created: time, updated: time, opt_in_process: 'single_opt_in' },
          links: { self: `${service.url}${BASE}/lists/${list.id}` },
        },
      ]);
      expect(links).to.include({ next: null });
    });

    it('in pages, in either order, by name or by id, with the attributes that are asked for', async () => {
      for (const name of ['B', 'C']) await create({ name });
      expect(await names({ sort: '-created' })).to.deep.equal(['C', 'B', 'Newsletter']);
      const first = await find({ 'page[size]': '2' });
      const next = new URL(first.links.next);
      const { body } = await client.get<any>(next.pathname + next.search, { expect: 200 });
      expect([first.data.length, body.data[0].attributes.name, body.links.next]).to.deep.equal([2, 'C', null]);
      expect(await names({ filter: 'any(name,["C","B"])' })).to.deep.equal(['B', 'C']);
      expect(await names({ filter: `equals(id,"Y6nRLr")` })).to.deep.equal(['Newsletter']);
      expect(await names({ filter: `equals(id,"${list.id.toUpperCase()}")` })).to.deep.equal(['Newsletter']);
      expect(await names({ filter: `and(equals(id,'${list.id}'),equals(name,'B'))` })).to.deep.equal([]);
      expect((await find({ 'fields[list]': 'name' })).data[0].attributes).to.deep.equal({ name: 'Newsletter' });
    });

    it('needs the scope for it', async () => {
      const { key } = await service.newKey({ storeId, scopes: ['profiles:write'] });
      await client.as(key).get(`${BASE}/lists`, { expect: 403 });
    });
  });

  describe('GET /compat/v1/lists/{id}', () => {
    it('finds a list by its id or its source_id', async () => {
      for (const id of [list.id, list.id.toUpperCase(), 'Y6nRLr']) {
        const { body } = await client.get<any>(`${BASE}/lists/${id}`, { expect: 200 });
        expect(body.data).to.deep.include({ type: 'list', id: list.id });
      }
      await client.get(`${BASE}/lists/unknown`, { expect: 404 });
      await client.get(`${BASE}/lists/a%00`, { expect: 404 });
    });
  });
});
