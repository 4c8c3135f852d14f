import { Badge, Stack, Text } from '@mantine/core';
import type { Message } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import type { Pages } from '../../components/load-more.tsx';
import { NameLink } from '../../components/rows.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf } from '../../components/words-of.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { messagePath } from './use-messages.ts';
import { MESSAGE_COLORS } from './words.ts';

const COLUMNS: readonly Column<Message>[] = [
  { header: 'What', isWholeLine: true, render: (message) => <MessageLink message={message} /> },
  {
    header: 'Status',
    width: 210,
    render: ({ status, why_not }) => (
      <Stack gap={2} align="flex-start">
        <Badge color={colorOf(MESSAGE_COLORS, status)}>{status}</Badge>
        {why_not && (
          <Text size="xs" c="dimmed">
            {why_not.explanation}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: 'Created', width: 190, render: ({ created_at }) => <Time value={created_at} /> },
];

/** Messages, under a first column that says to whom, where there is one. */
export function MessageTable({
  messages,
  pages,
  first,
}: {
  messages: readonly Message[];
  pages: Pages;
  first?: Column<Message>;
}) {
  return (
    <DataTable
      label="Messages"
      columns={first ? [first, ...COLUMNS] : COLUMNS}
      rows={messages}
      rowKey={({ id }) => id}
      rowTo={({ id }) => messagePath(id)}
      pages={pages}
      minWidth={first ? 720 : 520}
    />
  );
}

function MessageLink({ message: { id, template_id } }: { message: Message }) {
  const name = useTemplates()?.find((template) => template.id === template_id)?.name;
  return <NameLink to={messagePath(id)}>{template_id === null ? 'Please confirm' : (name ?? 'A message')}</NameLink>;
}
