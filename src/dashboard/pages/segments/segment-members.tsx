import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { pages, type Segment } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { membersFile } from '../profiles/members-file.ts';
import { Why } from './why.tsx';

/** Who is in a segment, page by page, and all of them as a file. */
export function SegmentMembers({ segment: { id, name } }: { segment: Segment }) {
  const [explained, setExplained] = useState<string>();
  const query = useRows('listSegmentMembers', { id, limit: 50 }, ({ members }) =>
    members.map((member) => ({ ...member, id: member.profile_id })),
  );
  const file = membersFile(name, ['entered_at'], (client, limit, options) =>
    pages(client.listSegmentMembers, { id, limit }, options),
  );
  return (
    <Section title="Members" actions={<CsvButton file={file} />}>
      <Loaded query={query}>
        {(members) =>
          members.length === 0 ? (
            <Empty title="Nobody is in this segment" />
          ) : (
            <>
              <Text size="xs" c="dimmed">
                “Since” is counted from the present build of the segment at the earliest.
              </Text>
              <DataTable
                label="Members"
                file={null}
                columns={[
                  {
                    header: 'Customer',
                    isWholeLine: true,
                    render: ({ profile_id }) => <CustomerLink id={profile_id} />,
                  },
                  { header: 'Since', width: 225, render: ({ entered_at }) => <Time value={entered_at} /> },
                  {
                    header: 'Reasons',
                    width: 110,
                    render: ({ profile_id }) => (
                      <Button size="compact-xs" variant="default" onClick={() => setExplained(profile_id)}>
                        Why?
                      </Button>
                    ),
                  },
                ]}
                rows={members}
                rowKey={({ profile_id }) => profile_id}
                pages={query}
                minWidth={480}
              />
            </>
          )
        }
      </Loaded>
      {explained !== undefined && (
        <Why segmentId={id} profileId={explained} name={name} onClose={() => setExplained(undefined)} />
      )}
    </Section>
  );
}
