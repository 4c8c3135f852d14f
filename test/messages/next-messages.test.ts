import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { lockNext } from '../../src/domain/messages/sending/due-messages.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

describe('The next messages of a sender', () => {
  let service: TestService;
  let database: Database;
  let shop: Shop;
  let sender: string;

  before(async () => {
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
    database = await openDatabase(service.database.url, 1);
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    [{ id: sender }] = (await shop.client.get<any>('/v1/senders', { expect: 200 })).body.senders;
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  /** Has as many wait, since so many minutes ago. */
  const wait = (count: number, source: string, messageClass: string, minutes: number) =>
    shop.query(`
      insert into message (store_id, id, profile_id, sender_id, source, channel, class, status, context, due_at, created_at)
      select '${shop.storeId}', uuidv7(), uuidv7(), '${sender}', '${source}', 'email', '${messageClass}', 'waiting',
        '{"data":{},"event":null}', now() - interval '${minutes} minutes', now()
      from generate_series(1, ${count})`);

  /** How many of each source are next. */
  async function next(limit: number): Promise<Record<string, number>> {
    const rows = await database.sql.transaction().execute((tx) => lockNext(tx, shop.storeId, sender, limit));
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
    const counts = [...Map.groupBy(rows, ({ source }) => source)].map(([source, some]) => [source, some.length]);
    return Object.fromEntries(counts);
  }

  it('are half transactional ones behind a campaign, also with others among its messages', async () => {
    await wait(1, 'automation', 'marketing', 30);
    await wait(20, 'campaign', 'marketing', 20);
    await wait(8, 'request', 'transactional', 10);
    expect(await next(10)).to.deep.equal({ request: 5, automation: 1, campaign: 4 });
  });

  it('are each there once, where transactional ones are at the head already', async () => {
    await wait(2, 'request', 'transactional', 30);
    await wait(20, 'campaign', 'marketing', 20);
    await wait(1, 'request', 'transactional', 10);
    expect(await next(10)).to.deep.equal({ request: 3, campaign: 7 });
  });

  it('are those that have been due for the longest time, where there is no campaign', async () => {
    await wait(10, 'automation', 'marketing', 20);
    await wait(5, 'request', 'transactional', 10);
    expect(await next(10)).to.deep.equal({ automation: 10 });
  });
});
