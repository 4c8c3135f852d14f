import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import type { Caller } from '../../src/domain/api-keys.ts';
import { Feed } from '../../src/domain/following/feed.ts';
import { newId } from '../../src/domain/id.ts';
import { EVENT_STREAM } from '../../src/native/stream-events.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { TcpProxy } from '../support/proxy.ts';

const NOBODY = { isReady: () => true, send: () => {}, end: () => {} };

describe('the feed', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let opened: Database;
  let feed: Feed;
  let caller: Caller;

  before(async () => {
    database = await createDatabase();
    proxy = await TcpProxy.start(database.url);
    opened = await openDatabase(proxy.url, 1);
  });
  after(async () => {
    await opened.orm.close(true);
    await proxy.stop();
    await database.drop();
  });
  beforeEach(() => {
    feed = new Feed(opened.sql, EVENT_STREAM);
    caller = {
      keyId: newId(),
      storeId: newId(),
      windowId: newId(),
      scopes: new Set(),
      tier: 'standard',
      expiresAt: null,
    };
  });

  it('has no place for those for whom nobody waits any more, once it could begin', async () => {
    const deadline = new AbortController();
    proxy.blackHole();
    const late = Array.from({ length: 50 }, () => feed.follow(caller, NOBODY, undefined, deadline.signal));
    deadline.abort();
    proxy.heal();
    for (const { status } of await Promise.allSettled(late)) expect(status).to.equal('rejected');
    await feed.follow(caller, NOBODY, undefined, new AbortController().signal);
  });
});
