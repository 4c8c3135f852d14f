import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Segment } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { downloadCsv } from '../../components/download-csv.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Failure, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { Why } from './why.tsx';

/** Who is in a segment, page by page, and all of them as a file. */
export function SegmentMembers({ segment: { id, name } }: { segment: Segment }) {
  const client = useClient();
  const [explained, setExplained] = useState<string>();
  const query = useRows('listSegmentMembers', { id, limit: 50 }, ({ members }) =>
    members.map((member) => ({ ...member, id: member.profile_id })),
  );
  const saving = useMutation({
    mutationFn: () =>
      downloadCsv(`${name}.csv`, ['profile_id', 'entered_at'], async function* () {
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof client.listSegmentMembers>> = await client.listSegmentMembers({
            id,
            limit: 100,
            ...(cursor !== null && { cursor }),
          });
          for (const { profile_id, entered_at } of page.members) yield [profile_id, entered_at];
          cursor = page.next_cursor;
        } while (cursor !== null);
      }),
  });
  return (
    <Section
      title="Members"
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<DownloadIcon />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Download as CSV
        </Button>
      }
    >
      {saving.error && <Failure error={saving.error} title="The file was not made" />}
      <Loaded query={query}>
        {(members) =>
          members.length === 0 ? (
            <Empty title="Nobody is in this segment" />
          ) : (
            <DataTable
              label="Members"
              columns={[
                { header: 'Customer', isWholeLine: true, render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
                { header: 'Since', width: 170, render: ({ entered_at }) => <Time value={entered_at} /> },
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
          )
        }
      </Loaded>
      {explained !== undefined && (
        <Why segmentId={id} profileId={explained} name={name} onClose={() => setExplained(undefined)} />
      )}
    </Section>
  );
}
