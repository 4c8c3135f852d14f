import { Badge, Button, Progress, Stack, Text } from '@mantine/core';
import { UploadIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Import } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { NameLink, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { importPath, STATUS_COLORS, STATUS_WORDS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 3_000;

const COLUMNS: readonly Column<Import>[] = [
  {
    header: 'File',
    isWholeLine: true,
    render: ({ id, name }) => <NameLink to={importPath(id)}>{name ?? `Import ${id.slice(-8)}`}</NameLink>,
  },
  {
    header: 'Status',
    width: 170,
    render: ({ status, progress_ratio }) => (
      <Stack gap={4} align="flex-start">
        <Badge color={colorOf(STATUS_COLORS, status)}>{wordsOf(STATUS_WORDS, status)}</Badge>
        {status === 'processing' && <Progress w="100%" aria-label="Imported" value={progress_ratio * 100} />}
      </Stack>
    ),
  },
  { header: 'Rows', width: 100, align: 'right', render: ({ rows }) => count(rows.read) },
  {
    header: 'Not written',
    width: 120,
    align: 'right',
    render: ({ rows }) => (
      <Text span size="sm" c={rows.failed > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
        {count(rows.failed)}
      </Text>
    ),
  },
  { header: 'Opened', width: 225, render: ({ created_at }) => <Time value={created_at} /> },
];

/** Files of customers that were brought into the store, or will be. */
export function Imports() {
  const query = useRows('listImports', { limit: 50 }, ({ imports }) => imports, { refetchInterval: REFRESH_MS });
  const mayImport = useAllows('audiences:write', 'profiles:write');
  return (
    <Page
      title="Imports"
      description="Customers from CSV files. An import is kept for seven days after its end."
      actions={
        mayImport && (
          <Button component={Link} to="/imports/new" leftSection={<UploadIcon />}>
            Import a file
          </Button>
        )
      }
    >
      <Section title="Imports of this store">
        <Rows
          query={query}
          label="Imports"
          columns={COLUMNS}
          to={importPath}
          minWidth={680}
          empty={
            <Empty
              icon={<UploadIcon size={24} />}
              title="No imports"
              description="Bring customers from another system, and put them into lists."
            />
          }
        />
      </Section>
    </Page>
  );
}
