import { useQueryClient } from '@tanstack/react-query';
import type { Sender } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { useAllows } from '../../session/current-caller.tsx';

const READ: readonly unknown[] = ['getSender', 'listSenders', 'getMessageSettings'];
/** Milliseconds for which names need not be read again. */
const STALE_MS = 60_000;

export const senderPath = (id: string): string => `/senders/${id}`;

/** Reads again what is shown of senders, after something of them was changed. */
export function useRefreshSenders(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}

/** The senders of the store that are not deleted, of which there are few; undefined until they are read. Not without the scope. */
export function useSenders(): readonly Sender[] | undefined {
  const enabled = useAllows('messages:read');
  return useOperation('listSenders', { deleted: false, limit: 100 }, { enabled, staleTime: STALE_MS }).data?.senders;
}
