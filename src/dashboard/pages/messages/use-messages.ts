import { useQueryClient } from '@tanstack/react-query';

const READ: readonly unknown[] = ['getMessage', 'getMessageContent', 'listMessages', 'listProfileMessages'];

export const messagePath = (id: string): string => `/messages/${id}`;

/** Reads again what is shown of messages, after something of them was changed. */
export function useRefreshMessages(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
