import type { Violation } from '../service-error.ts';
import { DAY, durationMs, parseDuration } from '../time/duration.ts';
import { TIME_OF_DAY } from '../time/local.ts';
import type { Path } from './tree.ts';

/** What the conditions of one definition may be. Whoever evaluates them does so beside those of other stores. */
export interface Limits {
  /** Of all conditions together. */
  leaves: number;
  /** Of one filter of events; those count among the leaves where there is no limit of their own. */
  leavesOfFilter?: number;
  /** Nesting of a condition, 1 for a leaf alone. */
  depth: number;
  /** Values in a list to compare with. */
  list: number;
  /** Whether every text may be asked to begin with nothing. */
  takesEmptyTexts?: boolean;
  /** Milliseconds that a duration may last, and that a condition may look back. */
  duration: number;
  history: number;
}

/** Collects what is wrong with a definition. */
export class Report<Own extends Limits = Limits> {
  readonly violations: Violation[] = [];
  /** Those of them that are no unfinished work, but of a form that not even a draft may have. */
  readonly malformed: Violation[] = [];
  readonly limits: Own;

  constructor(limits: Own) {
    this.limits = limits;
  }

  add(path: Path, problem: string): void {
    this.violations.push({ path, problem });
  }

  /** Adds what not even a draft may have, unless it is an empty text or list: that is unfinished. */
  addUnlessUnfinished(path: Path, problem: string, value: unknown): void {
    this.add(path, problem);
    if (value !== '' && !(Array.isArray(value) && value.length === 0)) this.malformed.push({ path, problem });
  }

  /** Checks a duration that must be longer than 0, by default up to the limit of a run. */
  duration(path: Path, text: string, longest = this.limits.duration): void {
    if (!this.#isDuration(path, text)) return;
    const ms = durationMs(text);
    if (text.startsWith('-')) this.addUnlessUnfinished(path, 'must be longer than 0', text);
    else if (ms <= 0) this.add(path, 'must be longer than 0');
    else if (ms > longest) this.add(path, `must be at most P${longest / DAY}D`);
  }

  /** Checks a duration before or after a date. */
  offset(path: Path, text: string): void {
    if (this.#isDuration(path, text) && Math.abs(durationMs(text)) > this.limits.duration) {
      this.add(path, `must be at most P${this.limits.duration / DAY}D either way`);
    }
  }

  timeOfDay(path: Path, text: string): void {
    if (TIME_OF_DAY.test(text)) return;
    this.addUnlessUnfinished(path, 'must be a time from 00:00 to 23:59, such as 09:30', text);
  }

  #isDuration(path: Path, text: string): boolean {
    if (parseDuration(text)) return true;
    const problem = 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as P1DT12H';
    this.addUnlessUnfinished(path, problem, text);
    return false;
  }
}
