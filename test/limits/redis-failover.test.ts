import { expect } from 'chai';
import { RedisWindow } from '../../src/rate-limit/redis-window.ts';
import { keepLines, type LogLine } from '../support/log-lines.ts';
import { until } from '../support/process.ts';
import { type ClusterNode, TestCluster } from '../support/redis-cluster.ts';

const AWAY = 'A Redis node is not available: each process limits its keys on its own';
const BACK = 'A Redis node is back, or replaced: the limit of its keys is shared again';

/** Two processes' windows in one cluster. */
class Windows {
  readonly all: readonly RedisWindow[];
  readonly lines: LogLine[];

  private constructor(all: readonly RedisWindow[], lines: LogLine[]) {
    this.all = all;
    this.lines = lines;
  }

  static async open(url: string): Promise<Windows> {
    const { log, lines } = keepLines();
    const open = () => RedisWindow.open(url.split(','), log);
    return new Windows([await open(), await open()], lines);
  }

  /** How many of so many concurrent requests of a subject are admitted. */
  async admitted(subject: string, requests: number, limit: number): Promise<number> {
    const asked = Array.from({ length: requests }, (_, n) => (this.all[n % 2] as RedisWindow).admit(subject, limit));
    return (await Promise.all(asked)).filter((answer) => answer.admitted).length;
  }

  get isShared(): boolean {
    return this.all.every(({ available }) => available === 1);
  }

  /** Sends requests of new subjects of a master until both have seen that it is away, or something else. */
  async tryUntil(subjects: () => string[], condition: () => boolean, what: string): Promise<void> {
    await until(async () => {
      for (const subject of subjects()) await this.admitted(subject, 2, 9);
      return condition();
    }, what);
  }

  close(): void {
    for (const window of this.all) window.close();
  }
}

/** The parts of a third of a cluster that is away: the rest of all slots. */
const isPartlyAway = ({ available }: RedisWindow) => available > 0.6 && available < 0.7;

describe('The rate-limit window, while a node of its Redis Cluster is away', () => {
  let cluster: TestCluster;
  let windows: Windows;
  let node: ClusterNode;

  before(async function () {
    cluster = await TestCluster.start(this, { options: ['--cluster-require-full-coverage', 'no'] });
    node = cluster.masters[1] as ClusterNode;
    windows = await Windows.open(cluster.url);
  });
  after(async () => {
    windows?.close();
    await cluster?.stop();
  });

  const ofNode = (count = 1) => cluster.subjectsOf(1, count);
  const ofOthers = (count = 1) => [...cluster.subjectsOf(0, count), ...cluster.subjectsOf(2, count)];

  for (const [what, begin, end] of [
    ['is killed', () => node.kill(), () => node.restart()],
    ['is frozen', () => node.signal('SIGSTOP'), () => node.signal('SIGCONT')],
  ] as const) {
    it(`stays exact for the keys of other nodes while one ${what}, and for all once it is back`, async () => {
      const [full] = ofNode() as [string];
      const others = ofOthers();
      for (const subject of [full, ...others]) expect(await windows.admitted(subject, 100, 60)).to.equal(60);
      await begin();
      await windows.tryUntil(ofNode, () => windows.all.every(isPartlyAway), 'both have seen it');
      const [local] = ofNode() as [string];
      // Each of the two admits as much as one should.
      expect(await windows.admitted(local, 200, 60)).to.equal(120);
      for (const window of windows.all) expect(await window.used([local, ...others])).to.deep.equal([60, 60, 60]);
      for (const subject of ofOthers(3)) expect(await windows.admitted(subject, 200, 60)).to.equal(60);
      for (const subject of others) expect(await windows.admitted(subject, 10, 60)).to.equal(0);
      const { host } = new URL(node.url);
      expect(windows.lines).to.deep.equal([1, 2].map(() => ({ msg: AWAY, node: host })));
      await end();
      // Nobody has to ask for its keys.
      await until(() => windows.isShared, 'it is back');
      for (const subject of ofNode(3)) expect(await windows.admitted(subject, 200, 60)).to.equal(60);
      expect(windows.lines.splice(0).slice(2)).to.deep.equal([1, 2].map(() => ({ msg: BACK, node: host })));
      await cluster.untilWhole();
    });
  }

  it('opens with the others if one is away, and takes it in when it is back', async () => {
    await node.kill();
    const late = await Windows.open(cluster.url);
    try {
      for (const subject of ofOthers()) expect(await late.admitted(subject, 20, 9)).to.equal(9);
      await late.tryUntil(ofNode, () => late.all.every(isPartlyAway), 'both have seen it');
      await node.restart();
      await until(() => late.isShared, 'it is back');
      for (const subject of ofNode()) expect(await late.admitted(subject, 20, 9)).to.equal(9);
    } finally {
      late.close();
      await until(() => windows.isShared, 'it is back for all');
      await cluster.untilWhole();
    }
  });

  it('refuses nobody while the cluster as a whole refuses to work without a node', async () => {
    for (const master of cluster.masters) await master.ask('CONFIG', 'SET', 'cluster-require-full-coverage', 'yes');
    await node.kill();
    const isDown = () => windows.all.every(({ available }) => available === 0);
    await windows.tryUntil(() => [...ofNode(), ...ofOthers()], isDown, 'all nodes refuse');
    for (const subject of [...ofNode(), ...ofOthers()]) expect(await windows.admitted(subject, 200, 60)).to.equal(120);
    await node.restart();
    await until(() => windows.isShared, 'it is back');
    for (const subject of [...ofNode(), ...ofOthers()]) expect(await windows.admitted(subject, 200, 60)).to.equal(60);
  });
});

describe('The rate-limit window, when a replica takes over', () => {
  let cluster: TestCluster;
  let windows: Windows;

  before(async function () {
    cluster = await TestCluster.start(this, { replicas: 3 });
    windows = await Windows.open((cluster.masters[1] as ClusterNode).url);
  });
  after(async () => {
    windows?.close();
    await cluster?.stop();
  });

  for (const [master, what, end] of [
    [0, 'was killed', (node: ClusterNode) => node.kill()],
    [2, 'is frozen', async (node: ClusterNode) => node.signal('SIGSTOP')],
  ] as const) {
    it(`is shared again in the replica of a master that ${what}`, async () => {
      const node = cluster.masters[master] as ClusterNode;
      await end(node);
      const of = () => cluster.subjectsOf(master, 1);
      await windows.tryUntil(of, () => windows.lines.length > 0, 'it is missed');
      await until(() => windows.isShared, 'the replica has taken over');
      for (const subject of cluster.subjectsOf(master, 3)) {
        expect(await windows.admitted(subject, 1_600, 700)).to.equal(700);
      }
      const { host } = new URL(node.url);
      const ofNode = windows.lines.splice(0).filter((line) => line.node === host);
      expect(new Set(ofNode.map(({ msg }) => msg))).to.deep.equal(new Set([AWAY, BACK]));
      expect(ofNode.length).to.be.at.most(4);
    });
  }

  it('stays exact while a master hands over to its replica', async () => {
    const [replica] = [cluster.replicas[1]] as [ClusterNode];
    const [subject] = cluster.subjectsOf(1, 1) as [string];
    expect(await windows.admitted(subject, 100, 700)).to.equal(100);
    await replica.ask('CLUSTER', 'FAILOVER');
    await until(async () => (await replica.info('INFO', 'replication')).role === 'master', 'it has taken over');
    expect(await windows.admitted(subject, 1_600, 700)).to.equal(600);
    expect(windows.isShared).to.equal(true);
    expect(windows.lines).to.deep.equal([]);
  });
});
