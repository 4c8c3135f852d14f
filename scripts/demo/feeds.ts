import type { Client } from '../../src/client/index.ts';
import type { Filling } from './filling.ts';

/** Gift cards, as the shop of another department writes them down: one of them without a price. */
const CARDS = `id,title,price,product_type,theme
GIFT-25,Gift card 25,25.00,Gifts,Birthday
GIFT-50,Gift card 50,50.00,Gifts,Birthday
GIFT-100,Gift card 100,on request,Gifts,Wedding
`;

/** Makes a feed whose file is uploaded, and has it read; and one at a URL, which is paused, as there is no such shop. */
export async function makeFeeds(client: Client, filling: Filling): Promise<void> {
  const url = 'https://shop.example/feeds/google.xml?token=demo';
  const feed = { name: 'All products, for Google', url, currency: 'EUR', is_paused: true };
  await client.createCatalogFeed({ ...feed, ...filling.once('feed at a URL') });
  const cards = { name: 'Gift cards', source: 'file', currency: 'EUR' } as const;
  const { id } = await client.createCatalogFeed({ ...cards, ...filling.once('feed of gift cards') });
  const { last_run, is_running, next_run_at } = await client.getCatalogFeed({ id });
  if (last_run || is_running || next_run_at) return;
  await client.putCatalogFeedPart({ id, number: '1', text: CARDS });
  await client.runCatalogFeed({ id, part_count: 1 });
}
