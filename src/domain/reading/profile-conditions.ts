import type { IdentifierKind } from '../identifiers.ts';

/** Profiles that have one of some identifiers, or ids. Normalised. */
export interface IdentifierCondition {
  kind: IdentifierKind | 'id';
  values: readonly string[];
}

export interface TimeRange {
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  before?: Date;
}

/** What profiles must fulfil, all of it. */
export interface ProfileSearch {
  identifiers: readonly IdentifierCondition[];
  created: TimeRange;
  updated: TimeRange;
  /** Why no e-mail is to be sent to them: what customers have chosen, or the reason of a suppression. */
  suppression?: 'unsubscribed' | { reason: string } | undefined;
  /** In the order of their e-mail addresses there are only profiles that have one. */
  order: ProfileOrder;
  /** Whether the order is the other way round: the latest, or the last address, first. */
  descending: boolean;
  /** Whether profiles are ordered by an index of their latest changes: the journal does not have all of them yet. */
  lacksJournal?: boolean;
}

export type ProfileOrder = 'created' | 'updated' | 'email';
