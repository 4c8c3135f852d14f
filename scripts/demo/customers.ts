import type { Faker } from '@faker-js/faker';

export interface Product {
  sku: string;
  name: string;
  category: string;
  price: number;
}

export interface Customer {
  external_id: string;
  email: string;
  phone: string | undefined;
  first_name: string;
  last_name: string;
  city: string;
  country: string;
  loyalty_tier: 'none' | 'silver' | 'gold';
  newsletter: boolean;
  /** How much more often than others they visit. */
  loyalty: number;
}

const PRODUCTS = 48;
const LOYALTY = { none: 1, silver: 4, gold: 12 };

export function makeProducts(faker: Faker): Product[] {
  return Array.from({ length: PRODUCTS }, (_, n) => ({
    sku: `SKU-${1001 + n}`,
    name: faker.commerce.productName(),
    category: faker.commerce.department(),
    price: Number(faker.commerce.price({ min: 8, max: 180 })),
  }));
}

export function makeCustomers(faker: Faker, count: number): Customer[] {
  return Array.from({ length: count }, (_, n) => {
    const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
    const loyalty_tier = faker.helpers.weightedArrayElement([
      { value: 'none' as const, weight: 80 },
      { value: 'silver' as const, weight: 15 },
      { value: 'gold' as const, weight: 5 },
    ]);
    return {
      external_id: `cust_${1001 + n}`,
      // The number distinguishes customers with the same name.
      email: `${firstName}.${lastName}.${1001 + n}@example.com`.toLowerCase().replaceAll(/[^a-z0-9.@]/g, ''),
      phone: faker.helpers.maybe(() => faker.phone.number({ style: 'international' }), { probability: 0.4 }),
      first_name: firstName,
      last_name: lastName,
      city: faker.location.city(),
      country: faker.location.country(),
      loyalty_tier,
      newsletter: faker.datatype.boolean(0.35),
      loyalty: LOYALTY[loyalty_tier],
    };
  });
}
