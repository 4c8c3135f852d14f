import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { deleteSuperseded } from '../../src/domain/profile-updates/delete-superseded.ts';
import { recordInTransaction } from '../../src/domain/write/record-batch.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileJobDocument } from './documents.ts';
import { runJob } from './steps.ts';

const PATH = '/compat/v1/profiles';
const NEVER = Number.POSITIVE_INFINITY;

interface Listed {
  id: string;
  name: string;
  updated: string;
}

describe('The journal of changes of profiles', () => {
  let service: TestService;
  let other: Database;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    other = await openDatabase(service.database.url, 2);
  });
  beforeEach(async () => {
    const made = await service.newKey();
    [client, storeId] = [new Client(service.url, made.key), made.storeId];
  });
  after(async () => {
    await other?.close();
    await service?.stop();
  });

  async function* pagesOf(query: Record<string, string>): AsyncGenerator<Listed[]> {
    for (let search: string | null = new URLSearchParams(query).toString(); search !== null; ) {
      const { body }: any = await client.get(`${PATH}?${search}`, { expect: 200 });
      yield body.data.map(({ id, attributes: { external_id: name, updated } }: any) => ({ id, name, updated }));
      search = body.links.next && new URL(body.links.next).search.slice(1);
    }
  }
  const readAll = async (query: Record<string, string>) => (await Array.fromAsync(pagesOf(query))).flat();
  const namesOf = (listed: readonly Listed[]) => listed.map(({ name }) => name);
  const save = (external_id: string, attributes: object = { at: newId() }) =>
    client.post('/v1/profiles/upsert', { identifiers: { external_id }, attributes });
  const create = (names: readonly string[]) =>
    runJob(client, profileJobDocument(names.map((external_id) => ({ external_id }))));
  const sweep = () => other.stores.each((db) => deleteSuperseded(db, NEVER));
  const entries = () =>
    service.database.query<{ at: string; ids: string[] }>(
      `select updated_at::text as at, profile_ids::text[] as ids from profile_update where store_id = '${storeId}'`,
    );

  it('lists everybody in order while customers change and what is superseded is removed', async () => {
    const quiet = Array.from({ length: 60 }, (_, n) => `quiet${n}`);
    const busy = Array.from({ length: 60 }, (_, n) => `busy${n}`);
    await create(quiet.flatMap((name, n) => [name, busy[n] as string]));
    let isOver = false;
    const until = async (work: () => Promise<unknown>) => {
      while (!isOver) await work();
    };
    const random = () => busy[Math.floor(Math.random() * busy.length)] as string;
    const others = Promise.all([...[1, 2, 3].map(() => until(() => save(random()))), until(sweep)]);
    try {
      for (let round = 0; round < 4; round += 1) {
        const listed = await readAll({ sort: round % 2 === 0 ? 'updated' : '-updated', 'page[size]': '20' });
        const found = namesOf(listed.filter(({ name }) => name.startsWith('quiet')));
        expect(found.toSorted(), 'those who did not change').to.deep.equal(quiet.toSorted());
        const times = listed.map(({ updated }) => updated);
        const inOrder = times.toSorted();
        expect(times).to.deep.equal(round % 2 === 0 ? inOrder : inOrder.toReversed());
      }
    } finally {
      isOver = true;
      await others;
    }
    const all = await service.database.query<{ name: string }>(
      `select external_id as name from profile where store_id = '${storeId}' order by updated_at, id`,
    );
    const expected = all.map(({ name }) => name);
    for (const size of ['7', '100']) {
      expect(namesOf(await readAll({ sort: 'updated', 'page[size]': size }))).to.deep.equal(expected);
      expect(namesOf(await readAll({ sort: '-updated', 'page[size]': size }))).to.deep.equal(expected.toReversed());
    }
  });

  it('has few entries of a customer who changed often, and one of each who did not', async () => {
    await create(['a', 'b', 'c']);
    for (let n = 0; n < 60; n += 1) await save('b');
    await sweep();
    expect(await entries()).to.have.length.within(2, 4);
  });

  it('has no entry of what changed nothing', async () => {
    await save('a', { tier: 'gold' });
    const before = await entries();
    await save('a', { tier: 'gold' });
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'a' } }, { expect: 201 });
    expect(await entries()).to.deep.equal(before);
  });

  it('keeps a change that is superseded by one which is not committed, and then removes it', async () => {
    await create(['a']);
    await create(['b']);
    const listed = async () => namesOf(await readAll({ sort: 'updated' }));
    const committed = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const draft = {
      identifiers: { external_id: 'a' },
      onIdentifierConflict: 'refuse',
      patch: { set: { x: 1 } },
    } as const;
    const change = other.stores
      .of(storeId)
      .transaction()
      .execute(async (tx) => {
        await recordInTransaction(tx, storeId, [draft]);
        changed.resolve();
        await committed.promise;
      });
    await Promise.race([changed.promise, change]);
    await sweep();
    expect(await listed()).to.deep.equal(['a', 'b']);
    committed.resolve();
    await change;
    expect(await listed()).to.deep.equal(['b', 'a']);
    await sweep();
    expect(await listed()).to.deep.equal(['b', 'a']);
    expect((await entries()).flatMap(({ ids }) => ids)).to.have.length(2);
  });

  it('is read in bounded steps past changes that are superseded', async () => {
    await create(['a', 'b']);
    const addSuperseded = () =>
      service.database.query(`
      insert into profile_update (store_id, updated_at, profile_ids)
      select store_id, updated_at - n * interval '1 s', array[id] from profile cross join generate_series(1, 1000) n cross join generate_series(1, 3)
      where store_id = '${storeId}'`);
    // While it is held, the service removes none of them.
    await other.stores
      .of(storeId)
      .transaction()
      .execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtext('footfall.profile_update'))`.execute(tx);
        await addSuperseded();
        for (const sort of ['updated', '-updated']) {
          const pages = await Array.fromAsync(pagesOf({ sort, 'page[size]': '10' }));
          expect(pages.length).to.be.within(3, 5);
          expect(namesOf(pages.flat())).to.have.members(['a', 'b']);
        }
      });
    // By and by: each round looks at some of them.
    for (let rounds = 0; rounds < 300 && (await entries()).length > 2; rounds += 1) await sweep();
    expect((await entries()).flatMap(({ ids }) => ids)).to.have.length(2);
  });

  it('lists each of those who changed in the same millisecond once, by their ids', async () => {
    const names = Array.from({ length: 250 }, (_, n) => `c${n}`);
    await create(names);
    const at = '2026-02-03T04:05:06.789Z';
    await service.database.query(`update profile set updated_at = '${at}' where store_id = '${storeId}'`);
    await service.database.query(`
      insert into profile_update (store_id, updated_at, profile_ids)
      select store_id, '${at}', array_agg(id) from profile cross join generate_series(1, 3) n
      where store_id = '${storeId}' group by 1, substr(id::text, 36) || n`);
    for (const [sort, size] of [
      ['updated', '10'],
      ['-updated', '99'],
    ] as const) {
      const listed = await readAll({ sort, 'page[size]': size });
      const ids = listed.map(({ id }) => id);
      expect(ids).to.have.length(names.length);
      expect(sort === 'updated' ? ids : ids.toReversed()).to.deep.equal(ids.toSorted());
    }
  });
});
