import type { Sender } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { useAllows } from '../../../session/current-key.tsx';

/** As many as a store may have, and more. */
const IN_USE = { deleted: false, limit: 100 } as const;

/** The senders of the store that are not deleted; undefined until they are read. Not without the scope. */
export function useSenders(): readonly Sender[] | undefined {
  const enabled = useAllows('messages:read');
  return useOperation('listSenders', IN_USE, { enabled }).data?.senders;
}
