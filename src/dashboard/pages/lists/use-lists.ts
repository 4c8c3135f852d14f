import { useQueryClient } from '@tanstack/react-query';

const READ: readonly unknown[] = ['listLists', 'getList', 'listListMembers', 'listProfileLists'];

export const listPath = (id: string): string => `/lists/${id}`;

/** Reads again what is shown of lists, after something of them was changed. */
export function useRefreshLists(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
