import type { Log } from '../process/log.ts';
import type { NodeTable } from './node-table.ts';
import type { RedisNode } from './redis-node.ts';

/** Logs once which part of Redis is away, and once when it is back. */
export class NodeReport {
  readonly #table: NodeTable;
  readonly #log: Log;
  #away: readonly RedisNode[] = [];
  #unheld = 0;

  constructor(table: NodeTable, log: Log) {
    this.#table = table;
    this.#log = log;
  }

  /** `err` is what made a node unavailable. */
  update(err?: unknown): void {
    const away = Array.from(this.#table.holders).filter(({ available }) => !available);
    for (const node of away) if (!this.#away.includes(node)) this.#logAway(node, err);
    for (const node of this.#away) if (!away.includes(node)) this.#logBack(node);
    this.#away = away;

    const { unheld } = this.#table;
    if (unheld > 0 && this.#unheld === 0) {
      this.#log.warn({ slots: unheld }, 'No Redis node holds some slots: each process limits their keys on its own');
    } else if (unheld === 0 && this.#unheld > 0) {
      this.#log.info('All slots are held by a Redis node again: the limit of their keys is shared');
    }
    this.#unheld = unheld;
  }

  #logAway({ address }: RedisNode, err: unknown): void {
    if (this.#table.isCluster) {
      this.#log.warn({ err, node: address }, 'A Redis node is not available: each process limits its keys on its own');
    } else this.#log.warn({ err }, 'Redis is not available: each process limits on its own');
  }

  #logBack({ address }: RedisNode): void {
    if (this.#table.isCluster) {
      this.#log.info({ node: address }, 'A Redis node is back, or replaced: the limit of its keys is shared again');
    } else this.#log.info('Redis is back: the rate limit is shared again');
  }
}
