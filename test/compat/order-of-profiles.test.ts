import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileJobDocument } from './documents.ts';
import { runJob, saveProfile } from './steps.ts';

const PATH = '/compat/v1/profiles';
const LONG_AGO = '2020-01-01T00:00:00Z';

describe('The order of profiles on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  async function readPage(query: Record<string, string> | string) {
    const { pathname, search } = new URL(`${PATH}?${new URLSearchParams(query)}`, service.url);
    const { body } = await client.get(pathname + search, { expect: 200 });
    const names: string[] = body.data.map(({ attributes }: any) => attributes.external_id);
    return { names, data: body.data, next: body.links.next && new URL(body.links.next).search.slice(1) };
  }

  /** The external ids of all pages, one after the other. */
  async function readAll(query: Record<string, string>, betweenPages = async () => {}) {
    const pages: string[][] = [];
    for (let next: Record<string, string> | string | null = query; next; ) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(next);
      pages.push(page.names);
      next = page.next;
      if (next) await betweenPages();
    }
    return pages;
  }

  async function save(...names: string[]) {
    const saved = [];
    for (const external_id of names)
      saved.push(await saveProfile(client, { external_id, email: `${external_id}@example.com` }));
    return saved;
  }

  async function change(external_id: string) {
    // In another millisecond than what came before.
    await sleep(2);
    return saveProfile(client, { external_id, properties: { at: Math.random() } });
  }

  it('is that of their changes with sort=updated, either way', async () => {
    await save('a', 'b', 'c', 'd', 'e');
    await change('b');
    await change('a');
    const expected = ['c', 'd', 'e', 'b', 'a'];
    const query = { sort: 'updated', 'page[size]': '2' };
    expect((await readAll(query)).flat()).to.deep.equal(expected);
    expect((await readAll({ ...query, sort: '-updated' })).flat()).to.deep.equal(expected.toReversed());
    const filter = `greater-than(updated,${LONG_AGO})`;
    expect((await readAll({ ...query, filter })).flat()).to.deep.equal(expected);
    expect((await readAll({ 'page[size]': '2', filter })).flat(), 'without a sort').to.deep.equal(expected);
    expect((await readAll({ ...query, sort: '-updated', filter })).flat()).to.deep.equal(expected.toReversed());
  });

  it('shows a profile that changes while it is read at its new place', async () => {
    await save('a', 'b', 'c', 'd', 'e');
    const changes = [['a', 'c'], ['d'], []];
    const pages = await readAll({ sort: 'updated', 'page[size]': '2' }, async () => {
      for (const name of changes.shift() ?? []) await change(name);
    });
    expect(pages).to.deep.equal([['a', 'b'], ['d', 'e'], ['a', 'c'], ['d']]);
  });

  it('has those that were changed in a time, to the millisecond', async () => {
    await save('a', 'b', 'c');
    const { updated } = (await change('b')).attributes;
    for (const [filter, expected] of [
      [`greater-than(updated,${updated})`, []],
      [`greater-or-equal(updated,${updated})`, ['b']],
      [`less-than(updated,${updated})`, ['a', 'c']],
      [`less-or-equal(updated,${updated})`, ['a', 'c', 'b']],
      [`and(greater-than(updated,${LONG_AGO}),less-or-equal(updated,${updated}))`, ['a', 'c', 'b']],
      [`less-than(updated,${updated}),less-or-equal(updated,${updated})`, ['a', 'c']],
      [`greater-than(updated,${LONG_AGO}),less-than(created,${LONG_AGO})`, []],
      ['greater-than(updated,5000-01-01)', []],
      ['less-than(updated,1960-01-01)', []],
    ] as const) {
      expect((await readAll({ sort: 'updated', filter })).flat(), filter).to.deep.equal(expected);
      expect((await readAll({ sort: 'created', filter })).flat(), filter).to.deep.equal([...expected].sort());
      const [addresses] = [await readAll({ sort: '-email', 'page[size]': '1', filter })];
      expect(addresses.flat(), filter).to.deep.equal([...expected].sort().toReversed());
    }
  });

  it('is that of their present addresses with sort=email, without those who have none', async () => {
    await save('b', 'c', 'a');
    await saveProfile(client, { external_id: 'none' });
    await saveProfile(client, { external_id: 'a', email: 'z@example.com' });
    await saveProfile(client, { external_id: 'c', email: 'C+1@example.com' });
    for (const size of ['1', '2', '20']) {
      const query = { 'page[size]': size };
      expect((await readAll({ ...query, sort: 'email' })).flat()).to.deep.equal(['b', 'c', 'a']);
      expect((await readAll({ ...query, sort: '-email' })).flat()).to.deep.equal(['a', 'c', 'b']);
    }
  });

  it('may be any also for those that a filter names', async () => {
    await save('b', 'a', 'c');
    await saveProfile(client, { external_id: 'none' });
    await change('b');
    const filter = 'any(external_id,["none","c","b","a"])';
    for (const [sort, expected] of [
      ['created', ['b', 'a', 'c', 'none']],
      ['-id', ['none', 'c', 'a', 'b']],
      ['updated', ['a', 'c', 'none', 'b']],
      ['-updated', ['b', 'none', 'c', 'a']],
      ['email', ['a', 'b', 'c']],
      ['-email', ['c', 'b', 'a']],
    ] as const) {
      expect((await readAll({ sort, filter, 'page[size]': '2' })).flat(), sort).to.deep.equal(expected);
    }
  });

  it('may be any also for those who have opted out', async () => {
    await save('b', 'a', 'c', 'd');
    const { data } = profileJobDocument(['b', 'a', 'c'].map((name) => ({ email: `${name}@example.com` })));
    const job = { data: { ...data, type: 'profile-subscription-bulk-delete-job' } };
    await client.post('/compat/v1/profile-subscription-bulk-delete-jobs', job, { expect: 202 });
    await change('b');
    const filter = 'equals(subscriptions.email.marketing.suppression.reason,"UNSUBSCRIBE")';
    for (const [sort, expected] of [
      ['created', ['b', 'a', 'c']],
      ['-updated', ['b', 'c', 'a']],
      ['email', ['a', 'b', 'c']],
    ] as const) {
      const query = { sort, 'page[size]': '2' };
      expect((await readAll({ ...query, filter })).flat(), sort).to.deep.equal(expected);
      const since = `${filter},greater-than(updated,${LONG_AGO})`;
      expect((await readAll({ ...query, filter: since })).flat(), sort).to.deep.equal(expected);
    }
  });

  it('is looked through in bounded steps for the few that fit', async () => {
    const profiles = Array.from({ length: 4_100 }, (_, n) => ({ external_id: `c${n}` }));
    await runJob(client, profileJobDocument(profiles));
    const { attributes } = await change('c4099');
    const filter = `greater-or-equal(updated,${attributes.updated})`;
    const pages = await readAll({ sort: 'created', filter });
    expect(pages.flat()).to.deep.equal(['c4099']);
    expect(pages.length).to.be.within(2, 4);
    expect(await readAll({ sort: 'updated', filter })).to.deep.equal([['c4099']]);
  });

  it('has cursors of its own', async () => {
    await save('a', 'b');
    const { next } = await readPage({ sort: 'created', 'page[size]': '1' });
    const cursor = new URLSearchParams(next).get('page[cursor]') as string;
    for (const sort of ['updated', 'email']) {
      const query = new URLSearchParams({ sort, 'page[cursor]': cursor });
      const { body } = await client.get(`${PATH}?${query}`, { expect: 400 });
      expect(body.errors[0].source).to.deep.equal({ parameter: 'page[cursor]' });
    }
  });
});
