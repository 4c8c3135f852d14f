import type { Comparison, Name } from '../../../conditions/comparison.ts';
import type { Tree } from '../../../conditions/tree.ts';

/** A value of the event that triggered; within the filter of another event, of that one. */
export type PropertyLeaf = Comparison & { property: Name };

/** A value of the profile, as it is when the condition is evaluated. */
export type AttributeLeaf = Comparison & { attribute: Name };

export const IDENTIFIERS = ['email', 'phone', 'external_id', 'anonymous_id', 'source_id'] as const;

export type IdentifierLeaf = Comparison & { identifier: (typeof IDENTIFIERS)[number] };

/** How often the customer has done something. */
export interface Did {
  event_type: string;
  /** By default 1 if `at_most` is absent. */
  at_least?: number;
  at_most?: number;
  /** Duration before now. Absent with `since`. */
  within?: string;
  since?: 'trigger';
  /** Of properties alone. */
  filter?: Condition;
  /** Whether events count, too, that pages and apps sent with a public key. */
  from_client?: boolean;
}

export interface DidLeaf {
  did: Did;
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

/** The kinds of leaf by the member that tells them apart. */
export interface LeafKinds {
  property: PropertyLeaf;
  attribute: AttributeLeaf;
  identifier: IdentifierLeaf;
  did: DidLeaf;
  list: ListLeaf;
  segment: SegmentLeaf;
  consent: ConsentLeaf;
}
export type LeafKind = keyof LeafKinds;
export type Leaf = LeafKinds[LeafKind];

export type Condition = Tree<Leaf>;

const KINDS: Record<LeafKind, true> = {
  property: true,
  attribute: true,
  identifier: true,
  did: true,
  list: true,
  segment: true,
  consent: true,
};

export function leafKind(leaf: Leaf): LeafKind {
  return Object.keys(KINDS).find((kind) => kind in leaf) as LeafKind;
}
