import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { PackageIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { Arguments, CatalogItemSummary } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { Page } from '../../components/page.tsx';
import { NameLink, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../use-filters.ts';
import { itemPath, pricesInWords, stockInWords } from './words.ts';

const PAGE = 50;
/** Milliseconds after the last letter. */
const PAUSE_MS = 300;
const NAMES = ['q', 'category', 'status', 'in_stock'] as const;
const NONE = { q: undefined, category: undefined, status: undefined, in_stock: undefined };

const COLUMNS: readonly Column<CatalogItemSummary>[] = [
  {
    header: 'Item',
    isWholeLine: true,
    render: ({ id, title, brand }) => (
      <Stack gap={2}>
        <NameLink to={itemPath(id)}>{title}</NameLink>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[brand, id].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
    ),
  },
  { header: 'Price', width: 160, render: ({ prices }) => pricesInWords(prices) },
  { header: 'Stock', width: 110, align: 'right', render: ({ stock, in_stock }) => stockInWords(stock, in_stock) },
  { header: 'Variants', width: 90, align: 'right', render: ({ variant_count }) => variant_count || '–' },
  { header: 'Status', width: 110, render: ({ status }) => (status === 'hidden' ? 'Hidden' : 'Published') },
  { header: 'Changed', width: 150, render: ({ updated_at }) => <Time value={updated_at} /> },
];

/** What the store sells. */
export function CatalogItems() {
  const [filters, change] = useFilters(NAMES);
  const { q, in_stock, ...others } = filters;
  const [typed, setTyped] = useState(q ?? '');
  const search = useDebouncedCallback((text: string) => change({ q: text }), PAUSE_MS);
  const asked = { ...others, ...(q && { q }), ...(in_stock && { in_stock: in_stock === 'true' }) };
  const query = useRows(
    'listCatalogItems',
    { limit: PAGE, ...(asked as Arguments<'listCatalogItems'>) },
    (page) => page.items,
  );
  const categories = useOperation('listCatalogCategories', { limit: 100 }).data?.categories ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title="Catalog" description="What the store sells, as the shop has told it.">
      <Section title="Items of this store">
        <Group gap="sm" align="flex-end" role="search" aria-label="Filter items">
          <TextInput
            label="Search"
            placeholder="Title or SKU"
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              search(currentTarget.value);
            }}
            w={220}
          />
          <FilterSelect
            name="category"
            filters={filters}
            change={change}
            label="Category"
            placeholder="Any category"
            data={categories.map(({ id, title }) => ({ value: id, label: title }))}
            searchable
            w={180}
          />
          <FilterSelect
            name="status"
            filters={filters}
            change={change}
            label="Status"
            placeholder="Any status"
            data={[
              { value: 'published', label: 'Published' },
              { value: 'hidden', label: 'Hidden' },
            ]}
            w={140}
          />
          <FilterSelect
            name="in_stock"
            filters={filters}
            change={change}
            label="Stock"
            placeholder="Any stock"
            data={[
              { value: 'true', label: 'In stock' },
              { value: 'false', label: 'Sold out' },
            ]}
            w={140}
          />
          {isFiltered && (
            <Button
              variant="subtle"
              onClick={() => {
                setTyped('');
                change(NONE);
              }}
            >
              Clear
            </Button>
          )}
        </Group>
        <Rows
          query={query}
          label="Items"
          columns={COLUMNS}
          to={itemPath}
          minWidth={760}
          unmatched={isFiltered && 'No items match these filters'}
          empty={
            <Empty
              icon={<PackageIcon size={24} />}
              title="No items yet"
              description="Create a feed of the shop's file, or send them to the API: see the guide to the catalog."
            />
          }
        />
      </Section>
    </Page>
  );
}
