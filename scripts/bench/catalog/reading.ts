import { sql } from 'kysely';
import type { Delays } from '../automations/delays.ts';
import type { Stage } from '../automations/stage.ts';
import type { Target } from '../service.ts';
import { storeItems, storeOrders } from './items.ts';
import { time } from './requests.ts';

/** Requests of each kind. */
const REQUESTS = 300;
/** Items of which it is asked what is bought with them, at first and again. */
const ASKED = 100;
const CUSTOMERS = 50_000;

/** How long searches take in a large catalog, and recommendations, as they are found out and once they are. */
export async function measureReading(stage: Stage, service: Target, items: number): Promise<Delays[]> {
  const store = await stage.newStore();
  await storeItems(stage, store, items);
  const customers = await storeOrders(stage, store, { customers: CUSTOMERS, items });
  await sql`vacuum analyze`.execute(stage.sql);
  const idOf = (n: number) => `I-${String(n).padStart(7, '0')}`;
  const searches: Record<string, (n: number) => string> = {
    'one word of a few items': (n) => `q=${(n * 977) % items}`,
    'a word of a thousandth of them': (n) => `q=group${n}`,
    'a word of all, and one of a few': (n) => `q=tea%20${(n * 977) % items}`,
    'a beginning that most have': () => 'q=t',
    'a word of all, and none that is hidden': () => 'q=tea&status=hidden',
    'a category, in stock': (n) => `category=C-${n % 50}&in_stock=true`,
    'a word of all, in a category': (n) => `q=tea&category=C-${n % 50}`,
    'a category, of a brand': (n) => `category=C-${n % 50}&brand=Brand%20${(n * 7) % 500}`,
    'a brand, sold out': (n) => `brand=Brand%20${n}&in_stock=false`,
    'a brand': (n) => `brand=Brand%20${n}`,
    'changed since, of a brand': (n) => `updated_since=2020-01-01T00:00:00Z&brand=Brand%20${n}`,
    'none that is hidden': () => 'status=hidden',
  };
  const times = [];
  for (const [name, queryOf] of Object.entries(searches)) {
    const paths = Array.from({ length: REQUESTS }, (_, n) => `/v1/catalog/items?limit=50&${queryOf(n)}`);
    await time(service, store, name, paths.slice(0, 10));
    times.push(await time(service, store, `search: ${name}`, paths));
  }
  const recommended = (query: string) => `/v1/catalog/recommendations?limit=10&${query}`;
  const bought = Array.from({ length: ASKED }, (_, n) => recommended(`kind=also_bought&item_id=${idOf(n)}`));
  times.push(await time(service, store, 'also bought, found out', bought));
  times.push(await time(service, store, 'also bought', [...bought, ...bought, ...bought]));
  const categories = Array.from({ length: 50 }, (_, n) => recommended(`kind=best_sellers&category_id=C-${n}`));
  times.push(await time(service, store, 'best sellers of a category, found out', categories));
  times.push(await time(service, store, 'best sellers of a category', [...categories, ...categories]));
  for (const kind of ['recently_viewed', 'buy_again']) {
    const paths = customers.slice(0, REQUESTS).map((id) => recommended(`kind=${kind}&profile_id=${id}`));
    times.push(await time(service, store, kind === 'buy_again' ? 'buy again' : 'recently viewed', paths));
  }
  return times;
}
