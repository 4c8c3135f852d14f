import { expect } from 'chai';
import { createPublished } from '../automations/support/drafts.ts';
import { expectCluster } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import {
  hang,
  loseNode,
  moveStore,
  type PlacedStore,
  placeOf,
  returnNode,
  storedProperties,
  storesApart,
} from './stage.ts';

/** Answers each `visit` with one `thanked` that has its mark. */
const THANK = {
  name: 'Thank for visits',
  trigger: { type: 'event', event_type: 'visit' },
  reentry: { mode: 'every_time', per: 'profile' },
  start: 'thank',
  steps: [
    {
      id: 'thank',
      type: 'emit_event',
      event_type: 'thanked',
      properties: { mark: { from: 'event.properties.mark' } },
      next: null,
    },
  ],
};

describe('On a Citus cluster (CITUS_URL), the automations of a store', () => {
  let service: TestService;

  before(async function () {
    this.timeout(120_000);
    expectCluster(this);
    service = await TestService.start();
  });
  after(() => service?.stop());

  async function thankfulStores(): Promise<[PlacedStore, PlacedStore]> {
    const stores = await storesApart(service);
    for (const { client } of stores) await createPublished(client, THANK);
    return stores;
  }

  it('go on while the node of another is lost, whose events are dealt with once it is back', async () => {
    const [lost, other] = await thankfulStores();
    const node = await placeOf(service, lost.id);
    const marks = await visit(lost, 'before', 5);
    await loseNode(service.database, node);
    try {
      await expectThanks(other, await visit(other, 'meanwhile', 10));
    } finally {
      await returnNode(service.database, node);
    }
    await until(() => answers(lost), 'its node is back');
    await expectThanks(lost, [...marks, ...(await visit(lost, 'after', 5))]);
  });

  it('go on in a process that is started while the node of another is lost', async () => {
    const [lost, other] = await thankfulStores();
    const node = await placeOf(service, lost.id);
    await loseNode(service.database, node);
    let second: TestService | undefined;
    try {
      second = await TestService.start({}, service.database);
      const client = await second.client({ storeId: other.id });
      await expectThanks(other, await visit({ id: other.id, client }, 'meanwhile', 5));
    } finally {
      await returnNode(service.database, node);
    }
    await until(() => answers(lost), 'its node is back');
    await expectThanks(lost, await visit(lost, 'after', 5));
    await second.stopService();
  });

  it('go on while the node of others hangs, however many have something to do there', async () => {
    const [hanging, other] = await thankfulStores();
    const node = await placeOf(service, hanging.id);
    const beside = [hanging];
    while (beside.length < 4) {
      const { key, storeId } = await service.newKey();
      if ((await placeOf(service, storeId)).port !== node.port) continue;
      const store = { id: storeId, client: new Client(service.url, key) };
      await createPublished(store.client, THANK);
      beside.push(store);
    }
    const marks = new Map<PlacedStore, string[]>();
    for (const store of beside) marks.set(store, await visit(store, 'before', 3));
    const goOn = await hang(service.database, node);
    try {
      for (let round = 0; round < 3; round += 1) await visit(other, `meanwhile-${round}`, 5);
      const all = [0, 1, 2].flatMap((round) => marksOf(`meanwhile-${round}`, 5));
      await expectThanks(other, all);
    } finally {
      await goOn();
    }
    for (const [store, visits] of marks) await expectThanks(store, visits);
  });

  it('deal with each event once, by two processes, while it is moved to another node', async () => {
    const [moved, other] = await thankfulStores();
    const second = await TestService.start({}, service.database);
    try {
      const visits = visit(moved, 'moving', 60);
      await moveStore(service, moved.id, other.id);
      await expectThanks(moved, await visits);
    } finally {
      await second.stopService();
    }
  });
});

function marksOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name}-${n}`);
}

/** Sends events one after the other, until each is accepted. Returns their marks. */
async function visit({ client }: PlacedStore, name: string, count: number): Promise<string[]> {
  const marks = marksOf(name, count);
  for (const mark of marks) {
    const event = {
      event_type: 'visit',
      profile: { email: 'visitor@example.com' },
      properties: { mark },
      idempotency_key: mark,
    };
    await until(async () => (await client.post('/v1/events', event)).status < 300, `${mark} is accepted`);
  }
  return marks;
}

async function answers({ client }: PlacedStore): Promise<boolean> {
  return (await client.get('/v1/events?limit=1')).status === 200;
}

async function expectThanks(store: PlacedStore, marks: readonly string[]): Promise<void> {
  const thanked = () => storedProperties(store, 'thanked', 'mark');
  await until(async () => (await thanked()).length >= marks.length, `${marks.length} visits are answered`);
  expect(await thanked()).to.have.members(marks);
}
