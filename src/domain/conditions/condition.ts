import type { Comparison, Name, NumberComparison } from './comparison.ts';
import type { DateTest } from './dates.ts';
import { type Measured, measuredIn, type ValueMeasure } from './measure.ts';
import type { Share } from './share.ts';
import type { Tree } from './tree.ts';
import type { Window } from './windows.ts';

/** Which events of a customer are meant. */
export interface EventsAsked {
  event_type: string;
  /** Of properties alone. */
  filter?: Condition;
  /** Duration before now. Absent with `window`. */
  within?: string;
  window?: Window;
  /** Whether events count, too, that pages and apps sent with a public key. */
  from_client?: boolean;
}

/** What a customer's events come to, or what the first or the last of them has in a property. */
export interface ValueOfEvents extends EventsAsked {
  measure: ValueMeasure;
  /** Absent for `count` and `days`. */
  property?: Name;
  /** Of `days`; by default UTC. */
  time_zone?: string;
}

/** Another value, found when the condition is evaluated. One of these. */
export interface ValueOf {
  attribute?: Name;
  /** Of the event that triggered; within a filter, of that which is filtered; within `items`, of the item. */
  property?: Name;
  did?: ValueOfEvents;
}

/** A comparison with a value that is given, or with another one: one of the two. */
export type Compared = Comparison & { value_of?: ValueOf };

/** A value of the event that triggered; within the filter of another event, of that one. */
export type PropertyLeaf = Compared & { property: Name };

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
export type ResultLeaf = Compared & { from: Name };

/** A value of the profile, as it is when the condition is evaluated. */
export type AttributeLeaf = Compared & { attribute: Name };

export const IDENTIFIERS = ['email', 'phone', 'external_id', 'anonymous_id', 'source_id'] as const;
export type Identifier = (typeof IDENTIFIERS)[number];

export type IdentifierLeaf = Comparison & { identifier: Identifier };

/** How often the customer has done something, or what that comes to: at least once where nothing else is said. */
export interface Did extends EventsAsked, Measured {
  /** How often, where what follows is absent. */
  at_least?: number;
  at_most?: number;
  /** Only of conditions of runs; absent with `within` and `window`. */
  since?: 'trigger';
}

export interface DidLeaf {
  did: Did;
}

/** Compares what events come to, or what the first or the last of them has in a property. */
export type EventsLeaf = Compared & { events: ValueOfEvents };

/** The first or the last event of those that are meant: when it was, and what it is like. */
export interface Occurrence extends EventsAsked {
  which: 'first' | 'last';
  /** Of its properties. */
  where?: Condition;
}

export interface OccurrenceLeaf {
  occurrence: Occurrence;
}

/** An event, and another one that followed it, or did not, within a time. */
export interface Sequence extends EventsAsked {
  followed_by: Omit<EventsAsked, 'within' | 'window'> & {
    /** Duration after the first. */
    within: string;
    /** Whether it followed; true by default. That it did not is known once the time is over. */
    happened?: boolean;
  };
}

export interface SequenceLeaf {
  sequence: Sequence;
}

/** Where a date lies from today: an attribute of the profile, or a property of an event. */
export interface DateLeaf {
  date: DateTest;
}

/** When something about the profile was. */
export interface ProfileLeaf {
  profile: { time: 'created_at' | 'last_event_at'; window: Window };
}

/** Since when somebody must be in a list or a segment, without a break; one of these. */
export interface Joined {
  joined?: Window;
  /** Duration: at least so long. */
  for?: string;
}

/** Whether the customer is in a list of the store, by its id. */
export interface ListLeaf extends Joined {
  list: string;
}

/** Whether the customer is in a segment of the store, by its id: among the members that it has at that moment. */
export interface SegmentLeaf extends Joined {
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

export const ITEM_FACTS = ['stock', 'price', 'available'] as const;

/** What can be said of the item of a run, as the catalog has it when the condition is evaluated. */
export type ItemLeaf = Compared & {
  item: (typeof ITEM_FACTS)[number];
  /** Of a price; by default that of the run. */
  currency?: string;
};

/** The kinds of leaf by the member that tells them apart. */
export interface LeafKinds {
  property: PropertyLeaf;
  from: ResultLeaf;
  items: ItemsLeaf;
  attribute: AttributeLeaf;
  identifier: IdentifierLeaf;
  date: DateLeaf;
  did: DidLeaf;
  events: EventsLeaf;
  occurrence: OccurrenceLeaf;
  sequence: SequenceLeaf;
  profile: ProfileLeaf;
  list: ListLeaf;
  segment: SegmentLeaf;
  consent: ConsentLeaf;
  share: ShareLeaf;
  item: ItemLeaf;
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
  events: true,
  occurrence: true,
  sequence: true,
  profile: true,
  list: true,
  segment: true,
  consent: true,
  share: true,
  item: true,
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
