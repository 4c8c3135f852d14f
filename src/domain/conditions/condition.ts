import type { Comparison, Name, NumberOperator } from './comparison.ts';
import type { DateTest } from './dates.ts';
import { measuredIn } from './measure.ts';
import type { Share } from './share.ts';
import type { Tree } from './tree.ts';
import type { Window } from './windows.ts';

/** A value of the event that triggered; within the filter of another event, of that one. */
export type PropertyLeaf = Comparison & { property: Name };

export const ITEMS_MATCHES = ['any', 'all', 'none'] as const;
export type ItemsMatch = (typeof ITEMS_MATCHES)[number];

/** Whether a list among the properties of an event has an item of which a condition holds, only such items, or none. */
export interface ItemsLeaf {
  items: {
    /** The list. */
    property: Name;
    /** Of the properties of one item alone. */
    where: Condition;
    /** `any` by default. */
    match?: ItemsMatch;
  };
}

/** What came of an earlier step of a run, such as `steps.score.answer.tier`: a path with dots, or a list of names. */
export type ResultLeaf = Comparison & { from: Name };

/** A value of the profile, as it is when the condition is evaluated. */
export type AttributeLeaf = Comparison & { attribute: Name };

export const IDENTIFIERS = ['email', 'phone', 'external_id', 'anonymous_id', 'source_id'] as const;
export type Identifier = (typeof IDENTIFIERS)[number];

export type IdentifierLeaf = Comparison & { identifier: Identifier };

export interface NumberComparison {
  op: NumberOperator;
  value: number;
}

export type MeasuredProperty = NumberComparison & { property: Name };

/** How often the customer has done something, or what that comes to: at least once where nothing else is said. */
export interface Did {
  event_type: string;
  /** Of properties alone. */
  filter?: Condition;
  /** How often, where what follows is absent. */
  at_least?: number;
  at_most?: number;
  count?: NumberComparison;
  /** Of the numbers in a property: other values of it add nothing, and without any the last three are not there. */
  sum?: MeasuredProperty;
  average?: MeasuredProperty;
  minimum?: MeasuredProperty;
  maximum?: MeasuredProperty;
  /** How many different texts, numbers and truth values are in a property. */
  distinct?: MeasuredProperty;
  /** On how many days of a time zone, by default UTC. */
  days?: NumberComparison & { time_zone?: string };
  /** Duration before now. Absent with `window` and `since`. */
  within?: string;
  window?: Window;
  /** Only of conditions of runs. */
  since?: 'trigger';
  /** Whether events count, too, that pages and apps sent with a public key. */
  from_client?: boolean;
}

export interface DidLeaf {
  did: Did;
}

/** Where a date lies from today: an attribute of the profile, or a property of an event. */
export interface DateLeaf {
  date: DateTest;
}

/** When something about the profile was. */
export interface ProfileLeaf {
  profile: { time: 'created_at' | 'last_event_at'; window: Window };
}

/** Whether the customer is in a list of the store, by its id. */
export interface ListLeaf {
  list: string;
}

/** Whether the customer is in a segment of the store, by its id: among the members that it has at that moment. */
export interface SegmentLeaf {
  segment: string;
}

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

export type ConsentStatus = 'subscribed' | 'unsubscribed' | 'never';

/** What the customer has chosen for a channel; being suppressed comes beside that. */
export interface ConsentLeaf {
  consent: { channel: Channel; status: ConsentStatus | 'suppressed' };
}

/** Whether the customer is in a random part of all, which stays. */
export interface ShareLeaf {
  share: Share;
}

/** The kinds of leaf by the member that tells them apart. */
export interface LeafKinds {
  property: PropertyLeaf;
  from: ResultLeaf;
  items: ItemsLeaf;
  attribute: AttributeLeaf;
  identifier: IdentifierLeaf;
  date: DateLeaf;
  did: DidLeaf;
  profile: ProfileLeaf;
  list: ListLeaf;
  segment: SegmentLeaf;
  consent: ConsentLeaf;
  share: ShareLeaf;
}
export type LeafKind = keyof LeafKinds;
export type Leaf = LeafKinds[LeafKind];

/** The one language of conditions: of segments, and of automations. What it may look at depends on its place. */
export type Condition = Tree<Leaf>;

const KINDS: Record<LeafKind, true> = {
  property: true,
  from: true,
  items: true,
  attribute: true,
  identifier: true,
  date: true,
  did: true,
  profile: true,
  list: true,
  segment: true,
  consent: true,
  share: true,
};

export function leafKind(leaf: Leaf): LeafKind {
  return Object.keys(KINDS).find((kind) => kind in leaf) as LeafKind;
}

/** What the measure must be; all of these. */
export function boundsOf(did: Did): readonly NumberComparison[] {
  const given = measuredIn(did);
  if (given) return [given.bound];
  const { at_least, at_most } = did;
  if (at_least === undefined && at_most === undefined) return [{ op: 'gte', value: 1 }];
  return [
    ...(at_least === undefined ? [] : [{ op: 'gte' as const, value: at_least }]),
    ...(at_most === undefined ? [] : [{ op: 'lte' as const, value: at_most }]),
  ];
}
