import { Badge, Code, Group, Text } from '@mantine/core';
import type { ImportPreview } from '../../../client/index.ts';
import { DataTable } from '../../components/data-table.tsx';

type Row = ImportPreview['rows'][number];

/** What the first rows of a file would write, or what is wrong with them. */
export function PreviewRows({ rows }: { rows: ImportPreview['rows'] }) {
  return (
    <DataTable
      label="The first rows"
      file={null}
      columns={[
        { header: 'Line', width: 70, render: ({ line }) => line },
        { header: 'What is written', isWholeLine: true, render: (row) => <Written row={row} /> },
      ]}
      rows={rows}
      rowKey={({ line }) => String(line)}
      minWidth={480}
    />
  );
}

function Written({ row: { identifiers, attributes, consent, error } }: { row: Row }) {
  if (error) {
    return (
      <Group gap="xs">
        <Badge color="red">not written</Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {error.column && <b>{error.column}</b>} {error.message}
          {error.value && (
            <>
              : <Code>{error.value}</Code>
            </>
          )}
        </Text>
      </Group>
    );
  }
  const said = consent.map(({ channel, kind, changed_at }): [string, unknown] => [
    `${channel === 'sms' ? 'SMS' : channel} ${kind}`,
    changed_at === null ? 'now' : changed_at.slice(0, 10),
  ]);
  const known = Object.entries({ ...identifiers, ...attributes }).filter(([, value]) => value !== null);
  const values = [...known, ...said];
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {values.map(([name, value], n) => (
        <span key={name}>
          {n > 0 && ' · '}
          <Text span inherit c="dimmed">
            {name}
          </Text>{' '}
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
    </Text>
  );
}
