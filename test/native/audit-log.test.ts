import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { deletionOfAuditEntries } from '../../src/domain/audit/delete-old.ts';
import { DAY } from '../../src/domain/time/duration.ts';
import { lowestIdAt } from '../../src/ids/uuid-v7.ts';
import type { Client } from '../support/client.ts';
import { addTrigger, holdRows, holdTable } from '../support/obstacles.ts';
import { addPerson, Browser, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The audit log', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;
  let keyId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    storeId = await service.newStore();
    const { id, key } = await service.newKey({ storeId, name: 'Till' });
    keyId = id;
    client = (await service.client({ storeId })).as(key);
  });

  const entries = async (query = '') =>
    (await client.get<any>(`/v1/audit-entries${query}`, { expect: 200 })).body.entries as any[];
  const json = { 'Content-Type': 'application/json' };

  describe('GET /v1/audit-entries', () => {
    it('says who has changed what, from where, and what became of it, without what was said', async () => {
      const { body: list } = await client.post<any>('/v1/lists', { name: 'Secret plan' }, { expect: 201 });
      await client.send('PATCH', `/v1/lists/${list.id}`, JSON.stringify({ name: 'Other' }), {
        headers: json,
        expect: 200,
      });
      await client.send('DELETE', `/v1/lists/${storeId}`, undefined, { expect: 404 });
      const found = await entries();
      const actor = { kind: 'key', id: keyId, name: 'Till' };
      expect(
        found.map(({ operation, target, fields, outcome, status }) => [operation, target, fields, outcome, status]),
      ).to.deep.equal([
        ['deleteList', storeId, [], 'refused', 404],
        ['updateList', list.id, ['name'], 'done', 200],
        ['createList', list.id, ['name'], 'done', 201],
      ]);
      for (const entry of found) {
        expect(entry.actor).to.deep.equal(actor);
        expect([entry.address, entry.ended_at >= entry.begun_at]).to.deep.equal(['127.0.0.1', true]);
        expect(entry.request_id).to.match(/^[0-9a-f-]{36}$/);
      }
      expect(JSON.stringify(found)).not.to.include('Secret plan');
    });

    it('has those who were refused as they may not', async () => {
      const reader = await service.newKey({ storeId, scopes: ['audiences:read'] });
      await client.as(reader.key).post('/v1/lists', { name: 'Mine' }, { expect: 403 });
      expect((await entries())[0]).to.deep.include({ operation: 'createList', outcome: 'refused', status: 403 });
      expect((await entries())[0].actor.id).to.equal(reader.id);
      for (const [named, target] of [
        [storeId, storeId],
        ['my-own-secret', null],
      ] as const) {
        await client.as(reader.key).send('DELETE', `/v1/lists/${named}`, undefined, { expect: 403 });
        expect((await entries())[0]).to.deep.include({ operation: 'deleteList', target, status: 403 });
      }
    });

    it('has nothing of what shops send in quantity, or of what is not understood', async () => {
      await client.post('/v1/events', { event_type: 'seen', profile: { email: 'ada@example.com' } }, { expect: 201 });
      await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } }, { expect: 200 });
      await client.post('/v1/lists', { nam: 'x' }, { expect: 400 });
      expect(await entries()).to.deep.equal([]);
    });

    it('finds what one has done, of one operation and in some time, page by page', async () => {
      const other = await service.newKey({ storeId, name: 'Other' });
      for (const name of ['a', 'b', 'c']) await client.post('/v1/lists', { name }, { expect: 201 });
      await client.as(other.key).post('/v1/lists', { name: 'd' }, { expect: 201 });
      await client.as(other.key).post('/v1/templates', { name: 'x' }, { expect: 400 });
      const operations = async (query: string) => (await entries(query)).map(({ operation }) => operation);
      expect(await operations(`?actor_id=${other.id}`)).to.deep.equal(['createList']);
      expect(await operations('?operation=createList')).to.have.length(4);
      expect(await operations('?operation=updateStore')).to.deep.equal([]);
      expect(await operations('?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z')).to.deep.equal([]);
      expect(await operations('?from=2026-01-01T00:00:00Z')).to.have.length(4);
      const ids: string[] = [];
      let cursor = '';
      do {
        const { body } = await client.get<any>(`/v1/audit-entries?limit=3${cursor}`, { expect: 200 });
        ids.push(...body.entries.map(({ id }: any) => id));
        cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
      } while (cursor !== '');
      expect(new Set(ids).size).to.equal(4);
      const { body } = await client.get<any>('/v1/audit-entries?cursor=x', { expect: 400 });
      expect(body.error.field).to.equal('cursor');
      await client.get('/v1/audit-entries?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', { expect: 400 });
    });

    it('shows nothing of another store', async () => {
      await client.post('/v1/lists', { name: 'a' }, { expect: 201 });
      const { body } = await (await service.client()).get<any>('/v1/audit-entries', { expect: 200 });
      expect(body.entries).to.deep.equal([]);
    });

    it('has what is handled in a thread, being large, once', async () => {
      const addresses = Array.from(
        { length: 1_000 },
        (_, n) => `somebody-${n}${'x'.repeat(50)}@${'long.'.repeat(5)}example.com`,
      );
      await client.post('/v1/suppressed-addresses', { addresses, reason: 'complaint' }, { expect: 200 });
      const found = await entries();
      expect(found.map(({ outcome, fields, address }) => [outcome, fields, address])).to.deep.equal([
        ['done', ['addresses', 'reason'], '127.0.0.1'],
      ]);
    });

    it('has an end that nobody came back to say as unknown, and one that may still come as pending', async () => {
      const open = { outcome: null, status: null, ended_at: null };
      await client.post('/v1/lists', { name: 'a' }, { expect: 201 });
      const set = (begun: string) =>
        service.database.query(`
          update audit_entry set outcome = null, status = null, ended_at = null, begun_at = now() - interval '${begun}'
          where store_id = '${storeId}'`);
      await set('1 second');
      expect((await entries())[0]).to.deep.include({ ...open, outcome: 'pending' });
      await set('6 minutes');
      expect((await entries())[0]).to.deep.include({ ...open, outcome: 'unknown' });
    });

    it('keeps entries for 400 days', async () => {
      for (const name of ['a', 'b']) await client.post('/v1/lists', { name }, { expect: 201 });
      const [, older] = await entries();
      const id = lowestIdAt(new Date(Date.now() - 401 * DAY)).replace(/0$/, '1');
      await service.database.query(`update audit_entry set id = '${id}' where id = '${older.id}'`);
      const { sql: db, close } = await openDatabase(service.database.address, 1);
      await deletionOfAuditEntries().run(db, Number.POSITIVE_INFINITY);
      await close();
      expect((await entries()).map(({ operation }) => operation)).to.deep.equal(['createList']);
    });

    it('makes no change of which there would be no entry', async () => {
      const condition = `new.store_id = '${storeId}'`;
      const name = { when: 'before insert', for: `each row when (${condition})` };
      await addTrigger(service.database, 'audit_entry', {
        ...name,
        body: "raise exception 'no' using errcode = '53100';",
      });
      await client.post('/v1/lists', { name: 'Unseen' }, { expect: 500 });
      expect((await client.get<any>('/v1/lists', { expect: 200 })).body.lists).to.deep.equal([]);
      await service.database.query('drop function obstacle_of_audit_entry cascade');
    });
  });

  it('of one store, whose entries can not be written, holds up no other', async () => {
    await addTrigger(service.database, 'audit_entry', {
      when: 'before insert',
      for: `each row when (new.store_id = '${storeId}')`,
      body: 'perform from store where id = new.store_id for update; return new;',
    });
    const release = await holdRows(service.database, 'store', `id = '${storeId}'`);
    const flood = Array.from({ length: 60 }, (_, n) => client.post('/v1/lists', { name: `list ${n}` }));
    await until(() => service.database.isWaiting(), 'the entries wait');
    const other = await service.client();
    await other.post('/v1/lists', { name: 'Beside' }, { expect: 201 });
    await release();
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([201]));
    await service.database.query('drop function obstacle_of_audit_entry cascade');
  });

  describe('GET /v1/audit-entries/export', () => {
    const csv = async (query = '') => {
      const { body, headers } = await client.get<any>(`/v1/audit-entries/export${query}`, { expect: 200 });
      expect(headers['content-type']).to.equal('text/csv');
      return String(body)
        .split('\r\n')
        .map((line) => line.split(','));
    };

    it('has all of it, page after page, and what the filters find', async () => {
      await service.database.query(`
        insert into audit_entry (store_id, id, begun_at, actor_kind, operation, target, fields, outcome)
        select '${storeId}', ('01936b2e-9f00-7b11-8d02-' || lpad(n::text, 12, '0'))::uuid, now(), 'operator', 'erase',
          '=1+1', '{a,b}', 'done'
        from generate_series(1, 1200) n`);
      await client.post('/v1/lists', { name: 'a' }, { expect: 201 });
      const [header = [], first = [], ...rest] = await csv();
      expect(header.slice(0, 4)).to.deep.equal(['id', 'begun_at', 'ended_at', 'actor_kind']);
      expect(first).to.include.members(['createList', 'Till', 'done', '201']);
      expect(rest).to.have.length(1201);
      expect(rest[0]).to.include.members(['operator', 'erase', "'=1+1", 'a b']);
      expect(await csv('?operation=createList')).to.have.length(3);
      expect(await csv(`?actor_id=${storeId}`)).to.have.length(2);
    });
  });

  describe('of people', () => {
    const operations = async () =>
      (await entries()).map(({ operation, outcome, actor }) => [operation, outcome, actor.name]);

    it('has who joins, signs in, fails to, and chooses another password', async () => {
      const browser = await signedIn(service, storeId, 'marketer');
      const name = 'Somebody in marketer';
      expect(await operations()).to.deep.equal([['acceptInvitation', 'done', name]]);
      expect(
        (await new Browser(service.url).signIn(browser.email.toUpperCase(), 'another long password')).status,
      ).to.equal(401);
      await until(async () => (await entries()).length === 2, 'the failure is an entry');
      expect((await new Browser(service.url).signIn('nobody@example.com')).status).to.equal(401);
      expect((await browser.signIn(browser.email)).status).to.equal(204);
      const change = { current_password: 'a long way to the sea', password: 'a longer way to the sea' };
      expect(
        (await browser.send('PUT', '/dashboard/session/password', { ...change, current_password: 'no' })).status,
      ).to.equal(400);
      expect((await browser.send('PUT', '/dashboard/session/password', change)).status).to.equal(204);
      expect(await operations()).to.deep.equal([
        ['changePassword', 'done', name],
        ['changePassword', 'refused', name],
        ['signIn', 'done', name],
        ['signIn', 'refused', null],
        ['acceptInvitation', 'done', name],
      ]);
      const failure = (await entries()).find(
        ({ outcome, operation }) => outcome === 'refused' && operation === 'signIn',
      );
      expect([failure.actor.id, failure.target]).to.deep.equal([null, (await entries())[0].actor.id]);
      expect(JSON.stringify(await entries())).not.to.include('way to the sea');
    });

    it('has who comes from another store of theirs, and what they do', async () => {
      const browser = await signedIn(service, await service.newStore(), 'owner');
      const { id } = (await browser.send('GET', '/v1/session')).body;
      await service.database.query(`
        insert into membership (store_id, person_id, role, created_at) values ('${storeId}', '${id}', 'admin', now())`);
      expect((await browser.send('PUT', '/dashboard/session/store', { store_id: storeId })).status).to.equal(204);
      expect((await browser.send('POST', '/v1/lists', { name: 'Theirs' })).status).to.equal(201);
      const name = 'Somebody in owner';
      expect(await operations()).to.deep.equal([
        ['createList', 'done', name],
        ['switchStore', 'done', name],
      ]);
    });

    it('has who signs in with a key', async () => {
      const { key } = await service.newKey({ storeId, name: 'Dashboard' });
      const headers = { Authorization: `Bearer ${key}` };
      expect((await new Browser(service.url).send('POST', '/dashboard/session', undefined, headers)).status).to.equal(
        204,
      );
      expect(await operations()).to.deep.equal([['signIn', 'done', 'Dashboard']]);
    });

    it('waits for nothing more to refuse who has an account', async () => {
      await addPerson(service, storeId, { name: 'Ada', role: 'owner', email: `ada-${storeId}@example.com` });
      const browser = new Browser(service.url);
      const release = await holdTable(service.database, 'audit_entry', 'exclusive');
      expect((await browser.signIn(`ada-${storeId}@example.com`)).status).to.equal(401);
      await release();
      await until(async () => (await entries()).length === 1, 'the failure is an entry');
    });
  });
});
