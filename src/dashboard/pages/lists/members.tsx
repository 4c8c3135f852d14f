import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import type { List, ListMember } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { downloadCsv } from '../../components/download-csv.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Failure, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';

const HOW = { api: 'Added', subscription: 'Subscribed', import: 'Imported' } as const;

const COLUMNS: readonly Column<ListMember>[] = [
  { header: 'Customer', isWholeLine: true, render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
  { header: 'How', width: 130, render: ({ how }) => HOW[how] },
  { header: 'Where', width: '30%', render: ({ source }) => source ?? '–', fromWidth: 700 },
  { header: 'Joined', width: 170, render: ({ joined_at }) => <Time value={joined_at} /> },
];

/** Who is in a list, page by page, and all of them as a file. */
export function Members({ list: { id, name } }: { list: List }) {
  const client = useClient();
  const query = useRows('listMembersOfList', { id, limit: 50 }, ({ members }) =>
    members.map((member) => ({ ...member, id: member.profile_id })),
  );
  const saving = useMutation({
    mutationFn: () =>
      downloadCsv(`${name}.csv`, ['profile_id', 'joined_at', 'how', 'source'], async function* () {
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof client.listMembersOfList>> = await client.listMembersOfList({
            id,
            limit: 100,
            ...(cursor !== null && { cursor }),
          });
          for (const { profile_id, joined_at, how, source } of page.members) yield [profile_id, joined_at, how, source];
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
            <Empty title="Nobody is in this list" />
          ) : (
            <DataTable
              label="Members"
              columns={COLUMNS}
              rows={members}
              rowKey={({ profile_id }) => profile_id}
              pages={query}
              minWidth={560}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
