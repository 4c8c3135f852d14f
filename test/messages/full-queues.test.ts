import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { messageQueues } from '../../src/domain/messages/core/queue.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

describe('The queue of a sender', () => {
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

  /** Has as many messages wait. */
  const wait = (count: number, source: string, messageClass: string) =>
    shop.query(`
      insert into message (store_id, id, profile_id, sender_id, source, channel, class, status, context, due_at, created_at)
      select '${shop.storeId}', uuidv7(), uuidv7(), '${sender}', '${source}', 'email', '${messageClass}', 'waiting',
        '{"data":{},"event":null}', now(), now()
      from generate_series(1, ${count})`);

  const isFull = (most: number) => messageQueues(most).isFull(database.sql, shop.storeId, sender);

  it('is full with so many messages, of whichever class', async () => {
    await wait(2, 'request', 'transactional');
    await wait(2, 'automation', 'marketing');
    expect([await isFull(3), await isFull(4)]).to.deep.equal([true, false]);
  });

  it('is not full of those of campaigns, however many', async () => {
    await wait(50, 'campaign', 'marketing');
    await wait(1, 'request', 'transactional');
    expect([await isFull(0), await isFull(1)]).to.deep.equal([true, false]);
  });
});
