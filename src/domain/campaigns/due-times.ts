import { createHash } from 'node:crypto';
import { durationMs } from '../time/duration.ts';
import { OpenTimes } from '../time/open-hours.ts';
import { zoneOf } from '../time/zone.ts';
import { type CampaignTiming, momentOf, nextMomentOf } from './timing.ts';

/** When the message of a recipient goes, or why it does not. */
export interface Due {
  /** Milliseconds. */
  at: number;
  skipped: 'time_passed' | 'outside_hours' | null;
  /** What their profile has for a time zone: the default holds unless it is known. */
  zone: 'known' | 'none' | 'unknown';
}

interface OfZone extends Omit<Due, 'zone'> {
  openTimes: OpenTimes | undefined;
}

/** When a campaign was to begin, and did, in milliseconds. */
interface Begin {
  scheduledAt: number;
  startedAt: number;
}

/** When the messages of a campaign go. What is the same for all of a time zone is worked out once. */
export class DueTimes {
  readonly #timing: CampaignTiming;
  readonly #begin: Begin;
  readonly #spreadMs: number;
  /** By what profiles have: the name of the time zone that holds. */
  readonly #zones = new Map<unknown, { name: string; zone: Due['zone'] }>();
  readonly #byName = new Map<string, OfZone>();

  constructor(timing: CampaignTiming, begin: Begin) {
    this.#timing = timing;
    this.#begin = begin;
    this.#spreadMs = timing.spread === null ? 0 : durationMs(timing.spread);
  }

  /** Of a recipient: `zone` is what their profile has for one, `share` how far into the spread they are, below 1. */
  of(zone: unknown, share: number): Due {
    const { name, zone: found } = this.#zoneOf(zone);
    const { at, skipped, openTimes } = this.#ofZone(name);
    const offset = Math.floor(this.#spreadMs * share);
    if (skipped || !openTimes) return { at: at + offset, skipped, zone: found };
    if (this.#timing.hours?.otherwise === 'wait') return { at: openTimes.after(offset), skipped, zone: found };
    return { at: at + offset, skipped: openTimes.has(at + offset) ? null : 'outside_hours', zone: found };
  }

  #zoneOf(value: unknown): { name: string; zone: Due['zone'] } {
    const known = this.#zones.get(value);
    if (known) return known;
    const { name, unknown } = zoneOf(this.#timing.timeZone ?? { default: 'UTC' }, value);
    const zone = unknown !== undefined ? 'unknown' : value === undefined || value === null ? 'none' : 'known';
    // However many ways there are to write it.
    const found = { name: name.toLowerCase(), zone } as const;
    this.#zones.set(value, found);
    return found;
  }

  #ofZone(name: string): OfZone {
    const known = this.#byName.get(name);
    if (known) return known;
    const { localTime, past, hours } = this.#timing;
    const { scheduledAt, startedAt } = this.#begin;
    const moment = localTime === null ? startedAt : momentOf(localTime, name);
    const isPast = localTime !== null && moment < scheduledAt;
    const skipped = isPast && past === 'skip' ? 'time_passed' : null;
    const at =
      isPast && past === 'next_day' && localTime !== null
        ? nextMomentOf(localTime, name, scheduledAt)
        : isPast
          ? startedAt
          : moment;
    const ofZone = { at, skipped, openTimes: hours ? new OpenTimes(hours, name, at) : undefined } as const;
    this.#byName.set(name, ofZone);
    return ofZone;
  }
}

/** How far into the spread of a campaign a recipient is, from 0 to below 1: the same whenever it is asked. */
export function shareOf(campaignId: string, profileId: string): number {
  // Not of the same text as the ids of messages: what else is drawn by these has nothing to do with it.
  return createHash('sha256').update(`spread ${campaignId} ${profileId}`).digest().readUInt32BE(0) / 2 ** 32;
}
