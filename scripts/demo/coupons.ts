import type { Client } from '../../src/client/index.ts';
import type { Customer } from './customers.ts';
import type { Filling } from './filling.ts';

/** Codes of the shop, customers who have one, and how many of them have used it. */
const [CODES, GIVEN, USED] = [40, 32, 9];

/** Makes a pool of codes of the shop, which is low, and one of random codes. Some customers have codes. */
export async function giveCoupons(client: Client, customers: readonly Customer[], filling: Filling): Promise<void> {
  const welcome = { name: 'Welcome 10 %', kind: 'uploaded', low_below: 10 } as const;
  const { id } = await client.createCouponPool({ ...welcome, ...filling.once('pool of the welcome') });
  await client.addCouponCodes({ id, codes: Array.from({ length: CODES }, (_, n) => codeOf(n)) });
  const used: string[] = [];
  for (const { external_id } of customers.slice(0, GIVEN)) {
    const { profiles } = await client.listProfiles({ external_id });
    const profile = profiles[0];
    if (!profile) continue;
    const { code } = await client.assignCoupon({ id, profile_id: profile.id });
    if (used.length < USED) used.push(code);
  }
  const codes = used.map((code, n) => ({ code, status: 'used' as const, order_id: `ord_w${n}` }));
  await client.markCouponCodes({ id, codes });
  const birthday = { name: 'Birthday', kind: 'generated', pattern: 'PARTY-####-####', per: 'run' } as const;
  const pool = await client.createCouponPool({ ...birthday, ...filling.once('pool of birthdays') });
  await client.addCouponCodes({ id: pool.id, generate: 200, ...filling.once('codes of birthdays') });
}

/** As a shop makes them: `WELCOME-00A7`. */
function codeOf(n: number): string {
  return `WELCOME-${(n * 37 + 247).toString(36).toUpperCase().padStart(4, '0')}`;
}
