import type { Scalar } from '../../automations/core/definition/condition.ts';

/** How comparisons with values of events and profiles are made, as in automations. */
export const VALUE_OPERATORS = [
  'exists',
  'not_exists',
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'contains',
  'starts_with',
] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

export interface ValueTest {
  op: ValueOperator;
  /** None for `exists` and `not_exists`, a list for `in` and `not_in`. */
  value?: Scalar | readonly Scalar[];
}

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

export type NumberOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

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

export type Definition = { all: readonly Definition[] } | { any: readonly Definition[] } | { not: Definition } | Leaf;

export type Path = readonly (string | number)[];

/** A leaf in its place. */
export interface PlacedLeaf {
  leaf: Leaf;
  path: Path;
  /** 1 for a leaf alone. */
  depth: number;
}

/** The leaves of a definition, in their order. */
export function* leavesOf(definition: Definition, path: Path = [], depth = 1): Generator<PlacedLeaf> {
  if ('not' in definition) {
    yield* leavesOf(definition.not, [...path, 'not'], depth + 1);
  } else if ('all' in definition || 'any' in definition) {
    const [name, parts] = 'all' in definition ? (['all', definition.all] as const) : (['any', definition.any] as const);
    for (const [i, part] of parts.entries()) yield* leavesOf(part, [...path, name, i], depth + 1);
  } else {
    yield { leaf: definition, path, depth };
  }
}
