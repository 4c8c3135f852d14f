import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { poolPath, usePools } from './use-pools.ts';

/** The name of a pool, as a link to it; its id where it is gone, or the key can't read it. */
export function PoolName({ id }: { id: string }) {
  const pool = usePools()?.find((one) => one.id === id);
  if (!pool) return id;
  return (
    <Anchor component={Link} to={poolPath(id)} inherit underline="always" style={{ overflowWrap: 'anywhere' }}>
      {pool.name}
    </Anchor>
  );
}
