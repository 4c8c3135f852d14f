import { Alert, Anchor } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { endpointPath } from '../pages/webhooks/endpoint-table.tsx';
import { useEndpoints } from '../pages/webhooks/use-endpoints.ts';
import { DISABLED_WORDS } from '../pages/webhooks/words.ts';

/** Milliseconds. */
const REFRESH_MS = 60_000;
/** More are counted. */
const MAX_NAMED = 3;

/** Says on every page which endpoints are disabled, and why: what is sent to them is held, and in the end forgotten. */
export function DisabledEndpoints() {
  const { data } = useEndpoints({ refetchInterval: REFRESH_MS });
  const disabled = data?.endpoints.filter(({ status }) => status === 'disabled') ?? [];
  if (disabled.length === 0) return null;
  const isWanted = disabled.every(({ disabled_reason }) => disabled_reason === 'requested');
  const more = disabled.length - MAX_NAMED;
  return (
    <Alert
      color={isWanted ? 'yellow' : 'red'}
      icon={<AlertIcon />}
      title={
        disabled.length === 1 ? 'A webhook endpoint is disabled' : `${disabled.length} webhook endpoints are disabled`
      }
      role="status"
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {disabled.slice(0, MAX_NAMED).map(({ id, name, disabled_reason }) => (
        <div key={id} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={endpointPath(id)} inherit underline="always">
            {name}
          </Anchor>
          {disabled_reason && `: ${DISABLED_WORDS[disabled_reason]}.`}
        </div>
      ))}
      {more > 0 && <div>And {more} more.</div>}
      What automations send meanwhile is held for 30 days: enable {disabled.length === 1 ? 'it' : 'them'}, and replay
      that.
    </Alert>
  );
}
