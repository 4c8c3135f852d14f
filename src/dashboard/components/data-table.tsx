import { Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { type To, useHref, useNavigate } from 'react-router';
import { LoadMore, type Pages } from './load-more.tsx';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  /** A CSS width; without it the column takes what is left. */
  width?: number | string;
  align?: 'left' | 'right';
}

/** Rows of a list, and a button for the next page. `label` names the table; a click on a row leads to `rowTo`. */
export function DataTable<Item>({
  label,
  columns,
  rows,
  rowKey,
  rowTo,
  pages,
  minWidth = 640,
}: {
  label: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[];
  rowKey: (row: Item) => string;
  rowTo?: (row: Item) => To;
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
        <Table highlightOnHover={rowTo !== undefined} verticalSpacing="xs" aria-label={label}>
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
              <Row key={rowKey(row)} to={rowTo?.(row)}>
                {columns.map(({ header, render, align }) => (
                  <Table.Td key={header} ta={align}>
                    {render(row)}
                  </Table.Td>
                ))}
              </Row>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages && <LoadMore pages={pages} />}
    </>
  );
}

/** A row that is a large target for what its link leads to, which the keyboard reaches. */
function Row({ to, children }: { to: To | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  const href = useHref(to ?? '');
  if (to === undefined) return <Table.Tr>{children}</Table.Tr>;
  const follow = (event: MouseEvent<HTMLElement>) => {
    const isOnControl = (event.target as Element).closest('a, button');
    const isSelecting = getSelection()?.isCollapsed === false;
    if (isOnControl || isSelecting || event.button > 1) return;
    if (event.button === 1 || event.ctrlKey || event.metaKey) open(href, '_blank');
    else navigate(to);
  };
  return (
    <Table.Tr onClick={follow} onAuxClick={follow} style={{ cursor: 'pointer' }}>
      {children}
    </Table.Tr>
  );
}
