import { Group } from '@mantine/core';
import { type EventTypeSummary, pages } from '../../../client/index.ts';
import { patientClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { NameLink } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { RangePicker } from '../../range/range-picker.tsx';
import { useRange } from '../../range/use-range.ts';
import { eventTypePath, peopleOf } from './words.ts';

const COLUMNS: readonly Column<EventTypeSummary>[] = [
  {
    header: 'Type',
    isWholeLine: true,
    render: ({ event_type }) => <NameLink to={eventTypePath(event_type)}>{event_type}</NameLink>,
  },
  { header: 'Events', width: 120, align: 'right', render: ({ event_count }) => count(event_count) },
  { header: 'Customers', width: 140, align: 'right', render: ({ profile_count }) => peopleOf(profile_count) },
  {
    header: 'Last seen',
    width: 230,
    render: ({ last_seen_at }) => (last_seen_at === null ? '—' : <Time value={last_seen_at} />),
  },
];

/** What customers do, by its type: how often it happened in a range of days, and to how many of them. */
export function EventTypes() {
  const range = useRange();
  const asked = { from: range.first, to: range.last, limit: 100 };
  const query = useRows('listEventTypes', asked, ({ event_types }) =>
    event_types.map((one) => ({ ...one, id: one.event_type })),
  );
  const file = {
    name: `event-types-${range.first}-${range.last}.csv`,
    header: ['event_type', 'event_count', 'profile_count', 'last_seen_at'],
    async *rows(signal: AbortSignal) {
      for await (const { event_types } of pages(patientClient().listEventTypes, asked, { signal })) {
        for (const one of event_types) yield [one.event_type, one.event_count, one.profile_count, one.last_seen_at];
      }
    },
  };
  return (
    <Page title="Event types" description="What customers do: how often, and how many of them.">
      <Section
        title="What happened"
        actions={
          <Group gap="sm">
            <RangePicker range={range} />
            <CsvButton file={file} />
          </Group>
        }
      >
        <Loaded query={query}>
          {(types) =>
            types.length > 0 ? (
              <DataTable
                label="Event types"
                file={null}
                columns={COLUMNS}
                rows={[...types].sort((a, b) => b.event_count - a.event_count)}
                rowKey={({ event_type }) => event_type}
                rowTo={({ event_type }) => eventTypePath(event_type)}
                pages={query}
              />
            ) : (
              <Empty title="Nothing happened in this time" description="Choose another time range." />
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
