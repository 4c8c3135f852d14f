import { CAUSES, type Cause } from './origin.ts';

/** What was done for segments and has been committed. */
export interface SegmentWork {
  /** Customers who were looked at. */
  evaluated: number;
  /** How often somebody has entered or left a segment. */
  moves: Partial<Record<Cause, number>>;
  /** Seconds from the request for each build that has ended. */
  buildSeconds: readonly number[];
  /** Memberships that a comparison has found wrong. */
  drift: number;
}

const NOTHING: SegmentWork = { evaluated: 0, moves: {}, buildSeconds: [], drift: 0 };

/** Sums up work until somebody takes the sum. */
export class WorkCount {
  #sum = NOTHING;

  add({ evaluated = 0, moves = {}, buildSeconds = [], drift = 0 }: Partial<SegmentWork>): void {
    const sum = this.#sum;
    this.#sum = {
      evaluated: sum.evaluated + evaluated,
      moves: Object.fromEntries(CAUSES.map((cause) => [cause, (sum.moves[cause] ?? 0) + (moves[cause] ?? 0)])),
      buildSeconds: [...sum.buildSeconds, ...buildSeconds],
      drift: sum.drift + drift,
    };
  }

  take(): SegmentWork {
    const sum = this.#sum;
    this.#sum = NOTHING;
    return sum;
  }
}
