import { Anchor, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { Event } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { summaryOf } from './summary.ts';

/** Events, each with links to its details and to its customer. */
export function EventTable({
  events,
  pages,
}: {
  events: readonly Event[];
  pages: Parameters<typeof DataTable<Event>>[0]['pages'];
}) {
  const { search } = useLocation();
  const columns: Column<Event>[] = [
    {
      header: 'Event',
      width: 200,
      render: ({ id, event_type }) => (
        <Anchor component={Link} to={{ pathname: `/events/${id}`, search }} size="sm" fw={500}>
          {event_type}
        </Anchor>
      ),
    },
    { header: 'Happened', width: 225, render: ({ occurred_at }) => <Time value={occurred_at} /> },
    {
      header: 'Details',
      isWholeLine: true,
      render: ({ properties }) => (
        <Text size="sm" c="dimmed" lineClamp={1}>
          {summaryOf(properties)}
        </Text>
      ),
    },
    {
      header: 'Customer',
      width: 190,
      render: ({ profile_id }) => <CustomerLink id={profile_id} />,
    },
  ];
  return (
    <DataTable
      label="Events"
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      rowTo={({ id }) => ({ pathname: `/events/${id}`, search })}
      {...(pages ? { pages } : {})}
    />
  );
}
