import { Anchor, Progress, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { EventSeries, EventStats } from '../../../client/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Empty } from '../../components/states.tsx';

export function ByType({ stats: { series, total } }: { stats: EventStats }) {
  if (series.length === 0) return <Empty title="No events in this period" />;
  return (
    <DataTable<EventSeries>
      label="Events by type"
      file={null}
      minWidth={0}
      rows={series}
      rowKey={({ event_type }) => event_type ?? ''}
      columns={[
        { header: 'Type', render: ({ event_type }) => <TypeLink type={event_type} /> },
        {
          header: 'Share',
          width: '32%',
          render: (one) => (
            <>
              <Progress value={(one.total / total) * 100} size="sm" aria-label={`Share of ${one.event_type}`} />
              <Text size="xs" c="dimmed" mt={2}>
                {share(one.total, total)}
              </Text>
            </>
          ),
        },
        {
          header: 'Events',
          width: 80,
          align: 'right',
          render: (one) => <span style={{ fontVariantNumeric: 'tabular-nums' }}>{count(one.total)}</span>,
        },
      ]}
    />
  );
}

function TypeLink({ type }: { type: string | null }) {
  if (type === null) return 'All other types';
  return (
    <Anchor
      component={Link}
      to={{ pathname: '/events', search: `?${new URLSearchParams({ event_type: type })}` }}
      size="sm"
      fw={500}
      style={{ overflowWrap: 'anywhere' }}
    >
      {type}
    </Anchor>
  );
}
