import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { AuditEntry } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf } from '../../components/words-of.ts';

type Pages = NonNullable<Parameters<typeof DataTable<AuditEntry>>[0]['pages']>;

const COLORS: Readonly<Record<string, string>> = { done: 'gray', refused: 'yellow', failed: 'red', unknown: 'red' };

export function EntryTable({
  entries,
  pages,
  onActor,
}: {
  entries: readonly AuditEntry[];
  pages: Pages;
  /** Is told of whom all is to be shown. */
  onActor: (id: string) => void;
}) {
  const columns: Column<AuditEntry>[] = [
    { header: 'When', width: 190, render: ({ begun_at }) => <Time value={begun_at} /> },
    {
      header: 'By',
      width: 200,
      render: ({ actor: { kind, id, name }, address }) => (
        <Stack gap={2} align="flex-start">
          {id === null ? (
            <Text size="sm">{kind === 'operator' ? 'the operator' : 'somebody'}</Text>
          ) : (
            <Button variant="transparent" size="compact-sm" p={0} onClick={() => onActor(id)}>
              {name ?? id}
            </Button>
          )}
          <Text size="xs" c="dimmed">
            {[kind === 'key' && 'key', address].filter(Boolean).join(', ')}
          </Text>
        </Stack>
      ),
    },
    {
      header: 'What',
      isWholeLine: true,
      render: ({ operation, target, fields }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {operation}
          </Text>
          {target && (
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {target}
            </Text>
          )}
          <Group gap={4}>
            {fields.map((field) => (
              <Code key={field}>{field}</Code>
            ))}
          </Group>
        </Stack>
      ),
    },
    {
      header: 'Outcome',
      width: 130,
      render: ({ outcome, status }) => (
        <Badge color={colorOf(COLORS, outcome)}>
          {status === null || outcome === 'done' ? outcome : `${outcome} ${status}`}
        </Badge>
      ),
    },
  ];
  return (
    <DataTable
      label="Audit log"
      file={null}
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      pages={pages}
      minWidth={720}
    />
  );
}
