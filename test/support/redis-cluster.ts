import { randomUUID } from 'node:crypto';
import type { Context } from 'mocha';
import { createClient } from 'redis';
import { hashSlot, SLOTS } from '../../src/rate-limit/hash-slot.ts';
import { keyOf } from '../../src/rate-limit/window-scripts.ts';
import { temporaryFolder, until } from './process.ts';
import { freePort, requireRedis, spawnRedis, type TestRedis } from './redis.ts';

const MASTERS = 3;
/** Milliseconds after which the nodes hold one that does not respond for dead. */
const NODE_TIMEOUT_MS = 1_000;

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

/** A node of a cluster, and a connection to it. */
export class ClusterNode {
  readonly url: string;
  readonly busPort: number;
  #redis: TestRedis;
  #admin: ReturnType<typeof clientAt>;

  private constructor(redis: TestRedis, busPort: number, admin: ReturnType<typeof clientAt>) {
    this.url = redis.url;
    this.busPort = busPort;
    this.#redis = redis;
    this.#admin = admin;
  }

  static async start(folder: string, options: readonly string[]): Promise<ClusterNode> {
    const [port, busPort] = [await freePort(), await freePort()];
    const redis = await spawnRedis(port, [
      ...['--cluster-enabled', 'yes', '--cluster-config-file', `node-${port}.conf`, '--dir', folder],
      ...['--cluster-port', String(busPort), '--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
      ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0', ...options],
    ]);
    return new ClusterNode(redis, busPort, await connect(redis.url));
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async ask(...command: (string | number)[]): Promise<any> {
    return this.#admin.sendCommand(command.map(String));
  }

  /** The fields of `INFO` or `CLUSTER INFO`. */
  async info(...command: string[]): Promise<Record<string, string>> {
    const text = String(await this.ask(...command));
    return Object.fromEntries(text.split('\r\n').map((line) => line.split(/:(.*)/) as [string, string]));
  }

  id(): Promise<string> {
    return this.ask('CLUSTER', 'MYID');
  }

  signal(name: NodeJS.Signals): void {
    this.#redis.signal(name);
  }

  async kill(): Promise<void> {
    this.#admin.destroy();
    await this.#redis.stop();
  }

  async restart(): Promise<void> {
    this.#redis = await this.#redis.restart();
    this.#admin = await connect(this.url);
  }

  async stop(): Promise<void> {
    if (this.#admin.isOpen) this.#admin.destroy();
    await this.#redis.stop();
  }
}

/** A Redis Cluster of three masters, and one replica for each if wanted. */
export class TestCluster {
  readonly masters: readonly ClusterNode[];
  readonly replicas: readonly ClusterNode[];
  readonly #folder: Folder;

  private constructor(masters: ClusterNode[], replicas: ClusterNode[], folder: Folder) {
    this.masters = masters;
    this.replicas = replicas;
    this.#folder = folder;
  }

  /** Pending where there is no `redis-server`. `options` are those of each. */
  static async start(
    test: Context,
    { replicas = 0, options = [] }: { replicas?: 0 | 3; options?: readonly string[] } = {},
  ): Promise<TestCluster> {
    requireRedis(test);
    const folder = await temporaryFolder();
    const starts = Array.from({ length: MASTERS + replicas }, () => ClusterNode.start(folder.path, options));
    const nodes = await Promise.all(starts);
    const cluster = new TestCluster(nodes.slice(0, MASTERS), nodes.slice(MASTERS), folder);
    try {
      await cluster.#form();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async #form(): Promise<void> {
    const [first] = this.masters as [ClusterNode];
    for (const [n, master] of this.masters.entries()) {
      const [from, end] = [n, n + 1].map((part) => Math.ceil((part * SLOTS) / MASTERS)) as [number, number];
      await master.ask('CLUSTER', 'ADDSLOTSRANGE', from, end - 1);
      await master.ask('CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
    }
    for (const node of this.#nodes) {
      if (node !== first) await first.ask('CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort);
    }
    await this.untilWhole();
    for (const [n, replica] of this.replicas.entries()) {
      await replica.ask('CLUSTER', 'REPLICATE', await (this.masters[n] as ClusterNode).id());
    }
    await this.#untilEach(this.replicas, 'the replicas follow', async (replica) => {
      return (await replica.info('INFO', 'replication')).master_link_status === 'up';
    });
  }

  get #nodes(): readonly ClusterNode[] {
    return [...this.masters, ...this.replicas];
  }

  /** The addresses of all masters, as `REDIS_URL`. */
  get url(): string {
    return this.masters.map(({ url }) => url).join(',');
  }

  /** The index of the master that held a subject's window at first. */
  masterOf(subject: string): number {
    return Math.floor((hashSlot(keyOf(subject)) * MASTERS) / SLOTS);
  }

  /** So many subjects whose windows a master held at first. */
  subjectsOf(master: number, count: number): string[] {
    const subjects: string[] = [];
    while (subjects.length < count) {
      const subject = `key:${randomUUID()}`;
      if (this.masterOf(subject) === master) subjects.push(subject);
    }
    return subjects;
  }

  /** Begins to move the slot of a subject: what is there stays, what is new comes to the other. */
  async beginMove(subject: string, from: ClusterNode, to: ClusterNode): Promise<void> {
    const slot = hashSlot(keyOf(subject));
    await to.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await from.id());
    await from.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await to.id());
  }

  /** Moves what is in the slot of a subject, and ends the move. */
  async endMove(subject: string, from: ClusterNode, to: ClusterNode): Promise<void> {
    const slot = hashSlot(keyOf(subject));
    for (const key of await from.ask('CLUSTER', 'GETKEYSINSLOT', slot, 100)) {
      await from.ask('MIGRATE', '127.0.0.1', to.port, key, 0, 5_000);
    }
    for (const node of [to, from]) await node.ask('CLUSTER', 'SETSLOT', slot, 'NODE', await to.id());
  }

  /** Waits until all nodes know each other, and that nothing is missing. */
  async untilWhole(): Promise<void> {
    await this.#untilEach(this.#nodes, 'the cluster is whole', async (node) => {
      const { cluster_state, cluster_known_nodes, cluster_slots_ok } = await node.info('CLUSTER', 'INFO');
      return (
        cluster_state === 'ok' &&
        Number(cluster_known_nodes) === this.#nodes.length &&
        Number(cluster_slots_ok) === SLOTS
      );
    });
  }

  async #untilEach(
    nodes: readonly ClusterNode[],
    what: string,
    condition: (node: ClusterNode) => Promise<boolean>,
  ): Promise<void> {
    await until(async () => (await Promise.all(nodes.map(condition))).every(Boolean), what);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#folder.remove();
  }
}

/** A node that is killed or frozen is no failure of its own. */
const clientAt = (url: string) => createClient({ url }).on('error', () => {});

async function connect(url: string): Promise<ReturnType<typeof clientAt>> {
  const client = clientAt(url);
  await client.connect();
  return client;
}
