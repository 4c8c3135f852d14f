import { Group, Table } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { MouseEvent, ReactNode } from 'react';
import { type To, useHref, useNavigate } from 'react-router';
import { CsvButton } from './csv-button.tsx';
import type { CsvFile } from './csv-file.ts';
import classes from './data-table.module.css';
import { LoadMore, type Pages } from './load-more.tsx';
import { rowsFile } from './rows-file.ts';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  /** A CSS width; without it the column takes what is left. */
  width?: number | string;
  align?: 'left' | 'right';
  /** Where rows are cards, it has a line of its own. */
  isWholeLine?: boolean;
  /** Pixels of the table from which on it is a column. */
  fromWidth?: number;
}

export interface DataTableProps<Item> {
  label: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[];
  rowKey: (row: Item) => string;
  rowTo?: (row: Item) => To;
  pages?: Pages;
  /** What is saved in place of all fields of the rows; null where nothing is, as a form or what is beside it has them. */
  file?: CsvFile | null;
  /** Pixels. */
  minWidth?: number;
}

/**
 * Rows of a list, and buttons for the next page and for a file of all rows. `label` names the table; a click on a row leads to
 * `rowTo`. Where there is less room than `minWidth`, each row is a card.
 */
export function DataTable<Item extends object>({
  label,
  columns: all,
  rows,
  rowKey,
  rowTo,
  pages,
  file,
  minWidth = 640,
}: DataTableProps<Item>) {
  const { ref, width } = useElementSize();
  const isCards = width > 0 && width < minWidth;
  const columns = all.filter(({ fromWidth = 0 }) => isCards || width >= fromWidth);
  return (
    <>
      <div ref={ref}>
        <Table
          className={classes.table}
          mod={{ cards: isCards }}
          highlightOnHover={rowTo !== undefined}
          verticalSpacing="xs"
          role="table"
          aria-label={label}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ header, width, align }) => (
                <Table.Th key={header} role="columnheader" scope="col" w={width} ta={align}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Row key={rowKey(row)} to={rowTo?.(row)}>
                {columns.map(({ header, render, align, isWholeLine }) => (
                  <Table.Td
                    key={header}
                    role="cell"
                    mod={{ column: header, 'whole-line': isWholeLine }}
                    ta={isCards ? 'left' : align}
                  >
                    {render(row)}
                  </Table.Td>
                ))}
              </Row>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {pages && <LoadMore pages={pages} />}
      {file !== null && rows.length > 0 && (
        <Group justify="flex-end">
          <CsvButton file={file ?? rowsFile(label, rows, pages?.all)} />
        </Group>
      )}
    </>
  );
}

/** A row that is a large target for what its link leads to, which the keyboard reaches. */
function Row({ to, children }: { to: To | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  const href = useHref(to ?? '');
  if (to === undefined) return <Table.Tr role="row">{children}</Table.Tr>;
  const follow = (event: MouseEvent<HTMLElement>) => {
    const isOnControl = (event.target as Element).closest('a, button');
    const isSelecting = getSelection()?.isCollapsed === false;
    if (isOnControl || isSelecting || event.button > 1) return;
    if (event.button === 1 || event.ctrlKey || event.metaKey) open(href, '_blank');
    else navigate(to);
  };
  return (
    <Table.Tr role="row" onClick={follow} onAuxClick={follow} style={{ cursor: 'pointer' }}>
      {children}
    </Table.Tr>
  );
}
