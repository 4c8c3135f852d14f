import { Alert, Anchor } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { count } from '../components/numbers.ts';
import { hasExpired } from '../pages/coupons/pool-state.tsx';
import { poolPath, usePools } from '../pages/coupons/use-pools.ts';

/** Milliseconds. */
const REFRESH_MS = 60_000;
/** More are counted. */
const MAX_NAMED = 3;
/** Which ones somebody has seen enough of, for as long as the tab is open. */
const DISMISSED = 'footfall.dismissed-pools';

/** Says on every page which pools of coupon codes are low: runs wait for codes once there are none. */
export function LowPools() {
  const low = usePools({ refetchInterval: REFRESH_MS })?.filter((pool) => pool.is_low && !hasExpired(pool)) ?? [];
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) ?? '');
  const which = low.map(({ id, free_count }) => `${id} ${free_count === 0}`).join();
  if (low.length === 0 || which === dismissed) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, which);
    setDismissed(which);
  };
  const more = low.length - MAX_NAMED;
  return (
    <Alert
      color={low.some(({ free_count }) => free_count === 0) ? 'red' : 'yellow'}
      icon={<AlertIcon />}
      title={low.length === 1 ? 'A coupon pool is low' : `${low.length} coupon pools are low`}
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {low.slice(0, MAX_NAMED).map(({ id, name, free_count }) => (
        <div key={id} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={poolPath(id)} inherit c="inherit" underline="always">
            {name}
          </Anchor>
          : {free_count === 0 ? 'no code is free' : `${count(free_count)} codes are free`}.
        </div>
      ))}
      {more > 0 && <div>And {more} more.</div>}
    </Alert>
  );
}
