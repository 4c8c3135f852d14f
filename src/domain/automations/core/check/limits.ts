import type { Limits as LimitsOfConditions, Report } from '../../../conditions/report.ts';
import { DAY } from '../../../time/duration.ts';

/** What one definition may be. */
export interface Limits extends LimitsOfConditions {
  steps: number;
  /** JSON of the whole. */
  bytes: number;
  /** Milliseconds that a run may take, all delays and timeouts on the longest way together. */
  duration: number;
  /** Milliseconds. */
  maxAge: number;
  /** Milliseconds within which a goal counts: as long as runs that have ended are kept. */
  goal: number;
}

export const LIMITS: Limits = {
  steps: 100,
  leaves: 100,
  depth: 5,
  list: 100,
  bytes: 64 * 1024,
  duration: 400 * DAY,
  maxAge: 30 * DAY,
  goal: 90 * DAY,
  history: 36_500 * DAY,
};

export type DefinitionReport = Report<Limits>;
