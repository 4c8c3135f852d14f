import type { EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PeriodicTask } from './periodic.ts';

/** Of its time, that the thread which serves requests works when they have the right of way. */
const BUSY = 0.5;
const LOOK_MS = 250;
/** Milliseconds for which what is worked on waits meanwhile, and what that may add up to, whoever has work done. */
const [EACH_MS, MOST_MS] = [16, 1_000];

/** Tells threads whether that which starts them, and serves requests, is busy. */
export class RequestLoad {
  /** For the threads: an integer, 1 while it is. */
  readonly shared = new SharedArrayBuffer(4);
  readonly periodic: PeriodicTask;
  #last: EventLoopUtilization = performance.eventLoopUtilization();

  constructor() {
    const flag = new Int32Array(this.shared);
    const run = async () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, this.#last);
      Atomics.store(flag, 0, utilization > BUSY ? 1 : 0);
      this.#last = now;
    };
    this.periodic = { failure: 'the load by requests not known', everyMs: LOOK_MS, run };
  }
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
    for (let left = until - now; left > 0 && this.#isGiven; left = until - performance.now()) {
      await sleep(Math.min(LOOK_MS, left));
    }
  }

  get #isGiven(): boolean {
    return Atomics.load(this.#flag, 0) === 1;
  }
}
