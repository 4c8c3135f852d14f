import { Badge, Text } from '@mantine/core';
import { useRows } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';

const CAUSES = {
  event: 'An event',
  profile: 'The profile',
  list: 'A list',
  consent: 'A consent',
  segment: 'Another segment',
  time: 'Time has passed',
  merge: 'A merge',
  import: 'An import',
  definition: 'The definition',
} as const;

/** Who entered a segment and who left it, the latest first. */
export function SegmentChanges({ segmentId }: { segmentId: string }) {
  const query = useRows('listSegmentChanges', { id: segmentId, limit: 20 }, ({ changes }) => changes);
  return (
    <Section title="Who came and went">
      <Loaded query={query}>
        {(changes) =>
          changes.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nobody yet.
            </Text>
          ) : (
            <DataTable
              label="Changes"
              columns={[
                { header: 'Customer', isWholeLine: true, render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
                {
                  header: 'Change',
                  width: 110,
                  render: ({ kind }) => (
                    <Badge variant="light" color={kind === 'entered' ? 'green' : 'gray'}>
                      {kind === 'entered' ? 'Entered' : 'Left'}
                    </Badge>
                  ),
                },
                { header: 'Why', width: 160, render: ({ cause }) => wordsOf(CAUSES, cause) },
                { header: 'When', width: 225, render: ({ changed_at }) => <Time value={changed_at} /> },
              ]}
              rows={changes}
              rowKey={({ id }) => id}
              pages={query}
              minWidth={560}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
