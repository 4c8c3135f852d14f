import type { RedisServer } from '../process/redis-urls.ts';
import { hashSlot, SLOTS } from './hash-slot.ts';
import { addressOf, RedisNode, type SlotRange, TIMEOUT_MS } from './redis-node.ts';
import { keyOf } from './window-scripts.ts';

/** Milliseconds after which a node that holds nothing any more is closed: what it was asked is answered by then. */
const RETIRE_MS = 2 * TIMEOUT_MS;
/** Finds a subject for a node that holds a thousandth of the slots. */
const MAX_GUESSES = 10_000;

/** Which node holds the windows of which subjects: the one Redis all of them, the masters of a cluster by slot. */
export class NodeTable {
  readonly #onChange: (error?: unknown) => void;
  readonly #nodes = new Map<string, RedisNode>();
  readonly #retired = new Set<RedisNode>();
  /** Holds everything unless this is a cluster. */
  readonly #first: RedisNode;
  /** By slot; undefined unless this is a cluster. */
  #owners: (RedisNode | undefined)[] | undefined;
  /** The number of slots of each holder. */
  #held: Map<RedisNode, number>;
  /** What `findSubject` has found. */
  readonly #subjects = new WeakMap<RedisNode, string>();

  /** `onChange` is called when a node stops or starts to be available, with the error if there is one. */
  constructor(first: RedisServer, onChange: (error?: unknown) => void) {
    this.#onChange = onChange;
    this.#first = this.nodeAt(first);
    this.#held = new Map([[this.#first, SLOTS]]);
  }

  get isCluster(): boolean {
    return this.#owners !== undefined;
  }

  /** Every connected node. */
  get nodes(): Iterable<RedisNode> {
    return this.#nodes.values();
  }

  /** The nodes that hold windows. */
  get holders(): Iterable<RedisNode> {
    return this.#held.keys();
  }

  /** The slots that no node holds. */
  get unheld(): number {
    return SLOTS - this.#count(() => true);
  }

  /** The share of all windows whose node is available, from 0 to 1. */
  get available(): number {
    return this.#count(({ available }) => available) / SLOTS;
  }

  #count(isCounted: (node: RedisNode) => boolean): number {
    let slots = 0;
    for (const [node, held] of this.#held) if (isCounted(node)) slots += held;
    return slots;
  }

  has(server: RedisServer): boolean {
    return this.#nodes.has(addressOf(server));
  }

  nodeAt(server: RedisServer): RedisNode {
    const address = addressOf(server);
    const node = this.#nodes.get(address) ?? new RedisNode(server, this.#onChange);
    this.#nodes.set(address, node);
    return node;
  }

  /** The node of the same cluster at another address. */
  peerOf(node: RedisNode, host: string, port: number): RedisNode {
    return this.nodeAt({ ...node.server, host, port });
  }

  /** The node that holds the window of a subject; undefined if none does. */
  nodeOf(subject: string): RedisNode | undefined {
    return this.#owners ? this.#owners[this.slotOf(subject)] : this.#first;
  }

  /** Subjects of one slot can be asked for together. Without a cluster there is only one. */
  slotOf(subject: string): number {
    return this.#owners ? hashSlot(keyOf(subject)) : 0;
  }

  /** Returns a subject whose window a node holds; undefined if there is none, or too few to find one. */
  findSubject(node: RedisNode): string | undefined {
    const known = this.#subjects.get(node);
    if (known !== undefined && this.nodeOf(known) === node) return known;
    for (let n = 0; n < MAX_GUESSES; n += 1) {
      const subject = `probe:${n}`;
      if (this.nodeOf(subject) !== node) continue;
      this.#subjects.set(node, subject);
      return subject;
    }
    return undefined;
  }

  /** A slot is known to be at another node, or at none. */
  move(slot: number, to: RedisNode | undefined): void {
    this.#owners ??= new Array(SLOTS).fill(this.#first);
    this.#addHeld(this.#owners[slot], -1);
    this.#owners[slot] = to;
    this.#addHeld(to, 1);
  }

  #addHeld(node: RedisNode | undefined, slots: number): void {
    if (!node) return;
    const held = (this.#held.get(node) ?? 0) + slots;
    if (held > 0) this.#held.set(node, held);
    else this.#held.delete(node);
  }

  /** Takes over what a node says of its cluster. */
  assign(ranges: readonly SlotRange[], teller: RedisNode): void {
    const owners = new Array<RedisNode | undefined>(SLOTS).fill(undefined);
    this.#held = new Map();
    for (const { from, to, host, port } of ranges) {
      const node = this.peerOf(teller, host, port);
      owners.fill(node, from, to + 1);
      this.#addHeld(node, to + 1 - from);
    }
    this.#owners = owners;
    for (const node of this.#nodes.values()) if (!this.#held.has(node)) this.#retire(node);
  }

  /** Disconnects from a node, unless it holds windows. */
  release(node: RedisNode): void {
    if (!this.#held.has(node)) this.#retire(node);
  }

  #retire(node: RedisNode): void {
    this.#nodes.delete(node.address);
    this.#retired.add(node);
    const close = () => {
      this.#retired.delete(node);
      node.close();
    };
    setTimeout(close, RETIRE_MS).unref();
  }

  close(): void {
    for (const node of [...this.#nodes.values(), ...this.#retired]) node.close();
  }
}
