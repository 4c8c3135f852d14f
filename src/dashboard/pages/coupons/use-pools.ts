import { useQueryClient } from '@tanstack/react-query';
import { useOperation } from '../../api/operations.ts';
import { useAllows } from '../../session/current-caller.tsx';

const READ: readonly unknown[] = ['listCouponPools', 'getCouponPool', 'listCouponPoolCodes', 'listProfileCoupons'];

export const poolPath = (id: string): string => `/coupons/${id}`;

/** All pools of the store, of which there are at most a hundred; undefined until they are read. */
export function usePools({ enabled = true, ...options }: { refetchInterval?: number; enabled?: boolean } = {}) {
  const mayRead = useAllows('catalog:read');
  return useOperation('listCouponPools', { limit: 100 }, { ...options, enabled: mayRead && enabled }).data?.pools;
}

/** Reads again what is shown of pools, after something of them was changed. */
export function useRefreshPools(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}
