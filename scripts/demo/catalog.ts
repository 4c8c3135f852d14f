import type { Client } from '../../src/client/index.ts';
import type { Product } from './customers.ts';

/** Of products: how many have sizes, and what every so-manieth is. */
const [SIZES, SOLD_OUT, REDUCED] = [['S', 'M', 'L'], 9, 7];

/** Writes what customers of the demo buy to the catalog; then some of it is reduced, sold out, or there again. */
export async function fillCatalog(client: Client, products: readonly Product[]): Promise<number> {
  const categories = [...new Set(products.map(({ category }) => category))];
  for (const title of categories) await client.upsertCatalogCategory({ id: title.toLowerCase(), title });
  await client.upsertCatalogItemsBulk({
    items: products.map(({ sku, name, category, price }, n) => ({
      ...{
        id: sku,
        title: name,
        categories: [category.toLowerCase()],
        url: `https://shop.example/p/${sku.toLowerCase()}`,
      },
      ...(n % 3 === 0
        ? {
            variants: SIZES.map((size, i) => ({
              ...{ id: `${sku}-${size}`, sku: `${sku}-${size}`, options: { size } },
              ...{ prices: { EUR: { price } }, stock: (n + 3 * i) % 12 },
            })),
          }
        : { sku, prices: { EUR: { price } }, stock: n % SOLD_OUT === 0 ? 0 : 5 + n }),
    })),
  });
  await client.updateCatalogStock({
    updates: products.flatMap(({ sku, price }, n) => {
      if (n % 3 === 0) return [];
      const prices = { EUR: { price: Math.round(80 * price) / 100, compare_at: price } };
      return [
        { item_id: sku, ...(n % REDUCED === 0 && { prices }), stock: n % 5 === 0 ? 3 : n % SOLD_OUT === 0 ? 8 : 5 + n },
      ];
    }),
  });
  return products.length;
}
