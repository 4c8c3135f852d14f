import type { Sql } from '../../db/sql.ts';
import type { Caller, Scope } from '../caller.ts';

export const HIT_KINDS = [
  'customer',
  'order',
  'segment',
  'list',
  'automation',
  'campaign',
  'template',
  'item',
  'event_type',
] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** Something of a store that a search has found. */
export interface Hit {
  kind: HitKind;
  /** The number of an order, and the name of a type of events. */
  id: string;
  title: string;
  /** What tells it from others with the title; null if there is nothing. */
  subtitle: string | null;
  /** Of an order, that of its customer. */
  profileId: string | null;
}

/** What is looked for. */
export interface Search {
  /** Without blanks around it. */
  text: string;
  /** The same as the beginning of an address. */
  address: string;
  /** Hits of a kind, at most. */
  limit: number;
  /** Whether customers can be found by their names yet. */
  knowsNames: boolean;
}

/** One way to look for things of a kind. */
export interface Searcher {
  kind: HitKind;
  /** One of them suffices: each reads what is shown. */
  scopes: readonly Scope[];
  /** Reads a bounded number of rows, by an index; calls `cut` where there may be more than these showed. */
  find(db: Sql, caller: Caller, search: Search, cut: () => void): Promise<Hit[]>;
}
