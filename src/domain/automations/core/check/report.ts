import type { Path } from '../../../conditions/tree.ts';
import type { Violation } from '../../../service-error.ts';
import { DAY, durationMs, parseDuration } from '../../../time/duration.ts';
import { TIME_OF_DAY } from '../../../time/local.ts';
import type { Limits } from './limits.ts';

/** Collects what is wrong with a definition. */
export class Report {
  readonly violations: Violation[] = [];
  /** Those of them that are no unfinished work, but of a form that not even a draft may have. */
  readonly malformed: Violation[] = [];
  readonly limits: Limits;

  constructor(limits: Limits) {
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
