import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { deletionOfHistory } from '../../src/domain/profile-history/delete-old.ts';
import { profileJobDocument } from '../compat/documents.ts';
import { recordEvent, runJob, saveProfile } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ADA = 'ada@example.com';

describe('GET /v1/profiles/{id}/history', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;
  let keyId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    const { id, key } = await service.newKey({ storeId });
    keyId = id;
    client = new Client(service.url, key);
    await keep(90);
  });
  after(() => service.stop());

  /** Takes effect within a second. */
  const keep = async (days: number) => {
    await client.send('PATCH', '/v1/store', JSON.stringify({ history_days: days }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await sleep(1_100);
  };
  /** What the service does every minute. */
  const deleteOld = async () => {
    const { sql: db, stores, close } = await openDatabase(service.database.address, 1);
    try {
      await deletionOfHistory(stores.shared).run(db, Number.POSITIVE_INFINITY);
    } finally {
      await close();
    }
  };
  const upsert = async (body: object) => (await client.post('/v1/profiles/upsert', body)).body;
  const historyOf = async (id: string, query = '') =>
    (await client.get(`/v1/profiles/${id}/history${query}`, { expect: 200 })).body;
  const changesOf = async (id: string) => (await historyOf(id)).changes;

  it('says what was before and after, when, by which operation and key', async () => {
    const { id } = await upsert({
      identifiers: { email: ADA },
      attributes: { plan: 'free', city: 'Turin', tags: ['a'] },
    });
    await upsert({ identifiers: { email: ADA, phone: '+442079460958' }, attributes: { plan: 'pro', city: null } });
    await upsert({ identifiers: { email: ADA }, attributes: { plan: 'pro' } });
    const [second, first, ...others] = await changesOf(id);
    expect(others).to.deep.equal([]);
    expect(first).to.deep.include({
      created: true,
      source: { surface: 'native', operation: 'upsertProfile', actor: keyId, actor_name: 'test' },
      attributes: { plan: { to: 'free' }, city: { to: 'Turin' }, tags: { to: ['a'] } },
      identifiers: { gained: [{ kind: 'email', value: ADA }], lost: [], shown: { email: { from: null, to: ADA } } },
    });
    expect(second).to.deep.include({
      created: false,
      attributes: { plan: { from: 'free', to: 'pro' }, city: { from: 'Turin' } },
      identifiers: {
        gained: [{ kind: 'phone', value: '+442079460958' }],
        lost: [],
        shown: { phone: { from: null, to: '+442079460958' } },
      },
    });
    expect(Date.parse(second.changed_at)).to.be.at.least(Date.parse(first.changed_at));
    const { body } = await client.get(`/v1/profiles/${id}`, { expect: 200 });
    expect(second.changed_at).to.equal(body.updated_at);
  });

  it('knows what came by events, one by one and in bulk, by jobs, imports and automations', async () => {
    const event = { event_type: 'visit', profile: { email: ADA } };
    const { profile_id: id } = (await client.post('/v1/events', event, { expect: 201 })).body;
    const known = { ...event, profile: { email: ADA, external_id: 'crm_1' } };
    await client.post('/v1/events/bulk', { events: [event, known] }, { expect: 201 });
    await recordEvent(client, { metric: 'Viewed', profile: { email: ADA, properties: { visits: 3 } } });
    await saveProfile(client, { email: ADA, properties: { visits: 4 } });
    await runJob(client, profileJobDocument([{ email: ADA, properties: { visits: 5 } }]));
    const { body: opened } = await client.post('/v1/imports', {}, { expect: 201 });
    await client.send('PUT', `/v1/imports/${opened.id}/parts/1`, JSON.stringify({ text: `email,visits\n${ADA},6\n` }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    const mapping = [
      { column: 'email', identifier: 'email' },
      { column: 'visits', attribute: 'visits', type: 'number' },
    ];
    await client.post(`/v1/imports/${opened.id}/start`, { mapping }, { expect: 202 });
    await until(async () => (await changesOf(id)).length === 6, 'the import is in the history');
    const { body: automation } = await client.post(
      '/v1/automations',
      {
        definition: {
          name: 'Counts',
          trigger: { type: 'event', event_type: 'counted' },
          start: 'count',
          steps: [{ id: 'count', type: 'set_profile', set: { visits: 7 }, next: null }],
        },
      },
      { expect: 201 },
    );
    await client.post(`/v1/automations/${automation.id}/publish`, { revision: automation.revision }, { expect: 200 });
    await client.post('/v1/events', { event_type: 'counted', profile: { email: ADA } }, { expect: 201 });
    await until(async () => (await changesOf(id)).length === 7, 'what the automation does is in the history');
    const changes = await changesOf(id);
    expect(changes.map(({ source }: any) => source.operation)).to.deep.equal([
      ...['set_profile', 'startImport', 'createProfileBulkImportJob', 'createCompatProfile', 'createCompatEvent'],
      ...['createEventsBulk', 'createEvent'],
    ]);
    expect(changes.map(({ attributes }: any) => attributes.visits?.to)).to.deep.equal([
      7,
      6,
      5,
      4,
      3,
      undefined,
      undefined,
    ]);
    expect(changes[5].identifiers.gained).to.deep.equal([{ kind: 'external_id', value: 'crm_1' }]);
    expect(changes[6].created).to.equal(true);
    expect(changes[0].source).to.deep.include({ surface: 'automation', actor: automation.id });
    expect(changes[2].source).to.deep.include({ surface: 'compat', actor: keyId });
  });

  it('has nothing of a store that keeps none, and nothing any more once it keeps none', async () => {
    const { id } = await upsert({ identifiers: { email: ADA }, attributes: { plan: 'free' } });
    await keep(0);
    await upsert({ identifiers: { email: ADA }, attributes: { plan: 'pro' } });
    expect(await changesOf(id)).to.have.length(1);
    await deleteOld();
    expect(await changesOf(id)).to.deep.equal([]);
    await keep(90);
    await upsert({ identifiers: { email: ADA }, attributes: { plan: 'free' } });
    await deleteOld();
    expect(await changesOf(id)).to.have.length(1);
  });

  it('holds no address any more that the customer has lost, once whoever has it since is erased', async () => {
    const { id } = await upsert({ identifiers: { email: ADA, external_id: 'ada' }, attributes: { plan: 'pro' } });
    await saveProfile(client, { external_id: 'ada', email: 'lovelace@example.com' });
    const unappend = { meta: { patch_identifiers: { unappend: { email: ADA } } } };
    await saveProfile(client, { external_id: 'ada', beside: unappend });
    const before = JSON.stringify(await changesOf(id));
    expect(before).to.include('"lost"').and.include(ADA);
    const { id: other } = await upsert({ identifiers: { email: ADA } });
    expect(other).not.to.equal(id);
    const erasure = (await client.post('/v1/erasures', { profile_id: other }, { expect: 202 })).body.id;
    const status = async () => (await client.get(`/v1/erasures/${erasure}`, { expect: 200 })).body.status;
    await until(async () => (await status()) === 'complete', 'it is complete');
    const after = JSON.stringify(await changesOf(id));
    expect(after).not.to.include(ADA);
    expect(after).to.include('lovelace@example.com').and.include('"pro"').and.include('"ada"');
  });

  it('says of an address that came and went in one job that it did both', async () => {
    const own = { external_id: 'ada' };
    await upsert({ identifiers: { external_id: 'ada', email: 'lovelace@example.com' } });
    const gains = {
      ...own,
      email: 'lovelace@example.com',
      beside: { meta: { patch_identifiers: { append: { email: ADA } } } },
    };
    const loses = { ...own, beside: { meta: { patch_identifiers: { unappend: { email: ADA } } } } };
    await runJob(client, profileJobDocument([gains, loses]));
    const { id } = (await client.get('/v1/profiles?external_id=ada', { expect: 200 })).body.profiles[0];
    const changes: any[] = await changesOf(id);
    expect(changes.flatMap(({ identifiers }) => identifiers.lost ?? [])).to.deep.include({ kind: 'email', value: ADA });
  });

  it('comes page by page, the latest first', async () => {
    const { id } = await upsert({ identifiers: { email: ADA }, attributes: { n: 0 } });
    for (const n of [1, 2, 3, 4]) await upsert({ identifiers: { email: ADA }, attributes: { n } });
    const seen: number[] = [];
    let next = '';
    do {
      const page = await historyOf(id, `?limit=2${next}`);
      seen.push(...page.changes.map(({ attributes }: any) => attributes.n.to));
      next = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (next);
    expect(seen).to.deep.equal([4, 3, 2, 1, 0]);
  });

  it('leaves out values that are large, and says so', async () => {
    const { id } = await upsert({ identifiers: { email: ADA }, attributes: { essay: 'x'.repeat(5_000) } });
    const [{ attributes }] = await changesOf(id);
    expect(attributes.essay.to.omitted_bytes).to.be.within(5_000, 5_010);
  });

  it('comes on shorter pages where the names of what has changed are long', async () => {
    const name = 'x'.repeat(400_000);
    for (let n = 0; n < 8; n += 1) await upsert({ identifiers: { email: ADA }, attributes: { [name]: n } });
    const { id } = await upsert({ identifiers: { email: ADA } });
    const seen: string[] = [];
    let [next, pages] = ['', 0];
    do {
      const page = await historyOf(id, next);
      expect(JSON.stringify(page).length).to.be.lessThan(2_000_000);
      for (const { id, attributes } of page.changes) if (name in attributes) seen.push(id);
      next = page.next_cursor === null ? '' : `?cursor=${page.next_cursor}`;
      pages += 1;
    } while (next);
    expect(seen).to.have.length(8);
    expect(seen).to.deep.equal(seen.toSorted().reverse());
    expect(pages).to.be.greaterThan(1);
  });

  it('says what a merge has brought', async () => {
    const { id } = await upsert({ identifiers: { email: ADA }, attributes: { plan: 'free' } });
    const { id: other } = await upsert({
      identifiers: { external_id: 'crm_2' },
      attributes: { plan: 'pro', city: 'Turin', essay: 'x'.repeat(5_000) },
    });
    await client.post(`/v1/profiles/${id}/merge`, { from: other, dry_run: true }, { expect: 200 });
    await client.post(`/v1/profiles/${id}/merge`, { from: other }, { expect: 202 });
    const merges = (await changesOf(id)).filter(({ source }: any) => source.operation === 'mergeProfiles');
    expect(merges).to.have.length(1);
    expect(merges[0]).to.deep.include({
      created: false,
      source: { surface: 'native', operation: 'mergeProfiles', actor: keyId, actor_name: 'test' },
      attributes: { city: { to: 'Turin' }, essay: { to: { omitted_bytes: 5_002 } } },
      identifiers: {
        gained: [{ kind: 'external_id', value: 'crm_2' }],
        lost: [],
        shown: { external_id: { from: null, to: 'crm_2' } },
      },
    });
  });

  it('goes with the customer: into another one by a merge, away by an erasure', async () => {
    const { id } = await upsert({ identifiers: { email: ADA }, attributes: { n: 1 } });
    const { id: other } = await upsert({ identifiers: { external_id: 'crm_1' }, attributes: { m: 1 } });
    await client.post(`/v1/profiles/${id}/merge`, { from: other }, { expect: 202 });
    await until(async () => (await changesOf(id)).some(({ attributes }: any) => attributes.m), 'it has moved');
    await client.post('/v1/erasures', { profile_id: id }, { expect: 202 });
    const count = async () =>
      (await service.database.query(`select id from profile_history where store_id = '${storeId}'`)).length;
    await until(async () => (await count()) === 0, 'it is erased');
  });

  it('is refused of customers whom the store does not have, and without the scope', async () => {
    await client.get('/v1/profiles/01936b2e-7c19-7a02-8c51-0d9f6a1e4b77/history', { expect: 404 });
    const { id } = await upsert({ identifiers: { email: ADA } });
    await (await service.client()).get(`/v1/profiles/${id}/history`, { expect: 404 });
    const writer = await service.client({ storeId, scopes: ['profiles:write'] });
    await writer.get(`/v1/profiles/${id}/history`, { expect: 403 });
    await client.get(`/v1/profiles/${id}/history?limit=0`, { expect: 400 });
    await client.send('PATCH', '/v1/store', '{"history_days":401}', {
      headers: { 'Content-Type': 'application/json' },
      expect: 400,
    });
  });
});
