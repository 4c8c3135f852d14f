import type { Violation } from '../../../service-error.ts';
import type { Path } from '../definition/condition.ts';
import { DAY, durationMs, parseDuration } from '../time/duration.ts';
import { TIME_OF_DAY } from '../time/local.ts';
import type { Limits } from './limits.ts';

/** Collects what is wrong with a definition. */
export class Report {
  readonly violations: Violation[] = [];
  readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  add(path: Path, problem: string): void {
    this.violations.push({ path, problem });
  }

  /** Checks a duration that must be longer than 0, by default up to the limit of a run. */
  duration(path: Path, text: string, longest = this.limits.duration): void {
    if (!this.#isDuration(path, text)) return;
    const ms = durationMs(text);
    if (ms <= 0) this.add(path, 'must be longer than 0');
    else if (ms > longest) this.add(path, `must be at most P${longest / DAY}D`);
  }

  /** Checks a duration before or after a date. */
  offset(path: Path, text: string): void {
    if (this.#isDuration(path, text) && Math.abs(durationMs(text)) > this.limits.duration) {
      this.add(path, `must be at most P${this.limits.duration / DAY}D either way`);
    }
  }

  timeOfDay(path: Path, text: string): void {
    if (!TIME_OF_DAY.test(text)) this.add(path, 'must be a time from 00:00 to 23:59, such as 09:30');
  }

  #isDuration(path: Path, text: string): boolean {
    if (parseDuration(text)) return true;
    this.add(path, 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as P1DT12H');
    return false;
  }
}
