import { useOperation } from '../../api/operations.ts';
import type { Names } from './words.ts';

/** Milliseconds for which names need not be read again. */
const STALE_MS = 60_000;
const MOST = { limit: 100 } as const;

/** The lists and segments of the store that can be chosen from. */
export function useAudiences() {
  const lists = useOperation('listCustomerLists', MOST, { staleTime: STALE_MS }).data?.lists ?? [];
  const segments = useOperation('listSegments', MOST, { staleTime: STALE_MS }).data?.segments ?? [];
  return { lists, segments };
}

export function useNames(): Names {
  const { lists, segments } = useAudiences();
  return (id) => [...lists, ...segments].find((one) => one.id === id)?.name;
}
