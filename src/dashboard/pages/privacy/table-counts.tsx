import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';

interface Counted {
  table: string;
  row_count: number;
}

const COLUMNS: readonly Column<Counted>[] = [
  { header: 'Table', render: ({ table }) => <Text size="sm">{table.replaceAll('_', ' ')}</Text> },
  { header: 'Rows', width: 140, align: 'right', render: ({ row_count }) => count(row_count) },
];

/** How many rows of which table something was done to. */
export function TableCounts({ label, tables }: { label: string; tables: readonly Counted[] }) {
  if (tables.length === 0) return <Text c="dimmed">None yet.</Text>;
  return <DataTable label={label} columns={COLUMNS} rows={tables} rowKey={({ table }) => table} minWidth={240} />;
}
