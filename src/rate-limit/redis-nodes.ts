import { ErrorReply } from 'redis';
import type { Log } from '../process/log.ts';
import { parseRedisUrl, type RedisServer } from '../process/redis-urls.ts';
import { StartError } from '../process/start-error.ts';
import { isUnheld, parseRedirection } from './cluster-errors.ts';
import { NodeReport } from './node-report.ts';
import { NodeTable } from './node-table.ts';
import { type Call, RETRY_MS, type RedisNode, TIMEOUT_MS } from './redis-node.ts';

/** Milliseconds that a start waits for Redis. */
const START_PATIENCE_MS = 2_000;
/** Times that a command is passed on while slots move. */
const MAX_REDIRECTIONS = 5;
/** More than probes count in a minute. */
const NO_LIMIT = 1_000_000_000;

/**
 * The Redis that holds the windows, or the masters of a cluster. Each has a connection, a timeout and a state of its own:
 * one that does not respond must not hold up what others hold. (The client for clusters of `redis` waits for all of them
 * when it learns who holds what, and for ever for one that is frozen.) While one is away, the others are asked who has
 * taken over.
 */
export class RedisNodes {
  readonly #seeds: readonly RedisServer[];
  readonly #table: NodeTable;
  readonly #report: NodeReport;
  readonly #log: Log;
  /** Whether it is known who holds what, or that this is no cluster. */
  #isKnown = false;
  #refusal: ErrorReply | undefined;
  #learning: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(urls: readonly string[], log: Log) {
    this.#seeds = urls.map(parseRedisUrl);
    this.#table = new NodeTable(this.#seeds[0] as RedisServer, (error) => this.#onChange(error));
    this.#report = new NodeReport(this.#table, log);
    this.#log = log;
  }

  /** Connects; if Redis is down, as soon as it is back. Throws a `StartError` if several addresses are of no cluster. */
  static async open(urls: readonly string[], log: Log): Promise<RedisNodes> {
    const nodes = new RedisNodes(urls, log);
    try {
      await Promise.race([nodes.#start(), new Promise((done) => setTimeout(done, START_PATIENCE_MS).unref())]);
      return nodes;
    } catch (error) {
      nodes.close();
      throw error;
    }
  }

  async #start(): Promise<void> {
    await this.#learn();
    if (!this.#isKnown && this.#refusal) {
      throw new StartError(`REDIS_URL has several addresses, but not of a Redis Cluster: ${this.#refusal.message}`);
    }
    await Promise.all(Array.from(this.#table.holders, (node) => node.opening));
  }

  /** The share of all windows that Redis currently decides about, from 0 to 1. */
  get available(): number {
    return this.#table.available;
  }

  nodeOf(subject: string): RedisNode | undefined {
    return this.#table.nodeOf(subject);
  }

  slotOf(subject: string): number {
    return this.#table.slotOf(subject);
  }

  /** Asks the node that holds a window, and the one to which that refers. Returns undefined if it is not available. */
  async ask<Answer>(
    subject: string,
    question: (node: RedisNode, call: Call) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const call = { deadline: performance.now() + TIMEOUT_MS, asking: false };
    let node = this.#table.nodeOf(subject);
    for (let redirections = 0; node && !node.isBackingOff; redirections += 1) {
      try {
        return await question(node, call);
      } catch (error) {
        if (isUnheld(error)) {
          this.#correct(this.#table.slotOf(subject), undefined, node);
          return undefined;
        }
        const redirection = redirections < MAX_REDIRECTIONS ? parseRedirection(error, node) : undefined;
        if (!redirection) {
          node.markUnavailable(error);
          return undefined;
        }
        const next = this.#table.peerOf(node, redirection.host, redirection.port);
        if (!redirection.asking) this.#correct(redirection.slot, next, node);
        call.asking = redirection.asking;
        node = next;
      }
    }
    return undefined;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#table.close();
  }

  /** A node says that a slot is at another one, or at none. Others may have moved too, and it knows of that first. */
  #correct(slot: number, holder: RedisNode | undefined, teller: RedisNode): void {
    this.#table.move(slot, holder);
    void this.#learn(teller);
  }

  /** Learns who holds what, first from the given node. Never rejects. */
  #learn(from?: RedisNode): Promise<void> {
    this.#learning ??= this.#learnFromAny(from).finally(() => {
      this.#learning = undefined;
      this.#onChange();
    });
    return this.#learning;
  }

  async #learnFromAny(first?: RedisNode): Promise<void> {
    const known = [...this.#table.nodes].sort((a, b) => Number(b.available) - Number(a.available));
    for (const node of first ? [first, ...known] : known) if (await this.#learnFrom(node)) return;
    // All may have got other addresses.
    for (const seed of this.#seeds) {
      if (this.#closed) return;
      if (this.#table.has(seed)) continue;
      const node = this.#table.nodeAt(seed);
      if (await this.#learnFrom(node)) return;
      this.#table.release(node);
    }
  }

  async #learnFrom(node: RedisNode): Promise<boolean> {
    try {
      const ranges = await node.slots();
      // One that was just added, or reset, knows of none.
      if (ranges.length === 0 || this.#closed) return false;
      this.#table.assign(ranges, node);
    } catch (error) {
      if (!(error instanceof ErrorReply)) {
        // Not connected yet: nobody should have to wait for it.
        if (node.opening) node.markUnavailable(error);
        return false;
      }
      if (this.#table.isCluster) return false;
      if (this.#seeds.length > 1) {
        if (!this.#refusal)
          this.#log.warn({ err: error, node: node.address }, 'An address in REDIS_URL is of no cluster');
        this.#refusal = error;
        return false;
      }
      // No cluster, or one that does not say so but refers to others.
    }
    this.#isKnown = true;
    return true;
  }

  #onChange(error?: unknown): void {
    if (this.#closed) return;
    this.#report.update(error);
    if (this.#isKnown && this.#table.available === 1) return;
    this.#timer ??= setTimeout(() => this.#recover(), RETRY_MS).unref();
  }

  /** While something is missing: looks for who has taken over, and whether it is back, without waiting for requests. */
  async #recover(): Promise<void> {
    if (!this.#isKnown || this.#table.isCluster) await this.#learn();
    await Promise.all(Array.from(this.#table.holders, (node) => node.available || this.#probe(node)));
    this.#timer = undefined;
    this.#onChange();
  }

  /** Only a write proves that a node works. */
  async #probe(node: RedisNode): Promise<void> {
    const subject = this.#table.findSubject(node);
    if (subject === undefined) return;
    try {
      await node.admit(subject, NO_LIMIT, 1, { deadline: performance.now() + TIMEOUT_MS, asking: false });
    } catch (error) {
      if (!parseRedirection(error, node)) node.markUnavailable(error);
    }
  }
}
