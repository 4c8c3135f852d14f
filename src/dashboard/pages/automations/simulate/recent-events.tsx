import { Badge, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PreviewedEntry } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { CustomerLink } from '../../profiles/customer-link.tsx';
import { SkipWords } from '../skip-words.tsx';

const FIRST = 5;

/** The last events of the trigger's type: whether each would start a run, and if not, why not. */
export function RecentEvents({
  automationId,
  of,
  onChoose,
  isPending,
}: {
  automationId: string;
  of: 'draft' | 'live';
  onChoose: (eventId: string) => void;
  isPending: boolean;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const query = useOperation('previewAutomationEntries', { id: automationId, definition: of });
  const columns: Column<PreviewedEntry>[] = [
    { header: 'Customer', render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
    { header: 'Happened', width: 225, render: ({ occurred_at }) => <Time value={occurred_at} /> },
    {
      header: 'Enters',
      render: ({ enters, reason, detail }) =>
        enters ? <Badge color="green">yes</Badge> : <SkipWords reason={reason} detail={detail} />,
    },
    {
      header: 'Choose',
      width: 110,
      align: 'right',
      render: ({ event_id }) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          onClick={() => onChoose(event_id)}
          aria-label={`Simulate the event ${event_id}`}
        >
          Simulate
        </Button>
      ),
    },
  ];
  return (
    <Loaded query={query}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty title="No events of this type yet" description="Make one up." />
        ) : (
          <Stack gap="xs" align="stretch">
            <Text size="sm">
              Of the last {events.length}, {events.filter(({ enters }) => enters).length} would enter.
            </Text>
            <DataTable
              label="Recent events"
              file={null}
              columns={columns}
              rows={showsAll ? events : events.slice(0, FIRST)}
              rowKey={({ event_id }) => event_id}
              minWidth={560}
            />
            {!showsAll && events.length > FIRST && (
              <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)}>
                Show all
              </Button>
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}
