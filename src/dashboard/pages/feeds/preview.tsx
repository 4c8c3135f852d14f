import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { CatalogFeedPreview, CatalogFeedPreviewProduct } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { wordsOf } from '../../components/words-of.ts';
import { pricesInWords } from '../catalog/words.ts';
import { COLUMN_WORDS } from './words.ts';

/** Products that are shown; of the others, those with errors. */
const SHOWN = 20;

const COLUMNS: readonly Column<CatalogFeedPreview['columns'][number]>[] = [
  {
    header: 'Column',
    isWholeLine: true,
    render: ({ name }) => <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>,
  },
  { header: 'Becomes', width: 170, render: ({ becomes }) => titled(wordsOf(COLUMN_WORDS, becomes)) },
  {
    header: 'Such as',
    width: 200,
    render: ({ sample }) => (
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {sample ?? '–'}
      </Text>
    ),
  },
];

const PRODUCTS: readonly Column<CatalogFeedPreviewProduct>[] = [
  { header: 'What is written', isWholeLine: true, render: (product) => <Written product={product} /> },
  { header: 'Line', width: 90, align: 'right', render: ({ line }) => count(line) },
];

const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What the beginning of a file would write. */
export function FeedPreview({ preview: { columns, products, is_complete } }: { preview: CatalogFeedPreview }) {
  const wrong = products.filter(({ error }) => error !== null).length;
  const shown = products.filter(({ error }, n) => n < SHOWN || error !== null);
  return (
    <Stack gap="sm" role="region" aria-label="Preview">
      <Text size="sm" role="status">
        {is_complete ? 'All' : 'The first'} {count(products.length)} products were looked at, and nothing was written;{' '}
        {wrong === 0 ? 'nothing is wrong with them' : `${count(wrong)} of them would be left out`}.
      </Text>
      <DataTable
        label="Columns"
        file={null}
        columns={COLUMNS}
        rows={columns}
        rowKey={({ name }) => name}
        minWidth={480}
      />
      <DataTable
        label="Products"
        file={null}
        columns={PRODUCTS}
        rows={shown}
        rowKey={({ line, item_id, variant_id }) => `${line} ${item_id} ${variant_id}`}
        minWidth={480}
      />
    </Stack>
  );
}

function Written({
  product: { item_id, variant_id, title, prices, stock, categories, error },
}: {
  product: CatalogFeedPreviewProduct;
}) {
  if (error) {
    return (
      <Group gap="xs">
        <Badge color="red">left out</Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {error.column && <b>{error.column}</b>} {error.message}
        </Text>
      </Group>
    );
  }
  const said = [prices && pricesInWords(prices), stock === null ? null : `${count(stock)} in stock`, ...categories];
  return (
    <Stack gap={0}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[variant_id === null ? item_id : `${item_id} / ${variant_id}`, ...said].filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  );
}
