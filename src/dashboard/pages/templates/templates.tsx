import { Anchor, Badge, Button, Group, Select } from '@mantine/core';
import { PlusIcon, TypographyIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Arguments, TemplateSummary } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useNewDialog } from '../../components/use-new-dialog.ts';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateTemplate } from './create-template.tsx';
import { templatePath } from './use-templates.ts';
import { CLASS_WORDS, KIND_WORDS, STATUS_COLORS, USE_WORDS } from './words.ts';

const COLUMNS: readonly Column<TemplateSummary>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name }) => (
      <Anchor component={Link} to={templatePath(id)} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
    ),
  },
  { header: 'Kind', width: 170, render: ({ kind }) => wordsOf(KIND_WORDS, kind) },
  { header: 'Use', width: 100, render: ({ use }) => wordsOf(USE_WORDS, use) },
  {
    header: 'Class',
    width: 130,
    render: (template) => (template.use === 'message' ? wordsOf(CLASS_WORDS, template.class) : '–'),
  },
  {
    header: 'Status',
    width: 120,
    render: ({ status }) => <Badge color={colorOf(STATUS_COLORS, status)}>{status}</Badge>,
  },
  { header: 'Last changed', width: 130, render: ({ updated_at }) => <Time value={updated_at} format="date" /> },
];

const STATUSES = Object.keys(STATUS_COLORS);
const USES = Object.entries(USE_WORDS).map(([value, label]) => ({ value, label }));

/** What the messages of the store say. */
export function Templates() {
  const [filters, change] = useFilters(['status', 'use']);
  const { status, use } = filters;
  const mayWrite = useAllows('messages:write');
  const [isCreating, { open, close }] = useNewDialog();
  const query = useRows('listTemplates', filters as Arguments<'listTemplates'>, ({ templates }) => templates);
  return (
    <Page
      title="Templates"
      description="What messages say: to all who are sent one, with what is known of each."
      actions={
        mayWrite && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Create a template
          </Button>
        )
      }
    >
      <Section
        title="Templates of this store"
        actions={
          <Group gap="xs">
            <Select
              aria-label="Use"
              placeholder="Any use"
              data={USES}
              value={use ?? null}
              onChange={(value) => change({ use: value ?? undefined })}
              clearable
              size="xs"
              w={130}
            />
            <Select
              aria-label="Status"
              placeholder="Any status"
              data={STATUSES}
              value={status ?? null}
              onChange={(value) => change({ status: value ?? undefined })}
              clearable
              size="xs"
              w={130}
            />
          </Group>
        }
      >
        <Loaded query={query}>
          {(rows) =>
            rows.length > 0 ? (
              <DataTable
                label="Templates"
                columns={COLUMNS}
                rows={rows}
                rowKey={({ id }) => id}
                rowTo={({ id }) => templatePath(id)}
                pages={query}
                minWidth={800}
              />
            ) : status || use ? (
              <Empty title="No templates match these filters" />
            ) : (
              <Empty
                icon={<TypographyIcon size={24} />}
                title="No templates yet"
                description={mayWrite ? 'Create one, see what it says to a customer, and publish it.' : undefined}
              />
            )
          }
        </Loaded>
      </Section>
      {isCreating && <CreateTemplate onClose={close} />}
    </Page>
  );
}
