import type { ErasureRecord } from '../../db/entities/erasure.ts';
import type { IdentifierKind } from '../identifiers.ts';
import type { Counts, Gone } from '../sweeps/step.ts';

/** What becomes of the events of a customer: they are deleted, or kept without anything that tells whose they were. */
export type EventsOfErased = ErasureRecord['events'];

/** An identifier that a customer is found by. */
export interface KnownIdentifier {
  kind: IdentifierKind;
  /** In its canonical form. */
  value: string;
}

/** Who is erased, as long as something is left to do. */
export interface Subject {
  profileId: string;
  /** Ids of customers who were merged into this one. */
  formerIds?: readonly string[];
  identifiers: readonly KnownIdentifier[];
}

/** Who is erased, and how: one of the ids that lead to the customer. */
export interface Erasing extends Gone {
  identifiers: readonly KnownIdentifier[];
  events: EventsOfErased;
}

/** What still holds something of the customer and expires by itself. */
export interface Residue {
  table: string;
  /** By when it is gone. */
  until: Date;
}

/** An erasure, as it proves itself: it says nothing of the customer. */
export interface Erasure {
  id: string;
  status: 'erasing' | 'complete';
  wasKnown: boolean;
  events: EventsOfErased;
  /** For how many days the identifiers are suppressed; null for ever. */
  suppressDays: number | null;
  identifiers: number;
  counts: Counts;
  residues: readonly Residue[];
  passes: number;
  /** The id of the API key; null for the command. */
  askedBy: string | null;
  createdAt: Date;
  completedAt: Date | null;
}
