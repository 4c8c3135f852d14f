import type { Comparison, NumberOperator, Operator } from '../../conditions/comparison.ts';
import type { Tree } from '../../conditions/tree.ts';

/** Those of automations, but for the ones with times. */
export type ValueTest = Comparison<Exclude<Operator, 'before' | 'after'>>;

/** A time span that ends now: `30d`; or in whole days of a time zone, today among them. */
export interface LastWindow {
  last: string;
  calendar?: boolean;
  time_zone?: string;
}
/** Timestamps of RFC 3339; `to` is excluded. */
export interface BetweenWindow {
  from: string;
  to?: string;
}
/** Longer ago than `min`, and not longer than `max`. */
export interface AgoWindow {
  ago: { min: string; max: string };
}
export type Window = LastWindow | BetweenWindow | AgoWindow;

/** How often, or with which sum, a customer did something; by default at least once, ever. */
export interface EventCondition {
  type: string;
  where?: readonly (ValueTest & { property: string })[];
  measure?: 'count' | 'sum';
  /** What is summed up; only for `sum`. */
  property?: string;
  op?: NumberOperator;
  value?: number;
  window?: Window;
}

export const IDENTIFIERS = ['email', 'phone', 'external_id', 'anonymous_id'] as const;
export type Identifier = (typeof IDENTIFIERS)[number];

/** The kinds of leaf, by the member that tells them apart. */
export interface LeafKinds {
  event: EventCondition;
  attribute: ValueTest & { name: string };
  identifier: Identifier;
  profile: { time: 'created_at' | 'last_event_at'; window: Window };
  consent: { channel: 'email' | 'sms'; status: 'subscribed' | 'unsubscribed' | 'never' | 'suppressed' };
  list: string;
  segment: string;
}
export type LeafKind = keyof LeafKinds;
export type Leaf = { [Kind in LeafKind]: { [K in Kind]: LeafKinds[Kind] } }[LeafKind];

export type Definition = Tree<Leaf>;
