import { Anchor, Timeline as MantineTimeline, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { summaryOf } from '../events/summary.ts';

const PAGE = 20;
/** Milliseconds. */
const REFRESH_MS = 10_000;

/** What a customer did, newest first. */
export function Timeline({ profileId }: { profileId: string }) {
  const query = useRows('listProfileEvents', { id: profileId, limit: PAGE }, ({ events }) => events, {
    refetchInterval: REFRESH_MS,
  });
  return (
    <Loaded query={query}>
      {(events) =>
        events.length === 0 ? (
          <Empty title="No events for this customer" />
        ) : (
          <>
            <MantineTimeline bulletSize={14} lineWidth={2} role="list" aria-label="Events">
              {events.map((event) => (
                <Happened key={event.id} event={event} />
              ))}
            </MantineTimeline>
            <LoadMore pages={query} />
          </>
        )
      }
    </Loaded>
  );
}

function Happened({ event: { id, event_type, occurred_at, properties } }: { event: Event }) {
  return (
    <MantineTimeline.Item
      role="listitem"
      title={
        <Anchor component={Link} to={`/events/${id}`} size="sm" fw={500}>
          {event_type}
        </Anchor>
      }
    >
      <Text c="dimmed" size="sm">
        <Time value={occurred_at} />
      </Text>
      <Text size="sm" lineClamp={2}>
        {summaryOf(properties)}
      </Text>
    </MantineTimeline.Item>
  );
}
