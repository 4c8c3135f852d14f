import { Alert, Anchor, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { wordsOf } from '../components/words-of.ts';
import { endpointPath } from '../pages/webhooks/endpoint-table.tsx';
import { useEndpoints } from '../pages/webhooks/use-endpoints.ts';
import { DISABLED_WORDS } from '../pages/webhooks/words.ts';

/** Milliseconds. */
const REFRESH_MS = 60_000;
/** More are counted. */
const MAX_NAMED = 3;
/** Which ones somebody has seen enough of, for as long as the tab is open. */
const DISMISSED = 'footfall.dismissed-endpoints';

/** Says on every page which endpoints are disabled, and why: what is sent to them is held, and in the end forgotten. */
export function DisabledEndpoints() {
  const { data } = useEndpoints({ refetchInterval: REFRESH_MS });
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) ?? '');
  const disabled = data?.endpoints.filter(({ status }) => status === 'disabled') ?? [];
  const which = disabled.map(({ id, disabled_reason }) => `${id} ${disabled_reason}`).join();
  if (disabled.length === 0 || which === dismissed) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, which);
    setDismissed(which);
  };
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
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {disabled.slice(0, MAX_NAMED).map(({ id, name, disabled_reason }) => (
        <div key={id} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={endpointPath(id)} inherit c="inherit" underline="always">
            {name}
          </Anchor>
          {disabled_reason && `: ${wordsOf(DISABLED_WORDS, disabled_reason)}.`}
        </div>
      ))}
      {more > 0 && <div>And {more} more.</div>}
      <Text size="sm" inherit visibleFrom="sm">
        What automations send meanwhile is held for 30 days: enable {disabled.length === 1 ? 'it' : 'them'}, and replay
        that.
      </Text>
    </Alert>
  );
}
