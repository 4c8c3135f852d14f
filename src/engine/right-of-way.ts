import { readFile } from 'node:fs/promises';
import type { EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSetup } from './engine.ts';
import type { PeriodicTask } from './periodic.ts';

/** Of its time, that the thread which serves requests works, and waits for a processor, when they have the right of way. */
const [BUSY, KEPT_WAITING] = [0.5, 0.05];
const LOOK_MS = 250;
/** Milliseconds that are waited for each thing that was begun, such as a message; and at most at a time, by whoever waits. */
const [EACH_MS, MOST_MS] = [16, 1_000];
/** Milliseconds between two turns at what can be late, of each part of it; and for how long it may be. */
const [LATE_MS, LATEST_MS] = [1_000, 60_000];

/** Tells threads whether that which starts them, and serves requests, is busy, and others take its time. */
export class RequestLoad {
  /** For the threads: an integer, 1 while it is so. */
  readonly shared = new SharedArrayBuffer(4);
  readonly periodic: PeriodicTask;
  readonly #waitedMs: typeof waitedForProcessorMs;
  #last: { loop: EventLoopUtilization; at: number; waitedMs: number } | undefined;

  /** `waitedMs`: how long this thread has waited for a processor. */
  constructor(waitedMs = waitedForProcessorMs) {
    this.#waitedMs = waitedMs;
    this.periodic = { failure: 'the load by requests not known', everyMs: LOOK_MS, run: () => this.#look() };
  }

  async #look(): Promise<void> {
    const [loop, at, waitedMs] = [performance.eventLoopUtilization(), performance.now(), await this.#waitedMs()];
    const last = this.#last;
    this.#last = { loop, at, waitedMs };
    if (!last) return;
    const { utilization } = performance.eventLoopUtilization(loop, last.loop);
    const waited = (waitedMs - last.waitedMs) / (at - last.at);
    Atomics.store(new Int32Array(this.shared), 0, utilization > BUSY && waited > KEPT_WAITING ? 1 : 0);
  }
}

/** Milliseconds for which the main thread has waited for a processor so far; 0 where the system does not tell. */
async function waitedForProcessorMs(): Promise<number> {
  try {
    const [, waitedNs] = (await readFile('/proc/self/schedstat', 'utf8')).split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

/** What the thread of an engine needs that gives way to requests. */
export interface YieldingSetup extends EngineSetup {
  /** Of `RequestLoad`. */
  requestLoad: SharedArrayBuffer;
}

/** In a thread: has work give way to requests. */
export class RightOfWay {
  readonly #flag: Int32Array;
  /** When all that has been begun has waited, by `performance.now()`. */
  #until = 0;

  constructor(shared: SharedArrayBuffer) {
    this.#flag = new Int32Array(shared);
  }

  /** Waits after so many have been begun, such as messages, as long as requests go first. */
  async give(begun: number): Promise<void> {
    const now = performance.now();
    this.#until = Math.min(Math.max(this.#until, now) + begun * EACH_MS, now + MOST_MS);
    const until = this.#until;
    for (let left = until - now; left > 0 && this.isGiven; left = until - performance.now()) {
      await sleep(Math.min(LOOK_MS, left));
    }
  }

  /** Whether requests go first. */
  get isGiven(): boolean {
    return Atomics.load(this.#flag, 0) === 1;
  }
}

/**
 * In a thread: has work that nobody waits for be late while requests go first. Each part of it, such as a store, has a turn now and
 * then; none is late once requests have gone first for a minute on end.
 */
export class LateWork {
  readonly #way: RightOfWay;
  /** Since when requests have gone first, and when parts had their turns meanwhile, by `performance.now()`. */
  #since: number | undefined;
  readonly #turns = new Map<string, number>();

  constructor(way: RightOfWay) {
    this.#way = way;
  }

  /** Whether a part of it has a turn now; it is expected to take it. */
  isDue(part: string): boolean {
    const now = performance.now();
    if (!this.#way.isGiven) {
      this.#since = undefined;
      this.#turns.clear();
      return true;
    }
    this.#since ??= now;
    if (now - this.#since > LATEST_MS) return true;
    if (now - (this.#turns.get(part) ?? Number.NEGATIVE_INFINITY) < LATE_MS) return false;
    this.#turns.set(part, now);
    return true;
  }
}
