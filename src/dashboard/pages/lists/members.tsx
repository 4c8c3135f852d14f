import { type List, type ListMember, pages } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { membersFile } from '../profiles/members-file.ts';

const HOW = { api: 'Added', subscription: 'Subscribed', import: 'Imported' } as const;

const COLUMNS: readonly Column<ListMember>[] = [
  { header: 'Customer', isWholeLine: true, render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
  { header: 'How', width: 130, render: ({ how }) => wordsOf(HOW, how) },
  { header: 'Where', width: '30%', render: ({ source }) => source ?? '–', fromWidth: 700 },
  { header: 'Joined', width: 225, render: ({ joined_at }) => <Time value={joined_at} /> },
];

/** Who is in a list, page by page, and all of them as a file. */
export function Members({ list: { id, name } }: { list: List }) {
  const query = useRows('listListMembers', { id, limit: 50 }, ({ members }) =>
    members.map((member) => ({ ...member, id: member.profile_id })),
  );
  const file = membersFile(name, ['joined_at', 'how', 'source'], (client, limit, options) =>
    pages(client.listListMembers, { id, limit }, options),
  );
  return (
    <Section title="Members" actions={<CsvButton file={file} />}>
      <Listed query={query} empty={<Empty title="Nobody is in this list" />}>
        {(members) => (
          <DataTable
            label="Members"
            file={null}
            columns={COLUMNS}
            rows={members}
            rowKey={({ profile_id }) => profile_id}
            pages={query}
            minWidth={560}
          />
        )}
      </Listed>
    </Section>
  );
}
