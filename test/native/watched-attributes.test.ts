import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { addFeedReader, readNext } from '../../src/domain/feed/readers.ts';
import { eventJobDocument, profileJobDocument } from '../compat/documents.ts';
import { recordEvent, runJob, saveProfile } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { StatementTap } from '../support/statement-tap.ts';

interface Change {
  id: string;
  profile_id: string;
  changes: object;
  depth: number;
}

const identifiers = { email: 'ada@example.com' };

describe('Attributes that automations watch', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
    await watch('tier', 'points', 'tags');
  });
  after(() => service.stop());

  const watch = (...names: string[]) =>
    service.database.query(`insert into automation_watch values ('${storeId}', '{${names.map((one) => `"${one}"`)}}')
      on conflict (store_id) do update set names = excluded.names`);
  const upsert = async (attributes: object, expect = 200) =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect })).body;
  const rows = () =>
    service.database.query<Change>(`select id, profile_id, changes, depth from profile_change
      where store_id = '${storeId}' order by id`);
  const changes = async () => (await rows()).map((row) => row.changes);

  it('leave a row for each change, with what they were and what they are', async () => {
    const { id } = await upsert({ tier: 'silver', points: 0, name: 'Ada' }, 201);
    await upsert({ name: 'Ada L.' });
    await upsert({ tier: 'silver' });
    await upsert({ tier: 'gold', points: null, name: null });
    await upsert({ tier: null });
    const expected = [
      { tier: { to: 'silver' }, points: { to: 0 } },
      { tier: { from: 'silver', to: 'gold' }, points: { from: 0 } },
      { tier: { from: 'gold' } },
    ];
    expect(await changes()).to.deep.equal(expected);
    for (const row of await rows()) expect(row).to.include({ profile_id: id, depth: 0 });
  });

  it('are entries of the change feed, in its order', async () => {
    const database = await openDatabase(service.database.address, 2);
    try {
      const db = database.stores.of(storeId);
      const reader = { storeId, name: 'test', kinds: ['profile_change', 'event'] as const };
      await addFeedReader(db, reader);
      for (const tier of ['silver', 'gold']) {
        await upsert({ tier }, tier === 'silver' ? 201 : 200);
        await client.post('/v1/events', { event_type: tier, profile: identifiers }, { expect: 201 });
      }
      const read: string[] = [];
      const limits = { items: 100, bytes: 1_000 };
      while (
        await readNext(db, reader, limits, async (_, { changes }) => {
          for (const one of changes) read.push(one.kind === 'event' ? one.event.eventType : one.id);
        })
      );
      const [first, second] = await rows();
      expect(read).to.deep.equal([first?.id, 'silver', second?.id, 'gold']);
    } finally {
      await database.close();
    }
  });

  it('leave a row for each request of a batch, in their order', async () => {
    const tiers = ['silver', 'gold', 'gold', 'silver'];
    await runJob(client, profileJobDocument(tiers.map((tier) => ({ ...identifiers, properties: { tier } }))));
    expect(await changes()).to.deep.equal([
      { tier: { to: 'silver' } },
      { tier: { from: 'silver', to: 'gold' } },
      { tier: { from: 'gold', to: 'silver' } },
    ]);
    const [entry] = await service.database.query<{ ids: string[] }>(
      `select ids from addition where store_id = '${storeId}' and kind = 'profile_change'`,
    );
    expect(entry?.ids).to.deep.equal((await rows()).map(({ id }) => id));
  });

  it('keep their values exactly', async () => {
    const values = [
      1e300,
      0.1,
      -5e-7,
      9007199254740991,
      '9007199254740993',
      'Zoë\n"\u2028',
      false,
      { b: [1, {}], a: 1 },
    ];
    for (const [n, points] of values.entries()) await upsert({ points }, n === 0 ? 201 : 200);
    const texts = await service.database.query<{ to: string }>(
      `select changes #>> '{points,to}' as to from profile_change where store_id = '${storeId}' order by id`,
    );
    expect(
      texts
        .map(({ to }) => to)
        .slice(0, 4)
        .map(Number),
    ).to.deep.equal(values.slice(0, 4));
    expect((await changes()).map((row: any) => row.points.to)).to.deep.equal(values);
    expect((await changes()).map((row: any) => row.points.from)).to.deep.equal([undefined, ...values.slice(0, -1)]);
  });

  it('change by each kind of patch, unless it ends where it began', async () => {
    const patch = (patch_properties: object) =>
      saveProfile(client, { ...identifiers, beside: { meta: { patch_properties } } });
    await upsert({ tier: 'gold', tags: ['a'] }, 201);
    await patch({ append: { tags: 'b' } });
    await patch({ append: { tags: ['a', 'b'] } });
    await patch({ append: { tags: 'c' }, unappend: { tags: 'c' } });
    await patch({ unappend: { tags: 'a' } });
    await patch({ unset: ['tags', 'tier', 'points'] });
    expect((await changes()).slice(1)).to.deep.equal([
      { tags: { from: ['a'], to: ['a', 'b'] } },
      { tags: { from: ['a', 'b'], to: ['b'] } },
      { tags: { from: ['b'] }, tier: { from: 'gold' } },
    ]);
  });

  it('change with events too, but not with history', async () => {
    const profile = { ...identifiers, properties: { tier: 'silver' } };
    await recordEvent(client, { metric: 'Visit', profile, backfill: true, unique_id: 'u1' });
    expect(await changes()).to.deep.equal([]);
    await recordEvent(client, { metric: 'Visit', profile: { ...identifiers, properties: { tier: 'gold' } } });
    await recordEvent(client, {
      metric: 'Visit',
      profile: { ...identifiers, properties: { tier: 'x' } },
      unique_id: 'u1',
    });
    const group = {
      profile: { ...identifiers, properties: { points: 1 } },
      events: [{ metric: 'A' }, { metric: 'B' }],
    };
    await runJob(client, eventJobDocument([group]));
    await runJob(
      client,
      eventJobDocument([{ ...group, profile: { ...identifiers, properties: { points: 2 } }, backfill: true }]),
    );
    expect(await changes()).to.deep.equal([{ tier: { from: 'silver', to: 'gold' } }, { points: { to: 1 } }]);
  });

  it('change with what pages send, and with large requests', async () => {
    const page = new Client(service.url, (await service.newKey({ storeId, scopes: ['client:write'] })).key);
    const attributes = { ...identifiers, properties: { tier: 'gold' } };
    await page.post('/compat/v1/client/profiles', { data: { type: 'profile', attributes } }, { expect: 202 });
    await upsert({ points: 5, text: 'x'.repeat(90_000) });
    // By now, these are attributes that the thread of requests does not parse.
    await upsert({ points: 6 });
    expect(await changes()).to.deep.equal([
      { tier: { to: 'gold' } },
      { points: { to: 5 } },
      { points: { from: 5, to: 6 } },
    ]);
  });

  it('do not change with a request that is refused', async () => {
    await upsert({ tier: 'gold' }, 201);
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`a${n}`, n]));
    await upsert({ tier: 'silver', ...many }, 400);
    const repeat = { identifiers: { ...identifiers, external_id: 'c1' } };
    await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'c1' } }, { expect: 201 });
    await client.post('/v1/profiles/upsert', { ...repeat, attributes: { tier: 'silver' } }, { expect: 400 });
    expect(await changes()).to.deep.equal([{ tier: { to: 'gold' } }]);
  });

  it('leave small rows, however large they are', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `a${n}`);
    await watch('tags', ...names);
    const list = Array.from({ length: 1_000 }, (_, n) => `tag ${n}`);
    await upsert({ tags: list.slice(1) }, 201);
    await saveProfile(client, {
      ...identifiers,
      beside: { meta: { patch_properties: { append: { tags: 'tag 5' } } } },
    });
    await saveProfile(client, {
      ...identifiers,
      beside: { meta: { patch_properties: { append: { tags: 'tag 0' } } } },
    });
    await upsert({ tags: 'few' });
    const [first, second, third, ...more] = (await changes()) as Record<string, any>[];
    const omitted_bytes = first?.tags.to.omitted_bytes;
    expect(omitted_bytes).to.be.greaterThan(4_096);
    expect(first).to.deep.equal({ tags: { to: { omitted_bytes } } });
    expect(second?.tags.from).to.deep.equal({ omitted_bytes });
    expect(second?.tags.to.omitted_bytes).to.be.greaterThan(omitted_bytes);
    expect(third).to.deep.equal({ tags: { from: second?.tags.to, to: 'few' } });
    expect(more).to.deep.equal([]);
    await upsert(Object.fromEntries(names.map((name) => [name, 'x'.repeat(4_000)])));
    const last = (await changes()).at(-1) as Record<string, any>;
    expect(Object.keys(last)).to.have.length(20);
    expect(JSON.stringify(last).length).to.be.within(25_000, 33_000);
    expect(names.map((name) => last[name].to).filter((to) => to === 'x'.repeat(4_000))).to.have.length(8);
  });
});

