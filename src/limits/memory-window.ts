import { type Admission, admission, WINDOW_MS, type Window } from './window.ts';

/** Milliseconds between two clean-ups of subjects that have been silent for a window's length. */
const SWEEP_MS = 10_000;
const INITIAL_CAPACITY = 16;

/** The window of one process. */
export class MemoryWindow implements Window {
  readonly #logs = new Map<string, AdmissionLog>();
  readonly #now: () => number;
  #sweptAt = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  admit(subject: string, limit: number): Admission {
    const now = this.#now();
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    let log = this.#logs.get(subject);
    if (!log) {
      log = new AdmissionLog();
      this.#logs.set(subject, log);
    }
    log.forget(now - WINDOW_MS);
    const admitted = log.size < limit;
    if (admitted) log.add(now);
    // Where the limit was lowered, as many have to leave as are over it.
    const next = admitted ? 0 : log.size - limit;
    return admission(admitted, limit, log.size, log.at(next) + WINDOW_MS - now);
  }

  /** Counts a request less that was admitted: the last one, as if it had not come. */
  takeBack(subject: string): void {
    const log = this.#logs.get(subject);
    if (log && log.size > 0) log.size -= 1;
  }

  used(subjects: readonly string[]): number[] {
    const now = this.#now();
    return subjects.map((subject) => {
      const log = this.#logs.get(subject);
      log?.forget(now - WINDOW_MS);
      return log?.size ?? 0;
    });
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, log] of this.#logs) {
      log.forget(now - WINDOW_MS);
      if (log.size === 0) this.#logs.delete(subject);
    }
  }
}

/** The times of admissions, oldest first: a ring buffer, because a partner's key has thousands of them. */
class AdmissionLog {
  #times = new Float64Array(INITIAL_CAPACITY);
  #head = 0;
  size = 0;

  at(index: number): number {
    return this.#times[(this.#head + index) % this.#times.length] as number;
  }

  add(time: number): void {
    if (this.size === this.#times.length) this.#grow();
    this.#times[(this.#head + this.size) % this.#times.length] = time;
    this.size += 1;
  }

  /** Drops what happened at `until` or before. */
  forget(until: number): void {
    while (this.size > 0 && this.at(0) <= until) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.size -= 1;
    }
  }

  #grow(): void {
    const grown = new Float64Array(this.#times.length * 2);
    for (let i = 0; i < this.size; i += 1) grown[i] = this.at(i);
    this.#times = grown;
    this.#head = 0;
  }
}
