import { Stack, Text } from '@mantine/core';
import { ListUnorderedIcon } from '@primer/octicons-react';
import type { List } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { NameLink, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { SaveList } from './save-list.tsx';
import { listPath } from './use-lists.ts';

const COLUMNS: readonly Column<List>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name, source_id }) => (
      <Stack gap={2}>
        <NameLink to={listPath(id)}>{name}</NameLink>
        {source_id && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {source_id}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: 'Members', width: 140, align: 'right', render: ({ member_count }) => count(member_count) },
  { header: 'Created', width: 130, render: ({ created_at }) => <Time value={created_at} format="date" /> },
];

/** Customers who were put together by somebody, or who asked to be. */
export function Lists() {
  const query = useRows('listLists', { limit: 100 }, ({ lists }) => lists);
  const mayChange = useAllows('audiences:write');
  return (
    <Page
      title="Lists"
      description="Customers whom somebody has put together, or who have subscribed."
      actions={mayChange && <OpenButton text="Create a list">{(close) => <SaveList onClose={close} />}</OpenButton>}
    >
      <Section title="Lists of this store">
        <Rows
          query={query}
          label="Lists"
          columns={COLUMNS}
          to={listPath}
          minWidth={480}
          empty={
            <Empty
              icon={<ListUnorderedIcon size={24} />}
              title="No lists yet"
              description="Create one, then add customers to it, or have them join when they subscribe."
            />
          }
        />
      </Section>
    </Page>
  );
}
