import { Anchor, Button, Stack, Text } from '@mantine/core';
import { ListUnorderedIcon, PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { List } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useNewDialog } from '../../components/use-new-dialog.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { SaveList } from './save-list.tsx';
import { listPath } from './use-lists.ts';

const COLUMNS: readonly Column<List>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name, source_id }) => (
      <Stack gap={2}>
        <Anchor component={Link} to={listPath(id)} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Anchor>
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
  const [isCreating, { open, close }] = useNewDialog();
  const mayChange = useAllows('audiences:write');
  return (
    <Page
      title="Lists"
      description="Customers whom somebody has put together, or who have subscribed."
      actions={
        mayChange && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Create a list
          </Button>
        )
      }
    >
      <Section title="Lists of this store">
        <Loaded query={query}>
          {(lists) =>
            lists.length > 0 ? (
              <DataTable
                label="Lists"
                columns={COLUMNS}
                rows={lists}
                rowKey={({ id }) => id}
                rowTo={({ id }) => listPath(id)}
                pages={query}
                minWidth={480}
              />
            ) : (
              <Empty
                icon={<ListUnorderedIcon size={24} />}
                title="No lists yet"
                description="Create one, then add customers to it, or have them join when they subscribe."
              />
            )
          }
        </Loaded>
      </Section>
      {isCreating && <SaveList onClose={close} />}
    </Page>
  );
}
