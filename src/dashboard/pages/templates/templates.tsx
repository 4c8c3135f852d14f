import { Badge, Group } from '@mantine/core';
import { TypographyIcon } from '@primer/octicons-react';
import type { Arguments, TemplateSummary } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { nameColumn, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateTemplate } from './create-template.tsx';
import { templatePath } from './use-templates.ts';
import { CLASS_WORDS, KIND_WORDS, STATUS_COLORS, USE_WORDS } from './words.ts';

const COLUMNS: readonly Column<TemplateSummary>[] = [
  nameColumn(templatePath),
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
  const query = useRows('listTemplates', filters as Arguments<'listTemplates'>, ({ templates }) => templates);
  return (
    <Page
      title="Templates"
      description="What messages say: to all who are sent one, with what is known of each."
      actions={
        mayWrite && <OpenButton text="Create a template">{(close) => <CreateTemplate onClose={close} />}</OpenButton>
      }
    >
      <Section
        title="Templates of this store"
        actions={
          <Group gap="xs">
            <FilterSelect
              name="use"
              filters={filters}
              change={change}
              aria-label="Use"
              placeholder="Any use"
              data={USES}
              size="xs"
              w={130}
            />
            <FilterSelect
              name="status"
              filters={filters}
              change={change}
              aria-label="Status"
              placeholder="Any status"
              data={STATUSES}
              size="xs"
              w={130}
            />
          </Group>
        }
      >
        <Rows
          query={query}
          label="Templates"
          columns={COLUMNS}
          to={templatePath}
          minWidth={800}
          unmatched={(status || use) && 'No templates match these filters'}
          empty={
            <Empty
              icon={<TypographyIcon size={24} />}
              title="No templates yet"
              description={mayWrite ? 'Create one, see what it says to a customer, and publish it.' : undefined}
            />
          }
        />
      </Section>
    </Page>
  );
}
