import { useQueryClient } from '@tanstack/react-query';

const READ: readonly unknown[] = [
  'listSegments',
  'getSegment',
  'listSegmentMembers',
  'listSegmentChanges',
  'getSegmentStats',
  'listProfileSegments',
];

export const segmentPath = (id: string): string => `/segments/${id}`;

/** Reads again what is shown of segments, after something of them was changed. */
export function useRefreshSegments(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
