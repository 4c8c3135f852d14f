import { Button, Code, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable, type DataTableProps } from './data-table.tsx';
import { Section } from './section.tsx';
import { Loaded } from './states.tsx';
import { Time } from './time.tsx';

export interface PublishedVersion {
  number: number;
  published_at: string;
  published_by: string;
}

/** What was published of something, by whom and when; `children` is what a version says, which is shown where somebody asks. */
export function PublishedVersions<Version extends PublishedVersion>({
  query,
  columns = [],
  content,
  minWidth,
  children,
}: {
  query: Parameters<typeof Loaded<Version[]>>[0]['query'] & NonNullable<DataTableProps<Version>['pages']>;
  /** Besides those of all. */
  columns?: readonly Column<Version>[];
  /** What the last column is called. */
  content: string;
  minWidth: number;
  children: (number: string) => ReactNode;
}) {
  const [shown, setShown] = useState<number>();
  const all: Column<Version>[] = [
    { header: 'Version', width: 90, render: ({ number }) => number },
    { header: 'Published', width: 225, render: ({ published_at }) => <Time value={published_at} /> },
    { header: 'By the key', isWholeLine: true, render: ({ published_by }) => <Code>{published_by}</Code> },
    ...columns,
    {
      header: content,
      width: 120,
      align: 'right',
      render: ({ number }) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setShown(number)}
          aria-label={`Show version ${number}`}
        >
          Show
        </Button>
      ),
    },
  ];
  return (
    <Section title="Versions">
      <Loaded query={query}>
        {(versions) => (
          <DataTable
            label="Versions"
            columns={all}
            rows={versions}
            rowKey={({ number }) => String(number)}
            pages={query}
            minWidth={minWidth}
          />
        )}
      </Loaded>
      {shown !== undefined && (
        <Modal opened onClose={() => setShown(undefined)} size="xl" title={`Version ${shown}`}>
          {children(String(shown))}
        </Modal>
      )}
    </Section>
  );
}
