import type { Faker } from '@faker-js/faker';
import type { EventInput } from '../../generated/native/types.gen.ts';
import type { Customer, Product } from './customers.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60 * 1000;

/** Visits on an ordinary day at the beginning; by the end there are half as many again. */
const VISITS = 100;
const GROWTH = 0.5;
/** Relative activity by weekday, from Sunday, and by hour. */
const WEEK = [1.3, 0.85, 0.85, 0.9, 1, 1.15, 1.4];
const HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 11, 13, 12, 10, 9, 10, 12, 15, 18, 20, 18, 11, 5];
/** A three-day sale, this many days before the end. */
const SALE_AGO = 24;
const SALE_DAYS = 3;
const SALE = 2.2;

export interface History {
  faker: Faker;
  products: Product[];
  customers: Customer[];
  /** The end of the history. */
  until: Date;
  days: number;
}

/** Returns what the customers of a shop did, in chronological order. */
export function makeEvents(history: History): EventInput[] {
  const { faker, until, days } = history;
  const events: EventInput[] = [];
  for (let ago = days; ago >= 0; ago -= 1) {
    const midnight = Math.floor((until.getTime() - ago * DAY_MS) / DAY_MS) * DAY_MS;
    const isSale = ago <= SALE_AGO && ago > SALE_AGO - SALE_DAYS;
    const busy = (WEEK[new Date(midnight).getUTCDay()] as number) * (isSale ? SALE : 1);
    const visits = VISITS * busy * (1 + (GROWTH * (days - ago)) / days) * faker.number.float({ min: 0.88, max: 1.12 });
    for (let n = 0; n < visits; n += 1) events.push(...makeVisit(history, midnight + timeOfDay(faker), isSale));
  }
  const isPast = ({ occurred_at = '' }: EventInput) => occurred_at <= until.toISOString();
  return events.filter(isPast).sort((a, b) => ((a.occurred_at as string) < (b.occurred_at as string) ? -1 : 1));
}

function timeOfDay(faker: Faker): number {
  const hour = faker.helpers.weightedArrayElement(HOURS.map((weight, value) => ({ value, weight })));
  return hour * HOUR_MS + faker.number.int({ max: HOUR_MS - 1 });
}

/** One visit: looks around, and may buy something in the end. */
function makeVisit({ faker, products, customers }: History, start: number, isSale: boolean): EventInput[] {
  const customer = chooseCustomer(faker, customers);
  const { external_id, email } = customer;
  const events: EventInput[] = [];
  let time = start;
  const happens = (event_type: string, properties: Record<string, unknown>, after: number = faker.number.int(4)) => {
    time += after * MINUTE_MS + faker.number.int({ min: 2_000, max: 60_000 });
    // Some parts of a shop know only the e-mail address, others only the customer number.
    const profile = event_type === 'viewed_product' ? { external_id } : { external_id, email };
    events.push({ event_type, profile, properties, occurred_at: new Date(time).toISOString() });
  };

  const seen = faker.helpers.arrayElements(products, { min: 1, max: 5 });
  for (const { sku, name, category, price } of seen) happens('viewed_product', { sku, name, category, price });
  if (customer.newsletter && faker.datatype.boolean(0.08)) happens('subscribed_to_newsletter', { source: 'footer' });
  if (!faker.datatype.boolean(isSale ? 0.55 : 0.42)) return events;

  const items = faker.helpers
    .arrayElements(seen, { min: 1, max: 3 })
    .map(({ sku, name, price }) => ({ sku, name, price, quantity: faker.number.int({ min: 1, max: 3 }) }));
  for (const item of items) happens('added_to_cart', item);
  if (!faker.datatype.boolean(0.6)) return events;

  const value = Math.round(items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) * 100) / 100;
  happens('started_checkout', { value, currency: 'EUR', items: items.length });
  if (!faker.datatype.boolean(0.72)) return events;

  const order_id = `ord_${faker.string.alphanumeric({ length: 8, casing: 'lower' })}`;
  happens('placed_order', { order_id, value, currency: 'EUR', items, ...(isSale && { coupon: 'AUTUMN' }) });
  happens('fulfilled_order', { order_id, carrier: faker.helpers.arrayElement(['DHL', 'UPS', 'DPD']) }, 60 * 26);
  if (faker.datatype.boolean(0.07)) {
    const reason = faker.helpers.arrayElement(['does not fit', 'arrived broken', 'changed their mind']);
    happens(
      'refunded_order',
      { order_id, value, currency: 'EUR', reason },
      60 * 24 * faker.number.int({ min: 2, max: 9 }),
    );
  }
  return events;
}

/** Loyal customers come more often. */
function chooseCustomer(faker: Faker, customers: Customer[]): Customer {
  for (;;) {
    const customer = faker.helpers.arrayElement(customers);
    if (faker.number.float({ max: 12 }) < customer.loyalty) return customer;
  }
}
