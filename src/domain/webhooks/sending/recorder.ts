import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout, isOutage } from '../../../db/driver-errors.ts';
import { LEASE_S } from './claim.ts';
import type { Settled } from './record.ts';

/** Milliseconds before what could not be recorded is recorded again. */
const AGAIN_MS = 500;

interface RecorderOptions {
  /** Records all or nothing. */
  write: (settled: readonly Settled[]) => Promise<void>;
  onFailure: (error: unknown) => void;
  isStopping: () => boolean;
}

interface Waiting {
  settled: Settled;
  end: () => void;
}

/**
 * Records what comes of the deliveries of an endpoint: together those that end while the last ones are being recorded. One
 * that can't be recorded, as the run that waits for it is locked or at fault, is tried again by itself: no other waits for
 * it.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  #waiting: Waiting[] = [];
  #isRecording = false;
  /** Those that could not be recorded, and are tried one after the other: they take one connection at most. */
  #stuck: Waiting[] = [];
  #isTrying = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Resolves once it is recorded, or given up: then it is sent again, once its lease has ended. */
  record(settled: Settled): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#waiting.push({ settled, end });
    if (!this.#isRecording) void this.#recordAll();
    return promise;
  }

  async #recordAll(): Promise<void> {
    this.#isRecording = true;
    while (this.#waiting.length > 0) {
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
  async #recordEach(all: Waiting[]): Promise<Waiting[]> {
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

  #notGivenUp(all: readonly Waiting[]): Waiting[] {
    return all.filter(({ settled, end }) => {
      const isLeft = Date.now() <= settled.at + LEASE_S * 1000 && !this.#options.isStopping();
      if (!isLeft) end();
      return isLeft;
    });
  }

  async #write(all: readonly Waiting[]): Promise<{ error: unknown } | undefined> {
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
