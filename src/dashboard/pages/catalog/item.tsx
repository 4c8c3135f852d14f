import { Anchor, DataList } from '@mantine/core';
import { useParams } from 'react-router';
import type { CatalogItem as CatalogItemData, CatalogVariant } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Item } from '../../components/item.tsx';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { CatalogChanges } from './changes.tsx';
import { pricesInWords, stockInWords } from './words.ts';

const COLUMNS: readonly Column<CatalogVariant>[] = [
  { header: 'Variant', isWholeLine: true, render: (variant) => nameOf(variant) },
  { header: 'SKU', width: 140, render: ({ sku }) => sku ?? '–' },
  { header: 'Price', width: 160, render: ({ prices }) => pricesInWords(prices) },
  { header: 'Stock', width: 110, align: 'right', render: ({ stock, in_stock }) => stockInWords(stock, in_stock) },
  { header: 'Changed', width: 150, render: ({ updated_at }) => <Time value={updated_at} /> },
];

function nameOf({ id, title, options }: CatalogVariant): string {
  return title ?? (Object.values(options).join(', ') || id);
}

/** One item, its variants, and what has changed of them. */
export function CatalogItem() {
  const { itemId = '' } = useParams();
  const query = useOperation('getCatalogItem', { id: itemId });
  return (
    <PageOfOne query={query} kind="Item" heading="Catalog" all="All items" to="/catalog" title={query.data?.title}>
      {(item) => (
        <>
          <About item={item} />
          {item.variants.length > 0 && (
            <Section title="Variants" mt="lg">
              <DataTable
                label="Variants"
                columns={COLUMNS}
                rows={item.variants}
                rowKey={({ id }) => id}
                minWidth={640}
              />
            </Section>
          )}
          <CatalogChanges itemId={item.id} />
        </>
      )}
    </PageOfOne>
  );
}

function About({ item }: { item: CatalogItemData }) {
  const { id, url, brand, sku, prices, stock, in_stock, status, hidden_because, categories, updated_at } = item;
  const why = hidden_because === 'not_in_feed' ? 'Hidden, as the shop has it no more' : 'Hidden';
  return (
    <Section title="About the item">
      <DataList>
        <Item label="Price">{pricesInWords(prices)}</Item>
        <Item label="Stock">{stockInWords(stock, in_stock)}</Item>
        <Item label="Status">{status === 'hidden' ? why : 'Published'}</Item>
        {brand && <Item label="Brand">{brand}</Item>}
        {sku && <Item label="SKU">{sku}</Item>}
        {categories.length > 0 && <Item label="Categories">{categories.join(', ')}</Item>}
        {url && (
          <Item label="Page">
            <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always">
              {url}
            </Anchor>
          </Item>
        )}
        <Item label="Changed">
          <Time value={updated_at} />
        </Item>
        <Item label="Id">{id}</Item>
      </DataList>
    </Section>
  );
}
