import { DAY } from '../../../time/duration.ts';

/** What one definition may be. Whoever evaluates it does so beside the automations of other stores. */
export interface Limits {
  steps: number;
  /** Of all conditions together. */
  leaves: number;
  /** Nesting of a condition, 1 for a leaf alone. */
  depth: number;
  /** Values in a list to compare with. */
  list: number;
  /** JSON of the whole. */
  bytes: number;
  /** Milliseconds that a run may take, all delays and timeouts on the longest way together. */
  duration: number;
  /** Milliseconds. */
  maxAge: number;
  /** Milliseconds that a condition may look back. */
  history: number;
}

export const LIMITS: Limits = {
  steps: 100,
  leaves: 100,
  depth: 5,
  list: 100,
  bytes: 64 * 1024,
  duration: 400 * DAY,
  maxAge: 30 * DAY,
  history: 36_500 * DAY,
};
