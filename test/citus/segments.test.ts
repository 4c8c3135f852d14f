import { expect } from 'chai';
import { expectCluster } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { hang, loseNode, type PlacedStore, placeOf, returnNode, storesApart } from './stage.ts';

/** Stores that have something to do where a node hangs: more than have turns at a time. */
const MANY = 4;

describe('On a Citus cluster (CITUS_URL), the segments of a store', () => {
  let service: TestService;

  before(async function () {
    this.timeout(120_000);
    expectCluster(this);
    service = await TestService.start();
  });
  after(() => service?.stop());

  /** A store with a segment of those who have visited. */
  interface Visited extends PlacedStore {
    segment: string;
  }

  async function withSegment(store: PlacedStore): Promise<Visited> {
    const definition = { event: { type: 'visit' } };
    const { body } = await store.client.post('/v1/segments', { name: 'Visitors', definition }, { expect: 201 });
    return { ...store, segment: body.id };
  }

  async function visit({ client }: PlacedStore, name: string): Promise<void> {
    const event = { event_type: 'visit', profile: { external_id: name }, idempotency_key: name };
    await until(async () => (await client.post('/v1/events', event)).status < 300, `${name} is accepted`);
  }

  async function expectMembers({ client, segment }: Visited, count: number): Promise<void> {
    const read = async () => (await client.get(`/v1/segments/${segment}`)).body;
    await until(async () => (await read()).member_count === count, `${count} are members`);
    expect((await client.get(`/v1/segments/${segment}/members`, { expect: 200 })).body.members).to.have.length(count);
  }

  it('follow events while the node of another is lost, whose events are followed once it is back', async () => {
    const [lost, other] = (await Promise.all((await storesApart(service)).map(withSegment))) as [Visited, Visited];
    const node = await placeOf(service, lost.id);
    for (const store of [lost, other]) {
      await visit(store, 'before');
      await expectMembers(store, 1);
    }
    await loseNode(service.database, node);
    try {
      await visit(other, 'meanwhile');
      await expectMembers(other, 2);
    } finally {
      await returnNode(service.database, node);
    }
    await visit(lost, 'after');
    await expectMembers(lost, 2);
  });

  it('follow events while the node of others hangs, however many have something to do there', async () => {
    const [first, apart] = await storesApart(service);
    const node = await placeOf(service, first.id);
    const hanging = [await withSegment(first)];
    while (hanging.length < MANY) {
      const { key, storeId } = await service.newKey();
      if ((await placeOf(service, storeId)).port !== node.port) continue;
      hanging.push(await withSegment({ id: storeId, client: new Client(service.url, key) }));
    }
    const other = await withSegment(apart);
    for (const store of hanging) await visit(store, 'before');
    const goOn = await hang(service.database, node);
    try {
      for (const [n, name] of ['first', 'second', 'third'].entries()) {
        await visit(other, name);
        await expectMembers(other, n + 1);
      }
    } finally {
      await goOn();
    }
    for (const store of hanging) await expectMembers(store, 1);
  });
});
