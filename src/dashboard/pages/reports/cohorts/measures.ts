import type { CohortMonth } from '../../../../client/index.ts';
import { money } from '../../../components/money.ts';
import { count, share } from '../../../components/numbers.ts';

/** What a cell of the table says, rounded so that many fit beside each other, and the number that it is coloured by. */
interface Shown {
  label: string;
  title: string;
  words: (month: CohortMonth, currency: string | null) => string;
  heat: (month: CohortMonth) => number;
}

export const MEASURES = {
  share: {
    label: 'Share of the customers',
    title: 'Share of the customers who ordered',
    words: ({ share: of }) => (of === null ? '–' : share(of < 0.1 ? of : Math.round(100 * of) / 100, 1)),
    heat: ({ share: of }) => of ?? 0,
  },
  customers: {
    label: 'Customers',
    title: 'Customers who ordered',
    words: ({ profile_count }) => count(profile_count),
    heat: ({ profile_count }) => profile_count,
  },
  orders: {
    label: 'Orders',
    title: 'Orders',
    words: ({ order_count }) => count(order_count),
    heat: ({ order_count }) => order_count,
  },
  amount: {
    label: 'Amount',
    title: 'Amount of the orders, less refunds',
    words: ({ net_amount }, currency) =>
      money(net_amount, currency, Number(net_amount) < 100 ? undefined : { maximumFractionDigits: 0 }),
    heat: ({ net_amount }) => Number(net_amount),
  },
} as const satisfies Record<string, Shown>;
export type Measure = keyof typeof MEASURES;
