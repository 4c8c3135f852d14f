import { Button, Group, Stack, Text } from '@mantine/core';
import { FilterIcon, PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Segment } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { NameLink, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { sentence } from '../../conditions/sentence.ts';
import { useNames } from '../../conditions/use-names.ts';
import { known } from '../../definitions.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { RfmSegments } from './rfm-segments.tsx';
import { SegmentStatus } from './status.tsx';
import { segmentPath } from './use-segments.ts';

/** Milliseconds. */
const REFRESH_MS = 10_000;

const COLUMNS: readonly Column<Segment>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name, definition }) => (
      <Stack gap={2}>
        <NameLink to={segmentPath(id)}>{name}</NameLink>
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          Everyone <InWords definition={definition} />
        </Text>
      </Stack>
    ),
  },
  { header: 'Status', width: 220, render: (segment) => <SegmentStatus segment={segment} /> },
  {
    header: 'Up to date as of',
    width: 170,
    render: ({ computed_through: through }) => (through === null ? '–' : <Time value={through} />),
    fromWidth: 760,
  },
  {
    header: 'Members',
    width: 140,
    align: 'right',
    render: ({ member_count }) => (member_count === null ? '–' : count(member_count)),
  },
];

function InWords({ definition }: Pick<Segment, 'definition'>) {
  return sentence(known(definition), useNames());
}

/** Customers of whom something is true, kept up to date. */
export function Segments() {
  const query = useRows('listSegments', { limit: 100 }, ({ segments }) => segments, { refetchInterval: REFRESH_MS });
  const mayChange = useAllows('audiences:write');
  const mayMakeRfm = useAllows('reports:read', 'events:read');
  return (
    <Page
      title="Segments"
      description="Customers of whom something is true, kept up to date as things happen and time passes."
      actions={
        mayChange && (
          <Group gap="xs">
            {mayMakeRfm && <RfmSegments />}
            <Button component={Link} to="/segments/new" leftSection={<PlusIcon />}>
              Create a segment
            </Button>
          </Group>
        )
      }
    >
      <Section title="Segments of this store">
        <Rows
          query={query}
          label="Segments"
          columns={COLUMNS}
          to={segmentPath}
          minWidth={560}
          empty={
            <Empty
              icon={<FilterIcon size={24} />}
              title="No segments yet"
              description="Create one to know, say, who has bought three times this year, but not this month."
            />
          }
        />
      </Section>
    </Page>
  );
}
