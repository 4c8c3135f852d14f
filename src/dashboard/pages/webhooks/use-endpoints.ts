import { useQueryClient } from '@tanstack/react-query';
import { useOperation } from '../../api/operations.ts';
import { useAllows } from '../../session/current-caller.tsx';

/** As many as a store may have, and more. */
const IN_USE = { deleted: false, limit: 100 } as const;

/** The endpoints of the store that are not deleted: one answer for all that look at them. Not without the scope. */
export function useEndpoints({ refetchInterval }: { refetchInterval?: number } = {}) {
  const enabled = useAllows('webhooks:manage');
  return useOperation('listWebhookEndpoints', IN_USE, {
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
}

const READ: readonly unknown[] = [
  'listWebhookEndpoints',
  'getWebhookEndpoint',
  'listWebhookDeliveries',
  'getWebhookDelivery',
];

/** Reads again what is shown of webhooks, after something of them was changed. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
