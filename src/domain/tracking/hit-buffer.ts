import { Recorder } from '../../engine/recorder.ts';
import type { WithConnection } from '../store-connections.ts';
import { insertHits, type NewHit } from './insert-hits.ts';

/** Hits that wait to be recorded, of all stores and of each: those that come besides are lost. */
const [MOST, MOST_OF_STORE] = [10_000, 2_000];
/** Milliseconds in which hits of a store are recorded together. */
const TOGETHER_MS = 50;
/** Milliseconds for which recording one is tried. */
const PATIENCE_MS = 10 * 60 * 1000;

export interface HitBufferOptions {
  writing: WithConnection;
  /** Called once until recording succeeds again. */
  onFailure: (error: unknown) => void;
  /** Called for each that is lost. */
  onLoss: () => void;
}

interface OfStore {
  recorder: Recorder<NewHit>;
  waiting: number;
}

/**
 * Records opens and clicks in the background: nobody who follows a link waits for the database, and while that is away what
 * is to be recorded waits here.
 */
export class HitBuffer {
  readonly #options: HitBufferOptions;
  readonly #stores = new Map<string, OfStore>();
  readonly #recorded = new WeakSet<NewHit>();
  readonly #underWay = new Set<Promise<void>>();
  #waiting = 0;
  #isStopping = false;
  #isFailing = false;

  constructor(options: HitBufferOptions) {
    this.#options = options;
  }

  add(hit: NewHit): void {
    const store = this.#of(hit.storeId);
    if (this.#waiting >= MOST || store.waiting >= MOST_OF_STORE) {
      this.#options.onLoss();
      return;
    }
    this.#waiting += 1;
    store.waiting += 1;
    const recording = store.recorder.record(hit).then(() => {
      this.#waiting -= 1;
      store.waiting -= 1;
      if (store.waiting === 0) this.#stores.delete(hit.storeId);
      this.#underWay.delete(recording);
      if (!this.#recorded.has(hit)) this.#options.onLoss();
    });
    this.#underWay.add(recording);
  }

  /** Tries once more to record what waits. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#underWay);
  }

  #of(storeId: string): OfStore {
    let store = this.#stores.get(storeId);
    if (!store) {
      const { writing, onFailure } = this.#options;
      const recorder = new Recorder<NewHit>({
        forMs: PATIENCE_MS,
        write: async (hits) => {
          await writing(storeId, (db) => insertHits(db, storeId, hits));
          for (const hit of hits) this.#recorded.add(hit);
          this.#isFailing = false;
        },
        onFailure: (error) => {
          if (!this.#isFailing) onFailure(error);
          this.#isFailing = true;
        },
        isStopping: () => this.#isStopping,
        everyMs: TOGETHER_MS,
      });
      store = { recorder, waiting: 0 };
      this.#stores.set(storeId, store);
    }
    return store;
  }
}
