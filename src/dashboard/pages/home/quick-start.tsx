import { Alert, Anchor, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { AlertIcon, CheckCircleFillIcon } from '@primer/octicons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Event, Rejection } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { useStream } from '../../api/use-stream.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { exampleRequests } from '../../components/curl.ts';
import { Section } from '../../components/section.tsx';
import { useSession } from '../../session/session.ts';

/** The way to the first event of a store, with a look out for it. */
export function QuickStart({ onDone }: { onDone: () => void }) {
  const { apiKey } = useSession();
  const queryClient = useQueryClient();
  const newest = useOperation('listEvents', { limit: 1 }, { staleTime: Number.POSITIVE_INFINITY }).data?.events[0];
  const [arrived, setArrived] = useState<Event>();
  const [refused, setRefused] = useState<Rejection>();
  useStream({
    // It may have come just before.
    onOpen: () => void queryClient.invalidateQueries({ queryKey: ['listEvents'] }),
    onMessage: ({ event, data }) => {
      if (event === 'event') setArrived((before) => before ?? data);
      if (event === 'rejection') setRefused(data);
    },
  });
  const first = arrived ?? newest;

  return (
    <Section title="Record a first event">
      <Text size="sm">
        This store has no events yet. Send one from a terminal:{' '}
        {apiKey ? 'the command contains your key, which' : 'put a key into the command; it'} needs the scope{' '}
        <Code>events:write</Code>. The event then appears here.
      </Text>
      <CopyableCode code={exampleRequests(apiKey ?? 'ffk_…').native} label="Request that records an event" />
      <div role="status">{first ? <Arrived event={first} onDone={onDone} /> : <Waiting refused={refused} />}</div>
      <Text size="sm" c="dimmed">
        An integration that only writes events and profiles to Klaviyo’s API only needs a new address,{' '}
        <Code>{`${window.location.origin}/compat/v1`}</Code>, and a new key. Create keys under{' '}
        <Anchor component={Link} to="/settings/api-keys" inherit underline="always">
          Settings, API keys
        </Anchor>
        .
      </Text>
    </Section>
  );
}

function Arrived({ event, onDone }: { event: Event; onDone: () => void }) {
  return (
    <Alert color="green" icon={<CheckCircleFillIcon />} title="The first event has arrived">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          It is a <Code>{event.event_type}</Code>, stored durably.
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={onDone}>
            Show the numbers
          </Button>
          <Button size="xs" variant="default" component={Link} to={`/events/${event.id}`}>
            Show the event
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Waiting({ refused }: { refused: Rejection | undefined }) {
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Waiting for the first event…</Text>
      </Group>
      {refused && (
        <Alert color="yellow" icon={<AlertIcon />} title="A request was refused">
          {refused.message}
        </Alert>
      )}
    </Stack>
  );
}
