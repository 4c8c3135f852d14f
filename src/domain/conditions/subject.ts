import type { Condition } from './condition.ts';
import type { Measure } from './measure.ts';
import type { Standing } from './standing.ts';
import type { Tally } from './tally.ts';

/** Free-form data as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A customer's profile as far as automations look at it. */
export interface Profile {
  id: string;
  identifiers: JsonObject;
  attributes: JsonObject;
}

/** An event as automations see it. Times are milliseconds. */
export interface CustomerEvent {
  /** UUID of version 7. */
  id: string;
  eventType: string;
  properties: JsonObject;
  occurredAt: number;
  receivedAt: number;
  /** Backfilled events are history: they start, wake and end nothing. */
  backfill: boolean;
  /** Whether a page or an app sent it, with a public key: anybody may have. */
  fromClient?: boolean;
  /** How many automations led to it, one after the other; 0 for one from outside. */
  depth: number;
  /** The id of what these began with. */
  chain?: string | null | undefined;
}

/** What a condition is evaluated against. */
export interface Subject {
  /** Milliseconds: when today is. Of the properties of an event alone, when it is to be looked at. */
  now?: number;
  /** The event's properties, or those that a run has captured. */
  properties?: JsonObject;
  /** What came of the steps of a run, by their ids. */
  steps?: JsonObject;
  /** Asked for only if a leaf needs it. */
  profile?: () => Profile;
  standing?: Standing;
  history?: History;
  times?: Times;
}

/** Milliseconds. */
export interface Times {
  now: number;
  createdAt: number;
  /** Of the last event of any type that is not in the future; undefined if there is none. */
  lastEventAt: number | undefined;
}

export interface History {
  /** Milliseconds. */
  now: number;
  /** Of the trigger. */
  since: number;
  /** The event that triggered, which is not something done since. */
  triggerEventId?: string | undefined;
  /** Undefined where it has to be looked up first. */
  count(question: HistoryQuestion): HistoryCount | undefined;
}

/** How many events of a type a customer has that occurred from `from` to `to`, both included, or what they come to. */
export interface HistoryQuestion {
  eventType: string;
  /** Milliseconds; null for all. */
  from: number | null;
  to: number;
  /** Of their properties. */
  filter?: Condition;
  /** When that is asked, where it makes a difference to the filter. Milliseconds. */
  askedAt?: number;
  /** An event that does not count. */
  except?: string;
  /** Whether events count that pages and apps sent, too. */
  fromClient?: boolean;
  /** What they come to; by default events are counted. */
  measure?: Measure;
  /** Counting may stop here; infinite for anything else. */
  enough: number;
}

/**
 * A count up to `enough`, a sum, or what has worked out another measure; `too_long` if more events would have to be read than
 * is allowed.
 */
export type HistoryCount = number | Tally | 'too_long';
