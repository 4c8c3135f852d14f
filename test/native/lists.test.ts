import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('Lists', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
  });
  after(() => service.stop());

  const create = async (input: object = {}) =>
    (await client.post<any>('/v1/lists', { name: 'Newsletter', ...input }, { expect: 201 })).body;
  const get = async (path: string) => (await client.get<any>(path, { expect: 200 })).body;
  const patch = (id: string, body: object) =>
    client.send<any>('PATCH', `/v1/lists/${id}`, JSON.stringify(body), JSON_BODY);
  const remove = (id: string) => client.send<any>('DELETE', `/v1/lists/${id}`, undefined);
  const add = async (id: string, members: object[], fields: object = {}) =>
    (await client.post<any>(`/v1/lists/${id}/members`, { members, ...fields }, { expect: 200 })).body;
  const take = async (id: string, members: object[]) =>
    (await client.post<any>(`/v1/lists/${id}/members/remove`, { members }, { expect: 200 })).body;
  const customer = async (external_id: string) =>
    (await client.post<any>('/v1/profiles/upsert', { identifiers: { external_id } })).body.id as string;
  /** `count` customers: their external ids. */
  const customers = async (count: number, prefix = 'cust') => {
    const ids = Array.from({ length: count }, (_, n) => `${prefix}_${n}`);
    const events = ids.map((external_id) => ({ event_type: 'seen', profile: { external_id } }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    return ids.map((external_id) => ({ external_id }));
  };
  const setMembers = (id: string, members: number) =>
    service.database.query(`update list set members = ${members} where id = '${id}'`);

  describe('POST /v1/lists', () => {
    it('creates an empty list', async () => {
      const list = await create({ source_id: 'Y6nRLr' });
      expect(list).to.include({ name: 'Newsletter', source_id: 'Y6nRLr', member_count: 0 });
      expect(list.updated_at).to.equal(list.created_at);
      expect(await get(`/v1/lists/${list.id}`)).to.deep.equal(list);
    });

    it('takes a source_id once in a store, however many ask for it at a time', async () => {
      const asked = await Promise.all(
        Array.from({ length: 10 }, () => client.post<any>('/v1/lists', { name: 'N', source_id: 'same' })),
      );
      expect(asked.map(({ status }) => status).sort()).to.deep.equal([...Array(9).fill(200), 201]);
      expect(new Set(asked.map(({ body }) => body.id))).to.have.property('size', 1);
      const other = await service.client();
      await other.post('/v1/lists', { name: 'N', source_id: 'same' }, { expect: 201 });
    });

    it('refuses a name that is blank, has two lines or is too long', async () => {
      for (const name of ['', ' \u00a0', 'a\nb', 'x'.repeat(101)]) {
        const { status, body } = await client.post<any>('/v1/lists', { name });
        expect([status, body.error.field], name).to.deep.equal([400, 'name']);
      }
      await create({ name: ' Ω ✓ ' });
    });

    it('makes a topic of it, of 50 at most, under a name for customers', async () => {
      const topic = await create({ name: 'Sales 2026', topic: true, public_name: 'Sales' });
      expect(topic).to.include({ topic: true, public_name: 'Sales' });
      expect(await create()).to.include({ topic: false, public_name: null });
      for (let i = 1; i < 50; i += 1) await create({ topic: true });
      const other = await create();
      const isRefused = async (sent: Promise<{ status: number; body: any }>) => {
        const { status, body } = await sent;
        expect([status, body.error.field]).to.deep.equal([400, 'topic']);
      };
      await isRefused(client.post<any>('/v1/lists', { name: 'N', topic: true }));
      await isRefused(patch(other.id, { topic: true }));
      expect((await patch(topic.id, { topic: true, public_name: null })).body).to.include({ public_name: null });
      await patch(topic.id, { topic: false });
      expect((await patch(other.id, { topic: true })).body).to.include({ topic: true });
    });

    it('has those who subscribe to it confirm that, as long as it says so', async () => {
      expect(await create()).to.include({ opt_in: 'single', confirmation_template_id: null });
      const list = await create({ opt_in: 'double' });
      expect(list).to.include({ opt_in: 'double', confirmation_template_id: null });
      expect((await patch(list.id, { name: 'Other' })).body).to.include({ opt_in: 'double' });
      expect((await patch(list.id, { opt_in: 'single' })).body).to.include({ opt_in: 'single' });
    });

    it('refuses a public name that is blank, has two lines or is too long', async () => {
      for (const name of ['', ' \u00a0', 'a\nb', 'x'.repeat(101)]) {
        const { status, body } = await client.post<any>('/v1/lists', { name: 'N', public_name: name });
        expect([status, body.error.field], name).to.deep.equal([400, 'public_name']);
      }
    });

    it('refuses the 1,001st list of a store, also of several at a time; a deleted one counts no longer', async () => {
      await service.database.query(`
        insert into list (store_id, id, name, members, created_at, updated_at)
        select '${storeId}', gen_random_uuid(), 'L', 0, now(), now() from generate_series(1, 997)`);
      const asked = await Promise.all(Array.from({ length: 8 }, () => client.post<any>('/v1/lists', { name: 'N' })));
      expect(asked.filter(({ status }) => status === 201)).to.have.length(3);
      const refused = asked.find(({ status }) => status === 400);
      expect(refused?.body.error.message).to.equal('The store already has 1,000 lists; delete one first');
      await remove(asked.find(({ status }) => status === 201)?.body.id);
      await create();
    });
  });

  describe('GET /v1/lists', () => {
    it('returns the lists of the store, newest first, page by page', async () => {
      const lists = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })];
      const first = await get('/v1/lists?limit=2');
      const second = await get(`/v1/lists?limit=2&cursor=${first.next_cursor}`);
      expect([...first.lists, ...second.lists]).to.deep.equal(lists.reverse());
      expect(second.next_cursor).to.equal(null);
    });

    it('returns those with a name or a source_id, and both together', async () => {
      const [a, b] = [await create({ name: 'A & B', source_id: 'x' }), await create({ name: 'A & B' })];
      await create({ name: 'A', source_id: 'X' });
      const named = `name=${encodeURIComponent('A & B')}`;
      for (const [query, lists] of [
        [named, [b, a]],
        [`${named}&source_id=x`, [a]],
        ['source_id=x', [a]],
        ['source_id=y', []],
        ['name=a', []],
      ] as const) {
        expect((await get(`/v1/lists?${query}`)).lists, query).to.deep.equal(lists);
      }
      const page = await get(`/v1/lists?${named}&limit=1`);
      expect((await get(`/v1/lists?${named}&limit=1&cursor=${page.next_cursor}`)).lists).to.deep.equal([a]);
      for (const [query, field] of [
        ['name=', 'name'],
        [`source_id=${'x'.repeat(256)}`, 'source_id'],
      ]) {
        const { status, body } = await client.get<any>(`/v1/lists?${query}`);
        expect([status, body.error.field]).to.deep.equal([400, field]);
      }
    });
  });

  describe('GET /v1/lists/{id}', () => {
    it('is a 404 for a list that there is not', async () => {
      for (const id of [UNKNOWN_ID, 'x']) await client.get(`/v1/lists/${id}`, { expect: 404 });
    });
  });

  describe('PATCH /v1/lists/{id}', () => {
    it('changes what is sent, and nothing else', async () => {
      const list = await create({ source_id: 'one' });
      const renamed = (await patch(list.id, { name: 'Other' })).body;
      expect(renamed).to.deep.equal({ ...list, name: 'Other', updated_at: renamed.updated_at });
      expect((await patch(list.id, { source_id: 'two' })).body.source_id).to.equal('two');
      expect((await patch(list.id, { source_id: null })).body).to.include({ name: 'Other', source_id: null });
    });

    it('refuses the source_id of another list, and takes its own again', async () => {
      const list = await create({ source_id: 'one' });
      const other = await create();
      const { status, body } = await patch(other.id, { source_id: 'one' });
      expect([status, body.error.field]).to.deep.equal([400, 'source_id']);
      expect((await patch(list.id, { source_id: 'one' })).status).to.equal(200);
    });

    it('refuses the id of another list as a source_id, as does the creation, and takes its own', async () => {
      const [list, other] = [await create(), await create()];
      for (const id of [list.id, list.id.toUpperCase()]) {
        const created = await client.post<any>('/v1/lists', { name: 'N', source_id: id });
        for (const { status, body } of [created, await patch(other.id, { source_id: id })]) {
          expect([status, body.error.field]).to.deep.equal([400, 'source_id']);
          expect(body.error.message).to.equal('source_id is the id of another list');
        }
      }
      expect((await patch(list.id, { source_id: list.id })).status).to.equal(200);
      expect((await create({ source_id: UNKNOWN_ID })).source_id).to.equal(UNKNOWN_ID);
    });

    it('refuses a change of nothing', async () => {
      expect((await patch((await create()).id, {})).status).to.equal(400);
    });
  });

  describe('DELETE /v1/lists/{id}', () => {
    it('returns the list as it was, which then is in no list of lists', async () => {
      const list = await create({ source_id: 'one' });
      const id = await customer('cust_1');
      await add(list.id, [{ profile_id: id }]);
      expect((await remove(list.id)).body).to.deep.equal({ ...list, member_count: 1, members: 1 });
      expect((await remove(list.id)).body).to.deep.equal({ ...list, member_count: 1, members: 1 });
      await client.get(`/v1/lists/${list.id}`, { expect: 404 });
      expect((await get('/v1/lists')).lists).to.deep.equal([]);
      expect((await get(`/v1/profiles/${id}/lists`)).lists).to.deep.equal([]);
      await client.get(`/v1/lists/${list.id}/members`, { expect: 404 });
      expect((await create({ source_id: 'one' })).member_count).to.equal(0);
    });

    it('deletes the members a moment later, and enters that they have left', async () => {
      const list = await create();
      await add(list.id, await customers(20));
      await remove(list.id);
      const count = async (table: string, column: string) =>
        (
          await service.database.query<{ n: number }>(
            `select count(*)::int as n from ${table} where ${column} = '${list.id}'`,
          )
        )[0]?.n;
      await until(async () => (await count('list_deletion', 'list_id')) === 0, 'the deletion is done');
      expect(await count('list_member', 'list_id')).to.equal(0);
      expect(await changesOf(list.id)).to.deep.equal([
        { hasJoined: true, profiles: 20 },
        { hasJoined: false, profiles: 20 },
      ]);
    });
  });

  /** What the change feed says of a list. */
  async function changesOf(listId: string): Promise<{ hasJoined: boolean; profiles: number }[]> {
    return service.database.query(`
      select has_joined as "hasJoined", cardinality(ids) as profiles from addition
      where list_id = '${listId}' order by xid, first_id`);
  }

  describe('GET /v1/lists/{id}/members/{profile_id}', () => {
    it('shows one member as the list of them does, and is a 404 for anybody else', async () => {
      const list = await create();
      const [id, stranger] = [await customer('cust_1'), await customer('cust_2')];
      await add(list.id, [{ profile_id: id }]);
      const path = `/v1/lists/${list.id}/members`;
      const [member] = (await get(path)).members;
      for (const same of [id, id.toUpperCase()]) expect(await get(`${path}/${same}`)).to.deep.equal(member);
      for (const other of [stranger, UNKNOWN_ID, 'x']) await client.get(`${path}/${other}`, { expect: 404 });
      await client.get(`/v1/lists/${UNKNOWN_ID}/members/${id}`, { expect: 404 });
    });
  });

  describe('POST /v1/lists/{id}/members', () => {
    it('says of each customer what became of it', async () => {
      const list = await create();
      const id = await customer('cust_1');
      await client.post('/v1/profiles/upsert', {
        identifiers: { external_id: 'cust_2', email: 'a@example.com' },
      });
      const members = [
        { profile_id: id.toUpperCase() },
        { external_id: 'nobody', email: ' A@example.com' },
        { external_id: 'cust_1' },
        { phone: '+1 202 555 0173' },
        { profile_id: UNKNOWN_ID },
        { profile_id: 'x' },
      ];
      const result = await add(list.id, members);
      expect(result).to.include({ added: 2, unchanged: 1, rejected: 3 });
      expect(result.members.map((member: any) => member.status)).to.deep.equal([
        'added',
        'added',
        'unchanged',
        ...Array(3).fill('rejected'),
      ]);
      expect(result.members[0].profile_id).to.equal(id);
      expect(result.members[5].error).to.deep.equal({
        code: 'not_found',
        message: 'There is no such profile',
        field: 'members[5]',
      });
      expect((await get(`/v1/lists/${list.id}`)).member_count).to.equal(2);
      expect(await changesOf(list.id)).to.deep.equal([{ hasJoined: true, profiles: 2 }]);
    });

    it('does not know the customers of another store', async () => {
      const other = await service.client();
      const { id } = (await other.post<any>('/v1/profiles/upsert', { identifiers: { external_id: 'theirs' } })).body;
      const list = await create();
      expect(await add(list.id, [{ profile_id: id }, { external_id: 'theirs' }])).to.include({ rejected: 2 });
      await other.post(`/v1/lists/${list.id}/members`, { members: [{ profile_id: id }] }, { expect: 404 });
    });

    it('leaves when and how somebody joined as it was', async () => {
      const list = await create();
      await customer('cust_1');
      await add(list.id, [{ external_id: 'cust_1' }], { source: 'fair' });
      const { members } = await get(`/v1/lists/${list.id}/members`);
      await add(list.id, [{ external_id: 'cust_1' }], { source: 'other' });
      expect((await get(`/v1/lists/${list.id}/members`)).members).to.deep.equal(members);
      expect(members[0]).to.include({ how: 'api', source: 'fair' });
    });

    it('counts exactly while many add and remove the same customers', async () => {
      const list = await create();
      const all = await customers(50);
      await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          n % 3 === 2 ? take(list.id, all.slice(0, 20)) : add(list.id, all.slice(n)),
        ),
      );
      const { members } = await get(`/v1/lists/${list.id}`);
      const shown = await get(`/v1/lists/${list.id}/members?limit=100`);
      expect(shown.members).to.have.length(members);
      const moves = await changesOf(list.id);
      const net = moves.reduce((sum, { hasJoined, profiles }) => sum + (hasJoined ? profiles : -profiles), 0);
      expect(net).to.equal(members);
    });

    it('adds nobody to a list with 10,000,000 members', async () => {
      const list = await create();
      const [one, two, three] = await customers(3);
      await add(list.id, [one as object]);
      await setMembers(list.id, 9_999_999);
      const result = await add(list.id, [one, two, three] as object[]);
      expect(result).to.include({ added: 1, unchanged: 1, rejected: 1 });
      expect(result.members[2].error).to.include({
        code: 'validation_error',
        message: 'The list already has 10,000,000 members',
      });
      expect((await get(`/v1/lists/${list.id}`)).member_count).to.equal(10_000_000);
    });

    it('names a malformed identifier, and takes 1,000 customers', async () => {
      const list = await create();
      const bad = await client.post<any>(`/v1/lists/${list.id}/members`, { members: [{ phone: '1' }] });
      expect([bad.status, bad.body.error.field]).to.deep.equal([400, 'members[0].phone']);
      const all = await customers(1_000);
      expect(await add(list.id, all)).to.include({ added: 1_000 });
      expect(await take(list.id, all)).to.include({ removed: 1_000 });
    });
  });

  describe('POST /v1/lists/{id}/members/remove', () => {
    it('says of each customer what became of it', async () => {
      const list = await create();
      const [one, two] = await customers(2);
      await add(list.id, [one as object]);
      const result = await take(list.id, [one, one, two, { external_id: 'nobody' }] as object[]);
      expect(result).to.include({ removed: 1, unchanged: 2, rejected: 1 });
      expect(result.members.map((member: any) => member.status)).to.deep.equal([
        'removed',
        'unchanged',
        'unchanged',
        'rejected',
      ]);
      expect((await get(`/v1/lists/${list.id}`)).member_count).to.equal(0);
      expect(await changesOf(list.id)).to.deep.equal([
        { hasJoined: true, profiles: 1 },
        { hasJoined: false, profiles: 1 },
      ]);
    });
  });

  describe('GET /v1/lists/{id}/members', () => {
    it('returns each member once, page by page', async () => {
      const list = await create();
      const { members } = await add(list.id, await customers(25));
      const pages: string[][] = [];
      for (let cursor = ''; ; ) {
        const page = await get(`/v1/lists/${list.id}/members?limit=10${cursor}`);
        pages.push(page.members.map((member: any) => member.profile_id));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(pages.map(({ length }) => length)).to.deep.equal([10, 10, 5]);
      const ids = members.map((member: any) => member.profile_id).sort();
      expect(pages.flat()).to.deep.equal(ids.reverse());
    });
  });

  describe('GET /v1/profiles/{id}/lists', () => {
    it('returns the lists that a customer is in, newest first, page by page', async () => {
      const id = await customer('cust_1');
      const [a, , c] = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })];
      for (const list of [c, a]) await add(list.id, [{ profile_id: id }]);
      const first = await get(`/v1/profiles/${id}/lists?limit=1`);
      const second = await get(`/v1/profiles/${id}/lists?limit=1&cursor=${first.next_cursor}`);
      expect([...first.lists, ...second.lists].map(({ name }: any) => name)).to.deep.equal(['C', 'A']);
      expect(second.next_cursor).to.equal(null);
      expect(first.lists[0]).to.include({ id: c.id, how: 'api', source: null });
    });
  });
});
