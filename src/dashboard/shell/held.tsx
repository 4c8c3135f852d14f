import { Alert } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useOperation } from '../api/operations.ts';
import { useAllows } from '../session/current-caller.tsx';

/** Milliseconds. */
const REFRESH_MS = 60_000;

/** Says on every page that nothing is automated in a restored copy. */
export function Held() {
  const enabled = useAllows('automations:read');
  const { data } = useOperation('listAutomations', { limit: 1 }, { enabled, refetchInterval: REFRESH_MS });
  if (!data?.automations[0]?.is_held) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Held after a restore" role="status" mb="lg" maw={1280} mx="auto">
      This store was restored from a backup. Its automations do nothing, live or not, until the operator releases them.
    </Alert>
  );
}
