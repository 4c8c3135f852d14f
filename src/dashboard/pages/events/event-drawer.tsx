import { Anchor, Badge, Code, DataList, Drawer, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Event, Profile } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { CopyableCode, Json } from '../../components/copyable-code.tsx';
import { curl } from '../../components/curl.ts';
import { Item } from '../../components/item.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { nameOf } from '../profiles/name-of.ts';

/** All of an event, beside the list. */
export function EventDrawer({ id }: { id: string }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const event = useOperation('getEvent', { id });
  return (
    <Drawer
      opened
      // Instead of this one: Back leads to where it was opened from, and does not open it again.
      onClose={() => navigate({ pathname: '/events', search }, { replace: true })}
      position="right"
      size="lg"
      title={
        <Text component="h2" fw={650} fz="lg">
          Event
        </Text>
      }
    >
      <Loaded query={event}>{(found) => <EventDetails event={found} />}</Loaded>
    </Drawer>
  );
}

function EventDetails({ event }: { event: Event }) {
  const profile = useOperation('getProfile', { id: event.profile_id });
  return (
    <Stack gap="lg">
      <DataList>
        <Item label="Type">
          <Badge>{event.event_type}</Badge>
        </Item>
        <Item label="Customer">
          <Anchor component={Link} to={`/profiles/${event.profile_id}`} size="sm">
            {profile.data ? nameOf(profile.data) : event.profile_id}
          </Anchor>
        </Item>
        <Item label="Happened">
          <Time value={event.occurred_at} />
        </Item>
        <Item label="Received">
          <Time value={event.received_at} />
        </Item>
        {event.from_client && <Item label="Sent by">A page or an app, with a public key</Item>}
        <Item label="Idempotency key">{event.idempotency_key ?? '–'}</Item>
        <Item label="Id">
          <Code>{event.id}</Code>
        </Item>
      </DataList>
      <Stack gap="xs">
        <Title order={3}>Properties</Title>
        <Json value={event.properties} label="Properties" />
      </Stack>
      <Stack gap="xs">
        <Title order={3}>As a request</Title>
        <Loaded query={profile}>{(found) => <EventRequest event={event} profile={found} />}</Loaded>
      </Stack>
    </Stack>
  );
}

function EventRequest({ event, profile }: { event: Event; profile: Profile }) {
  const { event_type, properties, occurred_at, idempotency_key } = event;
  const identifiers = Object.entries(profile.identifiers).filter(([, value]) => value !== null);
  if (identifiers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        This customer has only an anonymous id, which the native surface does not accept.
      </Text>
    );
  }
  const body = {
    event_type,
    profile: Object.fromEntries(identifiers),
    properties,
    occurred_at,
    ...(idempotency_key === null ? {} : { idempotency_key }),
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        Put a key with the scope <Code>events:write</Code> into <Code>KEY</Code>.
        {idempotency_key !== null && ' With the same idempotency key, nothing is recorded twice.'}
      </Text>
      <CopyableCode code={curl('/v1/events', 'Bearer', '$KEY', body)} label="The request as a curl command" />
    </>
  );
}
