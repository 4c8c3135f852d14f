import type { Erasure, Merge } from '../../../client/index.ts';

export const mergePath = (id: string): string => `/privacy/merges/${id}`;
export const erasurePath = (id: string): string => `/privacy/erasures/${id}`;

/** Milliseconds between two looks at what is under way. */
export const LOOK_MS = 1_000;

export const isOver = ({ status }: Pick<Merge | Erasure, 'status'>): boolean => status === 'complete';

/** What became of events, in words. */
export function eventsWords(events: Erasure['events']): string {
  if (events === 'delete') return 'deleted';
  return events === 'anonymise' ? 'kept as nobody’s' : events;
}

/** For how long nobody is created with the identifiers. */
export function suppressionWords(days: number | null): string {
  if (days === null) return 'for ever';
  return days === 0 ? 'not at all' : `for ${days} ${days === 1 ? 'day' : 'days'}`;
}
