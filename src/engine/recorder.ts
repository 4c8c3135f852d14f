import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout, isOutage } from '../db/driver-errors.ts';

/** Milliseconds before what could not be recorded is recorded again. */
const AGAIN_MS = 500;
/** As many are worth a transaction of their own. */
const ENOUGH = 64;

/** What has come of something that was sent. */
interface Result {
  /** When it was begun, by `Date.now()`. */
  at: number;
}

interface RecorderOptions<Settled> {
  /** Records all or nothing. */
  write: (settled: readonly Settled[]) => Promise<void>;
  onFailure: (error: unknown) => void;
  /** Milliseconds after its beginning for which nobody else takes it, and recording it is tried. */
  forMs: number;
  isStopping: () => boolean;
  /** Milliseconds from the begin of one recording to that of the next, where more is to come; by default none are waited. */
  everyMs?: number;
  /** How many may end soon, those that wait to be recorded among them; by default any number may. */
  underWay?: () => number;
}

interface Waiting<Settled> {
  settled: Settled;
  end: () => void;
}

/**
 * Records what comes of what is sent, of one receiver: together those that end while the last ones are being recorded. One
 * that can't be recorded, as the run that waits for it is locked or at fault, is tried again by itself: no other waits for
 * it.
 */
export class Recorder<Settled extends Result> {
  readonly #options: RecorderOptions<Settled>;
  #waiting: Waiting<Settled>[] = [];
  #isRecording = false;
  /** When the last recording began, by `performance.now()`. */
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Ends the waiting for more. */
  #begin: (() => void) | undefined;
  /** Those that could not be recorded, and are tried one after the other: they take one connection at most. */
  #stuck: Waiting<Settled>[] = [];
  #isTrying = false;

  constructor(options: RecorderOptions<Settled>) {
    this.#options = options;
  }

  /** Resolves once it is recorded, or given up: then it is sent again, once its lease has ended. */
  record(settled: Settled): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#waiting.push({ settled, end });
    if (!this.#isRecording) void this.#recordAll();
    else if (!this.#isWorthWaiting) this.#begin?.();
    return promise;
  }

  /** A transaction for each that ends costs as much as what it records. */
  async #gather(): Promise<void> {
    const { everyMs = 0 } = this.#options;
    const left = this.#begunAt + everyMs - performance.now();
    if (left > 0 && this.#isWorthWaiting) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#begin = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
      this.#begin = undefined;
    }
    this.#begunAt = performance.now();
  }

  get #isWorthWaiting(): boolean {
    const { underWay = () => Number.POSITIVE_INFINITY, isStopping } = this.#options;
    const waiting = this.#waiting.length;
    return waiting < Math.min(ENOUGH, underWay()) && !isStopping();
  }

  async #recordAll(): Promise<void> {
    this.#isRecording = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const together = this.#waiting.splice(0);
      const failure = await this.#write(together);
      if (failure === undefined) continue;
      const left = concernsAll(failure.error) ? together : await this.#recordEach(together);
      this.#waiting.unshift(...this.#notGivenUp(left));
      if (left.length > 0) await sleep(AGAIN_MS);
    }
    this.#isRecording = false;
  }

  /** Returns those that are to be recorded together again, as the database does not work at all. */
  async #recordEach(all: Waiting<Settled>[]): Promise<Waiting<Settled>[]> {
    for (const [i, one] of all.entries()) {
      // One by itself has just been tried.
      const failure = all.length === 1 ? { error: undefined } : await this.#write([one]);
      if (failure === undefined) continue;
      if (concernsAll(failure.error)) return all.slice(i);
      this.#stuck.push(one);
      if (!this.#isTrying) void this.#tryAgain();
    }
    return [];
  }

  async #tryAgain(): Promise<void> {
    this.#isTrying = true;
    while (this.#stuck.length > 0) {
      await sleep(AGAIN_MS);
      for (const one of this.#notGivenUp(this.#stuck.splice(0))) {
        if (await this.#write([one])) this.#stuck.push(one);
      }
    }
    this.#isTrying = false;
  }

  #notGivenUp(all: readonly Waiting<Settled>[]): Waiting<Settled>[] {
    return all.filter(({ settled, end }) => {
      const isLeft = Date.now() <= settled.at + this.#options.forMs && !this.#options.isStopping();
      if (!isLeft) end();
      return isLeft;
    });
  }

  async #write(all: readonly Waiting<Settled>[]): Promise<{ error: unknown } | undefined> {
    try {
      await this.#options.write(all.map(({ settled }) => settled));
      for (const { end } of all) end();
      return undefined;
    } catch (error) {
      this.#options.onFailure(error);
      return { error };
    }
  }
}

/** Whether nothing can be recorded at present, rather than one among others. */
function concernsAll(error: unknown): boolean {
  return isOutage(error) && !isLockTimeout(error);
}
