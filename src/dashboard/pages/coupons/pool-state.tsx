import { Badge, Group } from '@mantine/core';
import type { CouponPool } from '../../../client/index.ts';

export function hasExpired({ expires_at }: CouponPool): boolean {
  return expires_at !== null && new Date(expires_at).getTime() <= Date.now();
}

/** What there is to know of a pool at a glance; nothing if all is well. */
export function PoolState({ pool }: { pool: CouponPool }) {
  return (
    <Group gap={4}>
      {hasExpired(pool) && (
        <Badge color="gray" variant="light">
          Expired
        </Badge>
      )}
      {pool.is_low && (
        <Badge color="orange" variant="light">
          {pool.free_count === 0 ? 'Empty' : 'Low'}
        </Badge>
      )}
    </Group>
  );
}
