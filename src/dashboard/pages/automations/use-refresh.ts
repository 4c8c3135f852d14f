import { useQueryClient } from '@tanstack/react-query';

const READ: readonly unknown[] = [
  'getAutomation',
  'listAutomations',
  'getAutomationStats',
  'listAutomationVersions',
  'listAutomationRuns',
  'listProfileRuns',
  'getRun',
  'explainAutomation',
  'previewAutomationEntries',
];

/** Reads again what is shown of automations, after something of them was changed. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
