import { ABANDONED_CART } from './abandoned-cart.ts';
import { AFTER_AN_ORDER } from './after-an-order.ts';
import { BACK_IN_STOCK } from './back-in-stock.ts';
import type { Starter } from './starter.ts';
import { WELCOME_SERIES } from './welcome-series.ts';
import { WIN_BACK } from './win-back.ts';

/** What a shop wants on its first day, and an automation with nothing but a trigger. */
export const STARTERS: readonly Starter[] = [
  ABANDONED_CART,
  AFTER_AN_ORDER,
  BACK_IN_STOCK,
  WIN_BACK,
  WELCOME_SERIES,
  {
    title: 'An empty one',
    description: 'With nothing but a trigger.',
    emails: {},
    definition: {
      name: 'New automation',
      trigger: { type: 'event', event_type: 'placed_order' },
      start: '',
      steps: [],
    },
  },
];
