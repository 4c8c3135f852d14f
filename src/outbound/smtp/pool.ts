import type { Session } from './session.ts';

/** Milliseconds for which an idle connection is kept. */
const IDLE_MS = 20_000;

/** The connections of one sender. */
export class Pool {
  readonly #open: (signal: AbortSignal | undefined) => Promise<Session>;
  readonly #maxConcurrent: number;
  /** The one that was used last is at the end. */
  readonly #idle = new Map<Session, NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #isClosed = false;

  constructor(open: (signal: AbortSignal | undefined) => Promise<Session>, maxConcurrent: number) {
    this.#open = open;
    this.#maxConcurrent = maxConcurrent;
  }

  get isUsed(): boolean {
    return this.#used > 0;
  }

  /** Waits until fewer than may be are used. Throws if `signal` is aborted before, or if there is no connection. */
  async acquire(signal: AbortSignal | undefined): Promise<{ session: Session; isReused: boolean }> {
    if (this.#used >= this.#maxConcurrent) await this.#turn(signal);
    else this.#used += 1;
    try {
      signal?.throwIfAborted();
      const idle = this.#takeIdle();
      if (idle) return { session: idle, isReused: true };
      const session = await this.#open(signal);
      session.onEnd(() => this.#forget(session));
      return { session, isReused: false };
    } catch (error) {
      this.#next();
      throw error;
    }
  }

  release(session: Session): void {
    if (session.isUsable && !this.#isClosed) this.#keep(session);
    else session.end();
    this.#next();
  }

  closeIdle(): void {
    for (const session of [...this.#idle.keys()]) this.#forget(session).end();
  }

  /** What is under way goes on. */
  close(): void {
    this.#isClosed = true;
    this.closeIdle();
  }

  #keep(session: Session): void {
    const timer = setTimeout(() => this.#forget(session).end(), IDLE_MS);
    timer.unref();
    this.#idle.set(session, timer);
  }

  #takeIdle(): Session | undefined {
    const session = [...this.#idle.keys()].findLast(({ isUsable }) => isUsable);
    return session && this.#forget(session);
  }

  #forget(session: Session): Session {
    clearTimeout(this.#idle.get(session));
    this.#idle.delete(session);
    return session;
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      const admit = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(admit);
      signal?.addEventListener('abort', onAbort);
    });
  }

  /** Hands the place on to whoever waits longest. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#used -= 1;
  }
}
