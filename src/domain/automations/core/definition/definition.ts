import type { Comparison, Name } from '../../../conditions/comparison.ts';
import type { Channel, Condition } from '../../../conditions/condition.ts';
import type { Weekday } from '../../../time/local.ts';
import type { EventMatch } from './event-match.ts';
import type { Step } from './steps.ts';

/** An automation as it is stored and sent. Durations are of ISO 8601, times of day `HH:MM`. */
export interface Definition {
  name: string;
  trigger: Trigger;
  /** What tells the runs of a customer apart, and correlates events with them: a cart, an order. */
  key?: { property: Name };
  /** Evaluated once, at entry. */
  entry_condition?: Condition;
  reentry?: Reentry;
  exit_on?: readonly EventMatch[];
  goal?: Goal;
  /** Of the profile and its history; evaluated before every action. */
  exit_when?: Condition;
  time_zone?: TimeZoneSetting;
  quiet_hours?: QuietHours;
  /** The id of the first step. */
  start: string;
  steps: readonly Step[];
}

/** What runs are for: an event of the customer within a time after their entry. */
export interface Goal extends EventMatch {
  within: string;
  /** Whether a run ends with it; by default it does. */
  on_reached?: 'end' | 'continue';
}

export type Trigger =
  | EventTrigger
  | ProfileChangeTrigger
  | DateTrigger
  | SegmentTrigger
  | ListTrigger
  | ConsentTrigger
  | ScheduleTrigger
  | ManualTrigger;

export interface EventTrigger {
  type: 'event';
  event_type: string;
  /** How long ago the event may have happened; by default a day. */
  max_age?: string;
  /** Of properties alone. */
  filter?: Condition;
  /** Also by events that pages and apps sent with a public key. */
  from_client?: boolean;
}

export interface ProfileChangeTrigger {
  type: 'profile_change';
  attribute: string;
  from?: Comparison;
  to?: Comparison;
  /** Also by changes that pages and apps made with a public key. */
  from_client?: boolean;
}

export interface DateTrigger {
  type: 'date';
  attribute: string;
  repeat: 'yearly' | 'once';
  /** Before (`-P7D`) or after the date. Its days are of the calendar. */
  offset?: string;
  at: string;
}

export type SegmentTrigger = SegmentEntryTrigger | SegmentExitTrigger;

export interface SegmentEntryTrigger {
  type: 'segment_entry';
  /** The id of the segment, in any case of its letters. */
  segment: string;
  /** Whether those who are in it when the version is published start, too. */
  include_members?: boolean;
}

export interface SegmentExitTrigger {
  type: 'segment_exit';
  segment: string;
}

export interface ListTrigger {
  type: 'list_joined' | 'list_left';
  /** The id of the list, in any case of its letters. */
  list: string;
}

export interface ConsentTrigger {
  type: 'consent_given' | 'consent_withdrawn';
  channel: Channel;
  /** Also by choices that pages and apps sent with a public key. */
  from_client?: boolean;
}

/** Days of the calendar on which the members of a list or a segment start, one run each. */
export interface ScheduleTrigger {
  type: 'schedule';
  /** The id of the list or of the segment, one of the two, in any case of its letters. */
  list?: string;
  segment?: string;
  repeat: 'once' | 'daily' | 'weekly' | 'monthly';
  /** The time of day. */
  at: string;
  /** With `once`: `2026-12-01`. */
  date?: string;
  /** With `weekly`. */
  weekdays?: readonly Weekday[];
  /** With `monthly`: from 1 to 31; in a shorter month its last day. */
  day?: number;
  /** By default that of the store. */
  time_zone?: string;
  /** How late the members may start, by default `PT6H`. */
  max_age?: string;
}

export interface ManualTrigger {
  type: 'manual';
}

export const REENTRY_MODES = ['once', 'one_at_a_time', 'restart', 'every_time'] as const;

export interface Reentry {
  mode: (typeof REENTRY_MODES)[number];
  per: 'profile' | 'key';
  /** Since the last start. */
  min_interval?: string | null;
}

export const DEFAULT_REENTRY: Reentry = { mode: 'one_at_a_time', per: 'profile' };

export interface TimeZoneSetting {
  attribute?: Name;
  default: string;
}

export const DEFAULT_TIME_ZONE: TimeZoneSetting = { default: 'UTC' };

/** Local times between which no messages are sent. */
export interface QuietHours {
  from: string;
  to: string;
  then: 'wait' | 'skip';
}

export const IN_FLIGHT = ['keep', 'move', 'exit'] as const;
/** What becomes of the runs on earlier versions when a version is published. */
export type InFlight = (typeof IN_FLIGHT)[number];
