import { expect } from 'chai';
import { RULES } from '../../src/domain/merges/rules.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

interface Merge {
  id: string;
  tables: { table: string; row_count: number }[];
  [field: string]: unknown;
}

const HERS = { email: 'ada@example.com', external_id: 'c1' };
const GUEST = { email: 'guest@example.com', phone: '+442079460958' };

describe('POST /v1/profiles/{id}/merge', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    const { key, storeId: own } = await service.newKey();
    client = new Client(service.url, key);
    storeId = own;
  });
  after(() => service.stop());

  const query = <Row>(statement: string) => service.database.query<Row>(statement);
  const upsert = async (identifiers: object, attributes: object = {}): Promise<string> =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes })).body.id;
  const send = async (profile: object, event_type = 'visit', more: object = {}) =>
    await client.post('/v1/events', { event_type, profile, ...more });
  const both = async () =>
    [await upsert(HERS, { name: 'Ada' }), await upsert(GUEST, { name: 'A.', vip: true })] as const;

  const put = (path: string, body: object) =>
    client.send('PUT', path, JSON.stringify(body), { expect: 200, headers: { 'Content-Type': 'application/json' } });

  async function merge(id: string, from: string): Promise<Merge> {
    const { body } = await client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 202 });
    return await follow(body.id);
  }

  /** Follows a merge to its end. */
  async function follow(id: string): Promise<Merge> {
    let merged: Merge | undefined;
    await until(async () => {
      merged = (await client.get(`/v1/merges/${id}`, { expect: 200 })).body;
      return merged?.status === 'complete';
    }, 'the customers are merged');
    return merged as Merge;
  }

  async function refuse(id: string, from: string, message: string): Promise<void> {
    const { body } = await client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 400 });
    expect(body.error).to.include({ code: 'validation_error', field: 'from', message });
  }

  it('has a rule for each table', async () => {
    const tables = await query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'`);
    expect(Object.keys(RULES)).to.have.members(tables.map(({ name }) => name));
  });

  it('leaves one profile, which keeps what it has and fills what it lacks', async () => {
    const [id, from] = await both();
    await merge(id, from);
    const { body } = await client.get(`/v1/profiles/${id}`, { expect: 200 });
    expect(body.identifiers).to.deep.equal({ email: HERS.email, phone: GUEST.phone, external_id: 'c1' });
    expect(body.attributes).to.deep.equal({ name: 'Ada', vip: true });
    expect(body).not.to.have.property('merged_from');
    expect((await client.get('/v1/profiles', { expect: 200 })).body.profiles).to.have.length(1);
    expect(await upsert({ email: GUEST.email })).to.equal(id);
  });

  it('has the former id lead to the one who stays, for whoever reads and writes, in one step', async () => {
    const [id, from] = await both();
    const third = await upsert({ external_id: 'c3' });
    await merge(id, from);
    await merge(third, id);
    for (const former of [id, from]) {
      const { body } = await client.get(`/v1/profiles/${former}`, { expect: 200 });
      expect(body).to.include({ id: third, merged_from: former });
      for (const part of ['events', 'lists', 'segments', 'runs', 'messages', 'coupons', 'consent/history'])
        await client.get(`/v1/profiles/${former}/${part}`, { expect: 200 });
      const choice = { email: { status: 'unsubscribed' } };
      const updated = await put(`/v1/profiles/${former}/consent`, choice);
      expect(updated.body.consent.email.status).to.equal('unsubscribed');
    }
    const aliases = await query(`select from profile_alias where store_id = '${storeId}' and profile_id <> '${third}'`);
    expect(aliases).to.deep.equal([]);
  });

  it('moves events with their keys, and keeps both of the same key', async () => {
    const [id, from] = await both();
    for (const profile of [HERS, GUEST]) {
      const attributes = {
        metric: { data: { type: 'metric', attributes: { name: 'Visit' } } },
        profile: { data: { type: 'profile', attributes: { email: profile.email } } },
        properties: {},
        unique_id: 'same',
      };
      await client.post('/compat/v1/events', { data: { type: 'event', attributes } }, { expect: 202 });
    }
    await send(GUEST, 'visit', { idempotency_key: 'k1' });
    const first = await send({ email: GUEST.email }, 'visit', { idempotency_key: 'k2' });
    const merged = await merge(id, from);
    expect(merged.dropped_key_count).to.equal(1);
    const { body } = await client.get(`/v1/profiles/${id}/events`, { expect: 200 });
    expect(body.events).to.have.length(4);
    const again = await send({ email: GUEST.email }, 'visit', { idempotency_key: 'k2' });
    expect(again.body.id).to.equal(first.body.id);
  });

  it('has the later choice hold, of equals the one to opt out, and a suppression stay', async () => {
    const [id, from] = await both();
    const choose = (profile: string, channel: string, change: object) =>
      put(`/v1/profiles/${profile}/consent`, { [channel]: change });
    await choose(id, 'email', { status: 'subscribed', changed_at: '2026-01-02T00:00:00Z' });
    await choose(from, 'email', { status: 'unsubscribed', changed_at: '2026-01-02T00:00:00Z' });
    await choose(id, 'sms', { status: 'unsubscribed', changed_at: '2026-01-03T00:00:00Z' });
    await choose(from, 'sms', { status: 'subscribed', changed_at: '2026-01-02T00:00:00Z' });
    await choose(from, 'sms', { suppressed: true });
    const { changes } = await merge(id, from);
    const consents = [{ channel: 'email', status: 'unsubscribed' }];
    expect(changes).to.deep.include({ consent: consents, suppressed_channels: ['sms'], skipped_message_count: 0 });
    const { consent } = (await client.get(`/v1/profiles/${id}`, { expect: 200 })).body;
    expect(consent.email.status).to.equal('unsubscribed');
    expect(consent.sms.status).to.equal('unsubscribed');
    expect(consent.sms.suppressed).not.to.equal(null);
    const { body } = await client.get(`/v1/profiles/${id}/consent/history`, { expect: 200 });
    expect(body.changes).to.have.length(5);
  });

  it('joins the lists of the other, and counts nobody twice', async () => {
    const [id, from] = await both();
    const lists = [];
    for (const name of ['both', 'theirs'])
      lists.push((await client.post('/v1/lists', { name }, { expect: 201 })).body.id);
    const join = (list: string, profile_id: string) =>
      client.post(`/v1/lists/${list}/members`, { members: [{ profile_id }] }, { expect: 200 });
    await join(lists[0], id);
    await join(lists[0], from);
    await join(lists[1], from);
    const { changes } = await merge(id, from);
    expect(changes).to.deep.include({ joined_list_ids: [lists[1]] });
    for (const list of lists) {
      expect((await client.get(`/v1/lists/${list}`, { expect: 200 })).body.member_count).to.equal(1);
      await client.get(`/v1/lists/${list}/members/${id}`, { expect: 200 });
    }
  });

  it('lets the one who stays enter segments, because of the merge', async () => {
    const definition = { attribute: { name: 'vip', op: 'eq', value: true } };
    const { body: segment } = await client.post('/v1/segments', { name: 'VIP', definition }, { expect: 201 });
    const get = async (path = '') => (await client.get(`/v1/segments/${segment.id}${path}`, { expect: 200 })).body;
    await until(async () => (await get()).status === 'live', 'the segment is built');
    const [id, guest] = await both();
    await until(async () => (await get()).member_count === 1, 'the guest is in it');
    await merge(id, guest);
    const hers = async () => (await get('/changes')).changes.filter((one: any) => one.profile_id === id);
    await until(async () => (await hers()).length > 0, 'she has entered');
    expect((await hers()).map(({ kind, cause }: any) => [kind, cause])).to.deep.include(['entered', 'merge']);
  });

  it('changes nothing in a dry run, and says what would be', async () => {
    const [id, from] = await both();
    await send(GUEST);
    const { body } = await client.post(`/v1/profiles/${id}/merge`, { from, dry_run: true }, { expect: 200 });
    expect(body.profile).to.deep.include({ id, attributes: { name: 'Ada', vip: true } });
    expect(body.changes).to.deep.include({ filled_attributes: ['vip'], lost_attributes: ['name'] });
    expect(body.changes.identifier_count).to.equal(2);
    expect((await client.get(`/v1/profiles/${from}`, { expect: 200 })).body).not.to.have.property('merged_from');
    expect((await client.get('/v1/merges', { expect: 200 })).body.merges).to.deep.equal([]);
  });

  it('answers a repetition with the same merge, and refuses what is none', async () => {
    const [id, from] = await both();
    const third = await upsert({ external_id: 'c3' });
    const first = await merge(id, from);
    expect((await client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 202 })).body.id).to.equal(first.id);
    await refuse(id, id, 'from is the profile itself');
    await refuse(from, id, 'from is the profile itself');
    await refuse(third, from, 'from has been merged into another profile');
    await refuse(id, 'nobody', 'from is not the id of a profile');
    await client.post('/v1/profiles/nobody/merge', { from }, { expect: 404 });
    const many = Object.fromEntries(Array.from({ length: 399 }, (_, n) => [`a${n}`, n]));
    await upsert({ external_id: 'c3' }, many);
    await refuse(id, third, 'from has, together with the other profile, more than 400 attributes');
  });

  it('leaves nothing under the former id, and is erased with the one who stays', async () => {
    const [id, from] = await both();
    await send(GUEST);
    await merge(id, from);
    for (const [table, rule] of Object.entries(RULES)) {
      if ('keeps' in rule || table.startsWith('profile_')) continue;
      const rows = await query<{ text: string }>(`select t::text as text from "${table}" t`);
      expect(rows.map(({ text }) => text).join('\n'), table).not.to.include(from);
    }
    const { body } = await client.post('/v1/erasures', { profile_id: from }, { expect: 202 });
    await until(async () => {
      const { status } = (await client.get(`/v1/erasures/${body.id}`, { expect: 200 })).body;
      return status === 'complete';
    }, 'the customer is erased');
    for (const one of [id, from]) await client.get(`/v1/profiles/${one}`, { expect: 404 });
    expect((await client.get('/v1/merges', { expect: 200 })).body.merges).to.deep.equal([]);
    expect((await client.get('/v1/events', { expect: 200 })).body.events).to.deep.equal([]);
  });

  describe('GET /v1/merges', () => {
    it('lists them, the latest first', async () => {
      const [id, from] = await both();
      const first = await merge(id, from);
      const second = await merge(id, await upsert({ external_id: 'c3' }));
      const { body } = await client.get('/v1/merges?limit=1', { expect: 200 });
      expect(body.merges.map((one: Merge) => one.id)).to.deep.equal([second.id]);
      const next = await client.get(`/v1/merges?cursor=${body.next_cursor}`, { expect: 200 });
      expect(next.body.merges.map((one: Merge) => one.id)).to.deep.equal([first.id]);
    });
  });

  describe('GET /v1/merges/{id}', () => {
    it('tells what was moved, and what both were before', async () => {
      const [id, from] = await both();
      await send(GUEST);
      const { before, tables, ...merged } = await merge(id, from);
      expect(merged).to.include({ profile_id: id, from, status: 'complete' });
      expect(tables).to.deep.include({ table: 'event', row_count: 1 });
      expect(before).to.have.nested.property('profile.attributes.name', 'Ada');
      expect(before).to.have.nested.property('from.identifiers.email', GUEST.email);
      await client.get('/v1/merges/none', { expect: 404 });
    });
  });
});
