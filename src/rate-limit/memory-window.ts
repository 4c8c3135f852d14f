import { type Admission, admissionOf, isAddressSubject, type SlidingWindow, WINDOW_MS } from './sliding-window.ts';

/** Milliseconds between two sweeps, which remove subjects without requests in the window. */
const SWEEP_MS = 10_000;
const INITIAL_CAPACITY = 16;
/** Maximum addresses counted, at 1 KB each. A client with more of them has that many windows anyway. */
const MAX_ADDRESSES = 20_000;
/** The oldest addresses, which are dropped to make room. */
const FORGOTTEN_AT_ONCE = 2_000;

/** The rate-limit windows of one process. */
export class MemoryWindow implements SlidingWindow {
  readonly #logs = new Map<string, AdmissionLog>();
  readonly #addresses = new Map<string, AdmissionLog>();
  readonly #now: () => number;
  #sweptAt = 0;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  admit(subject: string, limit: number): Admission {
    const now = this.#now();
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    const log = this.#findLog(subject) ?? this.#addLog(subject);
    log.forget(now - WINDOW_MS);
    const admitted = log.size < limit;
    if (admitted) log.add(now);
    // If the limit was lowered, as many requests as exceed it have to leave first.
    const next = admitted ? 0 : log.size - limit;
    return admissionOf(admitted, limit, log.size, log.at(next) + WINDOW_MS - now);
  }

  takeBack(subject: string): void {
    const log = this.#findLog(subject);
    if (log && log.size > 0) log.size -= 1;
  }

  used(subjects: readonly string[]): number[] {
    const now = this.#now();
    return subjects.map((subject) => {
      const log = this.#findLog(subject);
      log?.forget(now - WINDOW_MS);
      return log?.size ?? 0;
    });
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const logs of [this.#logs, this.#addresses]) {
      for (const [subject, log] of logs) {
        log.forget(now - WINDOW_MS);
        if (log.size === 0) logs.delete(subject);
      }
    }
  }

  #tableOf(subject: string): Map<string, AdmissionLog> {
    return isAddressSubject(subject) ? this.#addresses : this.#logs;
  }

  #findLog(subject: string): AdmissionLog | undefined {
    return this.#tableOf(subject).get(subject);
  }

  /** Many at once, because each time the map walks over its dead entries. */
  #forgetOldAddresses(): void {
    let left = FORGOTTEN_AT_ONCE;
    for (const address of this.#addresses.keys()) {
      if (left === 0) return;
      left -= 1;
      this.#addresses.delete(address);
    }
  }

  #addLog(subject: string): AdmissionLog {
    const log = new AdmissionLog();
    this.#tableOf(subject).set(subject, log);
    if (this.#addresses.size > MAX_ADDRESSES) this.#forgetOldAddresses();
    return log;
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

  /** Drops admissions at or before `until`. */
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
