import { expect } from 'chai';
import { expectCluster } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { AS_PROMISED, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { hang, type PlacedStore, placeOf, storesApart } from './stage.ts';

/** Large requests that a process handles at the same time. */
const MOST_LARGE = 3;

describe('While a node of a Citus cluster (CITUS_URL) hangs', () => {
  let service: TestService;
  let hanging: PlacedStore[];
  let other: PlacedStore;
  let goOn: () => Promise<void>;

  before(async function () {
    this.timeout(120_000);
    expectCluster(this);
    service = await TestService.start(AS_PROMISED);
    const [first, apart] = await storesApart(service);
    const node = await placeOf(service, first.id);
    [hanging, other] = [[first], apart];
    while (hanging.length < MOST_LARGE + 1) {
      const { key, storeId } = await service.newKey();
      if ((await placeOf(service, storeId)).port !== node.port) continue;
      hanging.push({ id: storeId, client: new Client(service.url, key) });
    }
    goOn = await hang(service.database, node);
  });
  after(async () => {
    await goOn?.();
    await service?.stop();
  });

  it('refused requests of other stores can be read', async () => {
    for (let round = 1; round <= 3; round += 1) {
      for (const { client } of [...hanging, other]) await client.post('/v1/events', {}, { expect: 400 });
      const listed = async () => (await other.client.get('/v1/rejections', { expect: 200 })).body.rejections.length;
      await until(async () => (await listed()) === round, 'its own are written');
      for (const { client } of hanging) {
        expect((await client.get('/v1/rejections', { expect: 200 })).body.rejections).to.deep.equal([]);
      }
    }
  });

  it('large requests of other stores are served before those of its own stores are given up', async () => {
    const large = (n: number) => ({
      events: Array.from({ length: 500 }, (_, i) => ({
        event_type: 'large',
        profile: { email: `${n}-${i}@example.com` },
        properties: { text: 'x'.repeat(200) },
      })),
    });
    const order: string[] = [];
    const send = async ({ client }: PlacedStore, name: string, n: number) => {
      const { status } = await client.post('/v1/events/bulk', large(n));
      order.push(`${name}: ${status}`);
    };
    // The thread for them has started, and knows the store.
    await send(other, 'other', 0);
    const pending = hanging.map((store, n) => send(store, 'hanging', n));
    await until(() => service.database.isWaiting(), 'one of them waits');
    await send(other, 'other', 1);
    expect(order).to.deep.equal(['other: 201', 'other: 201']);
    await Promise.all(pending);
    expect(order.slice(2)).to.have.length(hanging.length).and.not.include('hanging: 201');
  });
});
