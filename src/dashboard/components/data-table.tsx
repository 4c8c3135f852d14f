import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadMore, type Pages } from './load-more.tsx';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  /** A CSS width; without it the column takes what is left. */
  width?: number | string;
  align?: 'left' | 'right';
}

/** Rows of a list, and a button for the next page. `label` names the table. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  pages,
  minWidth = 640,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  pages?: Pages;
  /** Pixels below which it scrolls sideways. */
  minWidth?: number;
}) {
  return (
    <>
      <Table.ScrollContainer
        minWidth={minWidth}
        type="native"
        pos="relative"
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <Table highlightOnHover verticalSpacing="xs" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, width, align }) => (
                <Table.Th key={header} scope="col" w={width} ta={align}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map(({ header, render, align }) => (
                  <Table.Td key={header} ta={align}>
                    {render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages && <LoadMore pages={pages} />}
    </>
  );
}
