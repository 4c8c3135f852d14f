import { nextLocal, WEEKDAYS, type Weekday, zoned } from './local.ts';
import { quietUntil } from './quiet-hours.ts';

/** Times of some days between which something is done, by the clock of a place: from the first on, until the second. */
export interface OpenHours {
  /** Earlier than `to`. */
  from: string;
  to: string;
  weekdays: readonly Weekday[];
}

/** Returns the first moment from `now` on that is in the hours, in milliseconds: `now` if it is. */
export function nextOpen({ from, to, weekdays }: OpenHours, zone: string, now: number): number {
  for (let at = now; ; ) {
    const until = quietUntil({ from: to, to: from }, zone, at);
    if (until !== undefined) at = until;
    else if (weekdays.includes(WEEKDAYS[zoned(at, zone).dayOfWeek - 1] as Weekday)) return at;
    else at = nextLocal(at, from, zone, weekdays);
  }
}

/** Minutes of a week that are in the hours. */
export function openMinutes({ from, to, weekdays }: OpenHours): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return (minutes(to) - minutes(from)) * weekdays.length;
}

/** The hours of a place from a moment on; each opening is worked out once, whoever asks for it. */
export class OpenTimes {
  readonly #hours: OpenHours;
  readonly #zone: string;
  readonly #from: number;
  readonly #openings: { from: number; to: number }[] = [];

  constructor(hours: OpenHours, zone: string, from: number) {
    this.#hours = hours;
    this.#zone = zone;
    this.#from = from;
  }

  /** Returns when it has been open for so many milliseconds. */
  after(ms: number): number {
    let left = ms;
    for (let i = 0; ; i += 1) {
      const { from, to } = this.#opening(i);
      if (left < to - from) return from + left;
      left -= to - from;
    }
  }

  /** Whether a moment, which is not before the first, is in the hours. */
  has(at: number): boolean {
    let i = 0;
    while (this.#opening(i).to <= at) i += 1;
    return this.#opening(i).from <= at;
  }

  #opening(i: number): { from: number; to: number } {
    for (let known = this.#openings.length; known <= i; known += 1) {
      const from = nextOpen(this.#hours, this.#zone, this.#openings.at(-1)?.to ?? this.#from);
      // It is open until then: the hours are as quiet hours are.
      const to = quietUntil(this.#hours, this.#zone, from) as number;
      this.#openings.push({ from, to });
    }
    return this.#openings[i] as { from: number; to: number };
  }
}
