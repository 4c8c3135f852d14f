import type { Log } from '../process/log.ts';
import { AdmissionRounds } from './admission-rounds.ts';
import { MemoryWindow } from './memory-window.ts';
import type { RedisNode } from './redis-node.ts';
import { RedisNodes } from './redis-nodes.ts';
import { type Admission, admissionOf, type SlidingWindow } from './sliding-window.ts';
import type { Verdict } from './window-scripts.ts';

/**
 * Rate-limit windows shared by all processes, in a Redis or a Redis Cluster. While that, or the node that holds a window,
 * is down, each process uses its own and logs that.
 */
export class RedisWindow implements SlidingWindow {
  readonly #nodes: RedisNodes;
  /** One for each node: a round lasts until the slowest has answered. */
  readonly #rounds = new WeakMap<RedisNode, AdmissionRounds<Verdict>>();
  readonly #fallback = new MemoryWindow();

  private constructor(nodes: RedisNodes) {
    this.#nodes = nodes;
  }

  /**
   * Connects to the Redis at a URL, or to the cluster of which some nodes are given; if it is down, as soon as it is
   * back. Throws a `StartError` if several URLs are not of a cluster.
   */
  static async open(urls: readonly string[], log: Log): Promise<RedisWindow> {
    return new RedisWindow(await RedisNodes.open(urls, log));
  }

  /** The share of all windows about which Redis currently decides: 1 unless something is down, 0 if everything is. */
  get available(): number {
    return this.#nodes.available;
  }

  admit(subject: string, limit: number): Promise<Admission> | Admission {
    const node = this.#nodes.nodeOf(subject);
    if (!node || node.isBackingOff) return this.#fallback.admit(subject, limit);
    return new Promise((resolve) => {
      this.#roundsOf(node).add(subject, limit, (verdict, index) => {
        resolve(verdict ? toAdmission(verdict, limit, index) : this.#fallback.admit(subject, limit));
      });
    });
  }

  async takeBack(subject: string): Promise<void> {
    const holder = this.#nodes.nodeOf(subject);
    if (!holder || holder.isBackingOff) return this.#fallback.takeBack(subject);
    await this.#nodes.ask(subject, (node, call) => node.takeBack(subject, call));
  }

  async used(subjects: readonly string[]): Promise<number[]> {
    const slots = Map.groupBy(subjects, (subject) => this.#nodes.slotOf(subject));
    const used = await Promise.all(Array.from(slots.values(), (together) => this.#usedOfSlot(together)));
    const bySubject = new Map(used.flat());
    return subjects.map((subject) => bySubject.get(subject) ?? 0);
  }

  async #usedOfSlot(subjects: readonly string[]): Promise<[string, number][]> {
    const [first = ''] = subjects;
    const inRedis = await this.#nodes.ask(first, (node, call) => node.used(subjects, call));
    const used = inRedis ?? this.#fallback.used(subjects);
    return subjects.map((subject, n) => [subject, used[n] ?? 0]);
  }

  #roundsOf(node: RedisNode): AdmissionRounds<Verdict> {
    let rounds = this.#rounds.get(node);
    if (!rounds) {
      rounds = new AdmissionRounds(({ subject, limit, waiting }) =>
        this.#nodes.ask(subject, (asked, call) => asked.admit(subject, limit, waiting.length, call)),
      );
      this.#rounds.set(node, rounds);
    }
    return rounds;
  }

  close(): void {
    this.#nodes.close();
  }
}

function toAdmission({ admitted, used, freed, next }: Verdict, limit: number, index: number): Admission {
  const isAdmitted = index < admitted;
  const inWindow = used + Math.min(index + 1, admitted);
  return admissionOf(isAdmitted, limit, inWindow, (isAdmitted ? freed : next) / 1000);
}
