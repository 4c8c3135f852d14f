import { useOperation } from '../../api/operations.ts';
import { useAllows } from '../../session/current-caller.tsx';

const REFRESH_MS = 15_000;

/** What needs attention, and the first steps; undefined until that is known, and for who may not read it. */
export function useOverview() {
  const enabled = useAllows('reports:read');
  return useOperation('getOverview', {}, { enabled, refetchInterval: REFRESH_MS }).data;
}
