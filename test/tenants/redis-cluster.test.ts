import { expect } from 'chai';
import type { Client, Response } from '../support/client.ts';
import { repeatConcurrently } from '../support/for-each.ts';
import { Metrics } from '../support/metrics.ts';
import { until } from '../support/process.ts';
import { TestCluster } from '../support/redis-cluster.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };

describe('The rate limit in a Redis Cluster', () => {
  let cluster: TestCluster;
  let services: TestService[];

  before(async function () {
    cluster = await TestCluster.start(this, { options: ['--cluster-require-full-coverage', 'no'] });
    const first = await TestService.start({ REDIS_URL: cluster.url });
    services = [first];
    services.push(await TestService.start({ REDIS_URL: cluster.masters[0]?.url }, first.database));
  });
  after(async () => {
    const [first, second] = services ?? [];
    await second?.stopService();
    await first?.stop();
    await cluster?.stop();
  });

  /** A store with a standard key for each of the masters that holds its window, and a client of each process for each. */
  async function keysOnEachNode(): Promise<{ manager: Client; clients: [Client, Client][] }> {
    const [first, second] = services as [TestService, TestService];
    const storeId = await first.newStore();
    const manager = await first.client({ storeId, name: 'Manager' });
    const clients: [Client, Client][] = [];
    for (let n = 0; clients.filter(Boolean).length < 3; n += 1) {
      const { id, key } = await first.newKey({ storeId, tier: 'standard', name: `Key ${n}` });
      const other = await second.client({ storeId });
      clients[cluster.masterOf(`key:${id}`)] ??= [manager.as(key), other.as(key)];
    }
    return { manager, clients };
  }

  // With all at once, a busy machine takes longer for what Redis answers than a process waits for it.
  const send = (clients: [Client, Client], times: number): Promise<Response<any>[]> =>
    repeatConcurrently(times, (n) => (clients[n % 2] as Client).post('/v1/events', EVENT));
  const count = (answers: Response[], status: number) => answers.filter((answer) => answer.status === status).length;

  it('admits exactly 700 of 1,600 requests to two processes for keys on each node, and shows the use of all', async () => {
    const { manager, clients } = await keysOnEachNode();
    for (const each of clients) {
      const answers = await send(each, 1_600);
      expect([count(answers, 201), count(answers, 429)]).to.deep.equal([700, 900]);
    }
    const { api_keys } = (await manager.get('/v1/api-keys', { expect: 200 })).body;
    const used = api_keys.map(({ rate_limit }: any) => rate_limit.used);
    expect(used.filter((uses: number) => uses === 700)).to.have.length(3);
    expect(used.filter((uses: number) => uses === 0).length).to.equal(used.length - 4);
  });

  it('fails no request while a node is away, says which part is down, and stays exact for other keys', async () => {
    const { clients } = await keysOnEachNode();
    const [onNode, ...others] = [clients[1], clients[0], clients[2]] as [Client, Client][];
    const url = (services[0] as TestService).url;
    const state = async () => (await (await fetch(`${url}/health/ready`)).json()) as unknown;
    await cluster.masters[1]?.kill();
    const answers = await send(onNode as [Client, Client], 1_600);
    expect(count(answers, 201) + count(answers, 429)).to.equal(1_600);
    expect(count(answers, 201)).to.be.within(700, 1_400);
    expect(await state()).to.include({ status: 'ready', redis: 'partly down' });
    const metrics = await Metrics.of(url);
    expect(metrics.sum('footfall_redis_up')).to.equal(0);
    expect(metrics.sum('footfall_redis_available_ratio')).to.be.within(0.66, 0.67);
    for (const each of others) expect(count(await send(each, 1_600), 201)).to.equal(700);

    await cluster.masters[1]?.restart();
    await until(async () => ((await state()) as { redis: string }).redis === 'ok', 'it is back');
    expect((await Metrics.of(url)).sum('footfall_redis_available_ratio')).to.equal(1);
  });
});
