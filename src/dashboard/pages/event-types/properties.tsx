import { List, Text } from '@mantine/core';
import type { EventTypeReport, PropertyReport } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Time } from '../../components/time.tsx';
import { sumWords } from './words.ts';

const COLUMNS: readonly Column<PropertyReport>[] = [
  {
    header: 'Property',
    isWholeLine: true,
    render: ({ name }) => (
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { header: 'Present', width: 100, align: 'right', render: (one) => share(one.share, 1) },
  { header: 'Type', width: 130, render: ({ types }) => types.join(', ') },
  { header: 'Most frequent values', width: '45%', isWholeLine: true, render: (one) => <Values property={one} /> },
];

function Values({ property: { name, values } }: { property: PropertyReport }) {
  if (values.length === 0) return '—';
  return (
    <List size="sm" listStyleType="none" aria-label={`Values of ${name}`}>
      {values.map(({ value, event_count, sum }) => (
        <List.Item key={value} style={{ overflowWrap: 'anywhere' }}>
          {`${value}: ${count(event_count)}`}
          {sum !== null && `, sum ${sumWords(sum)}`}
        </List.Item>
      ))}
    </List>
  );
}

/** What a sample says of properties, and which one it is. */
export function Properties({ report: { event_type, properties, sample } }: { report: EventTypeReport }) {
  const file = {
    name: `${event_type}-properties.csv`,
    header: ['property', 'share', 'types', 'value', 'event_count', 'profile_count', 'sum'],
    async *rows() {
      for (const { name, share, types, values } of properties) {
        const first = [name, share, types.join(' ')];
        if (values.length === 0) yield [...first, null, null, null, null];
        for (const { value, event_count, profile_count, sum } of values) {
          yield [...first, value, event_count, profile_count, sum];
        }
      }
    },
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {sample.is_complete ? 'Of all events of this time' : `A sample: the latest ${count(sample.event_count)} events`}
        {!sample.is_complete && sample.from !== null && (
          <>
            , since <Time value={sample.from} />
          </>
        )}
        . Values that fewer than five customers share are not shown.
      </Text>
      {properties.length > 0 && (
        <DataTable label="Properties" file={file} columns={COLUMNS} rows={properties} rowKey={({ name }) => name} />
      )}
    </>
  );
}
