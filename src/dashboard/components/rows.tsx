import { Anchor, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable, type DataTableProps } from './data-table.tsx';
import { LoadMore, type Pages } from './load-more.tsx';
import { Empty, Loaded } from './states.tsx';

type Query<Row> = Pick<UseQueryResult<Row[]>, 'data' | 'error' | 'isFetching'> & Pages & { refetch: () => unknown };

interface Listed<Row> {
  query: Query<Row>;
  /** What stands in place of rows where the store has none. */
  empty: ReactNode;
  /** What is said where there are none as somebody asks for some only; false where nobody does. */
  unmatched?: ReactNode;
}

/** Rows of a list, or what is said where there are none. */
export function Listed<Row>({
  query,
  empty,
  unmatched,
  children,
}: Listed<Row> & { children: (rows: Row[]) => ReactNode }) {
  return (
    <Loaded query={query}>
      {(rows) => {
        if (rows.length > 0) return children(rows);
        if (query.hasNextPage) {
          return (
            <>
              <Empty title="None so far" description="There are more to look through." />
              <LoadMore pages={query} />
            </>
          );
        }
        if (typeof unmatched === 'string') return <Empty title={unmatched} />;
        return unmatched || empty;
      }}
    </Loaded>
  );
}

/** The same as a table. `to` is the page of a row. */
export function Rows<Row extends { id: string }>({
  query,
  empty,
  unmatched,
  to,
  ...table
}: Listed<Row> & Omit<DataTableProps<Row>, 'rows' | 'rowKey' | 'rowTo' | 'pages'> & { to?: (id: string) => string }) {
  return (
    <Listed query={query} empty={empty} unmatched={unmatched}>
      {(rows) => (
        <DataTable
          rows={rows}
          rowKey={({ id }) => id}
          {...(to && { rowTo: ({ id }: Row) => to(id) })}
          pages={query}
          {...table}
        />
      )}
    </Listed>
  );
}

/** The name of something, which leads to its page. */
export function NameLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Anchor>
  );
}

/** A column of names that lead to pages, and what stands below each. */
export function nameColumn<Row extends { id: string; name: string }>(
  pathOf: (id: string) => string,
  below?: (row: Row) => ReactNode,
): Column<Row> {
  return {
    header: 'Name',
    isWholeLine: true,
    render: (row) => {
      const link = <NameLink to={pathOf(row.id)}>{row.name}</NameLink>;
      if (!below) return link;
      return (
        <Stack gap={2}>
          {link}
          {below(row)}
        </Stack>
      );
    },
  };
}
