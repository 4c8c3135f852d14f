import { Badge, Button, Group } from '@mantine/core';
import { PauseIcon, PlayIcon, PulseIcon } from '@primer/octicons-react';
import { useParams } from 'react-router';
import { useRows } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { argumentsOf, useEventFilters } from './filters.ts';
import { Search } from './search.tsx';
import { useLiveEvents } from './use-live-events.ts';

/** What customers do: as it happens, and what happened before. */
export function Events() {
  const [filters, changeFilters] = useEventFilters();
  const { eventId } = useParams();
  const args = argumentsOf(filters);
  const events = useRows('listEvents', args, ({ events }) => events);
  const live = useLiveEvents(args);
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <Page
      title="Events"
      description="What customers do, newest first. New events appear automatically."
      actions={<LiveControl {...live} />}
    >
      <EventFilters filters={filters} onChange={changeFilters} />
      <Section title="Recorded events">
        <Loaded query={events}>
          {(rows) =>
            rows.length === 0 && events.hasNextPage ? (
              <Search key={JSON.stringify(args)} pages={events} />
            ) : rows.length === 0 ? (
              <Empty
                icon={<PulseIcon size={24} />}
                title={isFiltered ? 'No events match these filters' : 'No events yet'}
                description={
                  isFiltered
                    ? 'Widen them, or wait: matching events appear here.'
                    : 'The first one appears here when it arrives.'
                }
              />
            ) : (
              <EventTable events={rows} pages={events} />
            )
          }
        </Loaded>
      </Section>
      {eventId && <EventDrawer key={eventId} id={eventId} />}
    </Page>
  );
}

const STATES = {
  connecting: { color: 'yellow', label: 'Connecting' },
  live: { color: 'green', label: 'Live' },
  off: { color: 'red', label: 'Not live' },
} as const;

function LiveControl({ state, isPaused, waiting, pause, resume }: ReturnType<typeof useLiveEvents>) {
  const { color, label } = isPaused ? { color: 'gray', label: 'Paused' } : STATES[state];
  return (
    <Group gap="sm">
      <Badge color={color} role="status">
        {label}
      </Badge>
      {isPaused ? (
        <Button variant="default" leftSection={<PlayIcon />} onClick={resume}>
          {waiting === 0 ? 'Resume' : `Resume with ${waiting} new`}
        </Button>
      ) : (
        <Button variant="default" leftSection={<PauseIcon />} onClick={pause}>
          Pause
        </Button>
      )}
    </Group>
  );
}
