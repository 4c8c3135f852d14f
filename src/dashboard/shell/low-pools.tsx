import { count } from '../components/numbers.ts';
import { hasExpired } from '../pages/coupons/pool-state.tsx';
import { poolPath, usePools } from '../pages/coupons/use-pools.ts';
import { NOTICE_REFRESH_MS, Notice } from './notice.tsx';

/** Says on every page which pools of coupon codes are low: runs wait for codes once there are none. */
export function LowPools() {
  const pools = usePools({ refetchInterval: NOTICE_REFRESH_MS }) ?? [];
  const low = pools.filter((pool) => pool.is_low && !hasExpired(pool));
  return (
    <Notice
      kind="pools"
      of={low.map(({ id, name, free_count }) => ({
        id,
        name,
        to: poolPath(id),
        words: free_count === 0 ? 'no code is free' : `${count(free_count)} codes are free`,
        state: `${free_count === 0}`,
      }))}
      isUrgent={low.some(({ free_count }) => free_count === 0)}
      title={{ one: 'A coupon pool is low', many: (number) => `${number} coupon pools are low` }}
    />
  );
}
