import { expect } from 'chai';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import type { PositionedChange } from '../../src/domain/feed/changes.ts';
import { addFeedReader, type FeedReader, readNext } from '../../src/domain/feed/readers.ts';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const LIMITS = { items: 7, bytes: 1_000_000 };

type Kind = 'list_change' | 'event';

describe('Changes of lists in the change feed', () => {
  let service: TestService;
  let database: Database;
  let db: Sql;
  let client: Client;
  let key: string;
  let reader: FeedReader<Kind>;

  before(async () => {
    service = await TestService.start();
    database = await openDatabase(service.database.address, 2);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });
  beforeEach(async () => {
    const created = await service.newKey();
    key = created.key;
    client = (await service.client()).as(key);
    db = database.stores.of(created.storeId);
    reader = { storeId: created.storeId, name: 'test', kinds: ['list_change', 'event'] };
    await addFeedReader(db, reader);
  });

  async function read(): Promise<string[]> {
    const all: PositionedChange<Kind>[] = [];
    while (
      await readNext(db, reader, LIMITS, async (_, { changes }) => {
        all.push(...changes);
      })
    );
    return all.map((change) =>
      change.kind === 'event'
        ? change.event.profileId
        : `${change.listId} ${change.hasJoined ? '+' : '-'} ${change.profileId}`,
    );
  }

  it('name the list and each profile that has joined or left it, once and in order', async () => {
    const list = (await client.post<any>('/v1/lists', { name: 'Newsletter' })).body.id;
    const external_ids = Array.from({ length: 20 }, (_, n) => ({ external_id: `c${n}` }));
    const events = external_ids.map((profile) => ({ event_type: 'seen', profile }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const seen = await read();
    await client.post(`/v1/lists/${list}/members`, { members: external_ids }, { expect: 200 });
    await client.post(`/v1/lists/${list}/members`, { members: external_ids }, { expect: 200 });
    await client.post(`/v1/lists/${list}/members/remove`, { members: external_ids.slice(0, 2) }, { expect: 200 });
    const changes = await read();
    expect(changes.slice(0, 20)).to.have.members(seen.map((id) => `${list} + ${id}`));
    expect(changes.slice(20)).to.have.members(seen.slice(0, 2).map((id) => `${list} - ${id}`));
    expect(await read()).to.deep.equal([]);
  });

  it('are passed over by streams', async () => {
    const stream = await EventStream.open(service.url, key);
    const list = (await client.post<any>('/v1/lists', { name: 'Newsletter' })).body.id;
    await client.post('/v1/events', { event_type: 'before', profile: { external_id: 'c' } }, { expect: 201 });
    await client.post(`/v1/lists/${list}/members`, { members: [{ external_id: 'c' }] }, { expect: 200 });
    await client.post('/v1/events', { event_type: 'after', profile: { external_id: 'c' } }, { expect: 201 });
    await until(() => stream.eventIds.length === 2, 'both events have come');
    stream.close();
    expect(stream.messages.map(({ type }) => type).filter((type) => type !== 'heartbeat')).to.deep.equal([
      'event',
      'event',
    ]);
  });
});
