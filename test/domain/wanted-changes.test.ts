import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { readWantedChanges, type WantedEvents } from '../../src/domain/feed/changes.ts';
import { assignAllPositions, type FeedPosition } from '../../src/domain/feed/positions.ts';
import type { Client } from '../support/client.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const KINDS = ['event', 'profile'] as const;

describe('Changes of the feed that a reader has a use for', () => {
  let service: TestService;
  let database: Database;
  let db: Sql;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    database = await openDatabase(service.database.address, 2, SETTINGS_OF_ENGINES);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });
  beforeEach(async () => {
    ({ storeId } = await service.newKey());
    client = await service.client({ storeId });
    db = database.stores.of(storeId);
    await assignAllPositions(db, storeId);
  });

  /** Reads all, some at a time, and returns the ids of events. */
  async function read(
    events: WantedEvents,
    { items = 1_000, bytes = 1_000_000, kinds = ['event'] as readonly (typeof KINDS)[number][] } = {},
  ): Promise<string[]> {
    const to = await assignAllPositions(db, storeId);
    const ids: string[] = [];
    let from: FeedPosition = { entry: 0, items: 0 };
    while (from.entry < to) {
      const { changes, reached } = await readWantedChanges(db, storeId, { from, to, kinds, events }, { items, bytes });
      expect(changes.length).to.be.at.most(items);
      expect(reached).not.to.deep.equal(from);
      ids.push(...changes.map((change) => ('event' in change ? change.event.id : '')));
      from = reached;
    }
    return ids;
  }
  const event = (event_type: string, n: number, more: object = {}) => ({
    event_type,
    profile: { external_id: `c${n % 3}` },
    properties: { n },
    ...more,
  });

  it('are looked for among as few items as are asked for, so that very large ones can be passed', async () => {
    await record(client, ...Array.from({ length: 5 }, (_, n) => event('viewed', n)));
    const to = await assignAllPositions(db, storeId);
    const range = { from: { entry: 0, items: 0 }, to, kinds: ['event'] as const, events: { types: ['bought'] } };
    const read = (scanned?: number) =>
      readWantedChanges(db, storeId, range, { items: 10, bytes: 1_000_000, ...(scanned ? { scanned } : {}) });
    const { reached } = await read(2);
    expect(reached).to.deep.equal({ entry: 0, items: 2 });
    expect((await read()).reached.entry).to.equal(to);
  });

  it('are events of some types that are not backfilled, in order, however many at a time', async () => {
    const types = ['asked', 'viewed', 'bought', 'viewed', 'viewed'];
    const batches = [1, 40, 1, 1, 23].map((length, batch) =>
      Array.from({ length }, (_, n) => event(types[(n + batch) % types.length] as string, n)),
    );
    const ids: string[] = [];
    for (const batch of batches) ids.push(...(await record(client, ...batch)));
    await record(client, event('asked', 1, { backfill: true }));
    const sent = batches.flat();
    const expected = ids.filter((_, i) => ['asked', 'bought'].includes(sent[i]?.event_type ?? ''));
    for (const items of [1, 2, 7, 1_000]) {
      expect(await read({ types: ['asked', 'bought'] }, { items })).to.deep.equal(expected);
    }
    expect(await read({ types: [] })).to.deep.equal([]);
    expect(await read({ types: ['asked', 'bought'] }, { kinds: KINDS, items: 3 })).to.have.length(expected.length + 3);
  });

  it('are those of which something else holds', async () => {
    const ids = await record(client, ...['asked', 'bought', 'bought'].map((type, n) => event(type, n)));
    const condition = sql`
      e.event_type = 'asked' or e.profile_id in (select profile_id from wanted where event_type = 'bought' limit 1)`;
    expect(await read({ types: ['asked', 'bought'], condition })).to.deep.equal(ids.slice(0, 2));
  });

  it('are read in the order of the feed where they are large and their ids are in another', async () => {
    const ids = await record(
      client,
      ...Array.from({ length: 9 }, (_, n) => event('asked', n, { properties: large(n) })),
    );
    await sql`
      update addition set ids = (select array_agg(id order by n desc) from unnest(ids) with ordinality as item (id, n))
      where store_id = ${storeId} and kind = 'event'`.execute(db);
    const backwards = ids.toReversed();
    expect(await read({ types: ['asked'] }, { bytes: 25_000 })).to.deep.equal(backwards);
    expect(await read({ types: ['asked'] }, { bytes: 1 })).to.deep.equal(backwards);
  });

  it('do not include what was deleted meanwhile', async () => {
    const ids = await record(client, ...['asked', 'asked', 'asked'].map((type, n) => event(type, n)));
    await sql`delete from event where store_id = ${storeId} and id = ${ids[1]}`.execute(db);
    expect(await read({ types: ['asked'] }, { items: 1 })).to.deep.equal([ids[0], ids[2]]);
  });

  it('are found behind more entries than one query reads, of which nothing is left', async () => {
    await sql`
      insert into addition (store_id, first_id, last_id, kind, ids)
      select ${storeId}::uuid, uuidv7(), uuidv7(), 'event', '{}' from generate_series(1, 2100)`.execute(db);
    const ids = await record(client, event('asked', 1));
    expect(await read({ types: ['asked'] })).to.deep.equal(ids);
  });
});

/** Of 10 KB that can't be compressed. */
function large(n: number): object {
  return { text: Array.from({ length: 10_000 }, (_, i) => ((i * i * 7919 + n * 31 * i) % 36).toString(36)).join('') };
}