describe('Where automations watch no attributes', () => {
  let database: TestDatabase;
  let tap: StatementTap;
  let service: TestService;

  before(async () => {
    database = await createUndividedDatabase();
    tap = await StatementTap.start(database.url);
    service = await TestService.start({ DATABASE_URL: tap.url }, database);
  });
  after(async () => {
    await service.stopService();
    await tap.stop();
    await database.drop();
  });

  /** What is said of automations in statements that write what they follow. */
  const mentions = () =>
    [...tap.statements.keys()]
      .filter((text) =>
        /into (?:event|addition|profile|profile_identifier)\b|from (?:profile|idempotency_key)\b/.test(text),
      )
      .filter((text) => /automation|profile_change/.test(text));

  it('no statement that writes events knows of automations, and those that write profiles ask once', async () => {
    const { key, storeId } = await service.newKey();
    const client = new Client(service.url, key);
    const [one, both] = [{ email: 'a@example.com' }, { email: 'a@example.com', external_id: 'c1' }];
    const event = { event_type: 'visit', idempotency_key: 'a' };
    for (const profile of [one, both, one, { external_id: 'c2', phone: '+39061234' }]) {
      await client.post('/v1/events', { ...event, profile }, { expect: 201 });
      const events = [1, 2].map(() => ({ event_type: 'visit', profile, backfill: true }));
      await client.post('/v1/events/bulk', { events }, { expect: 201 });
    }
    await recordEvent(client, { metric: 'Visit', profile: one });
    await runJob(client, eventJobDocument([{ profile: one, events: [{ metric: 'Visit' }] }]));
    await client.post('/v1/profiles/upsert', { identifiers: one }, { expect: 200 });
    expect(mentions()).to.deep.equal([]);
    await client.post('/v1/profiles/upsert', { identifiers: one, attributes: { tier: 'gold' } }, { expect: 200 });
    expect(mentions()).to.have.length(1);
    expect(mentions()[0]).to.match(/select names from automation_watch.*for update/s);
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'b@example.com' }, attributes: { tier: 'gold' } });
    expect(mentions()).to.have.length(1);
    const written = await database.query(`
      select from profile_change where store_id = '${storeId}'
      union all select from addition where store_id = '${storeId}' and kind = 'profile_change'`);
    expect(written).to.deep.equal([]);
  });
});
