import { Alert, Anchor } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { useOperation } from '../api/operations.ts';
import { useAllows } from '../session/current-caller.tsx';
import { HOLD } from './pages.ts';

/** Milliseconds. */
const REFRESH_MS = 60_000;

/** Says on every page that all that the store sends is held: in a restored copy, or as somebody has paused it. */
export function Held() {
  const enabled = useAllows('automations:read');
  const { data } = useOperation('getStoreHold', {}, { enabled, refetchInterval: REFRESH_MS });
  if (!data?.is_held) return null;
  const isPaused = data.reason === 'paused';
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon />}
      title={isPaused ? 'Everything is paused' : 'Held after a restore'}
      role="status"
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {isPaused ? (
        <>
          No message and no webhook leaves, and automations do nothing, until somebody{' '}
          <Anchor component={Link} to={HOLD.to} inherit c="inherit" underline="always">
            lets everything go on
          </Anchor>
          .
        </>
      ) : (
        'This store was restored from a backup. It sends nothing and its automations do nothing, live or not, until the operator releases it.'
      )}
    </Alert>
  );
}
