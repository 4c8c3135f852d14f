import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';

/** A run starts, and waits for a month. */
export function starting(eventType: string): Definition {
  return {
    name: 'Waits',
    trigger: { type: 'event', event_type: eventType },
    start: 'month',
    steps: [{ id: 'month', type: 'delay', for: 'P30D', next: null }],
  };
}

/** Automations that are live at a time. */
export const STARTING_SHOPS = 10;

/** The type of event of which one in a hundred is; each of the automations has a tenth of those. */
export function ofShop(shop: number): Definition {
  return {
    ...starting('started_checkout'),
    trigger: {
      type: 'event',
      event_type: 'started_checkout',
      filter: { property: 'shop', op: 'eq', value: shop },
    },
    reentry: { mode: 'every_time', per: 'profile' },
  };
}

/** As many events pass the filter, but all of them have to be read for that. */
export function ofShare(share: number): Definition {
  return {
    ...starting('placed_order'),
    trigger: { type: 'event', event_type: 'placed_order', filter: { property: 'share', op: 'eq', value: share } },
    reentry: { mode: 'every_time', per: 'profile' },
  };
}

/** The steps that a run takes at once, from one delay to the next. */
export const STEPS = ['branch', 'set', 'emit', 'month'] as const;

export const WORKING: Definition = {
  ...starting('started_checkout'),
  name: 'Works',
  start: 'branch',
  steps: [
    {
      id: 'branch',
      type: 'branch',
      cases: [{ when: { attribute: 'loyalty_tier', op: 'eq', value: 'gold' }, next: 'set' }],
      else: null,
    },
    { id: 'set', type: 'set_profile', set: { reminded: { from: 'event.properties.order_id' } }, next: 'emit' },
    {
      id: 'emit',
      type: 'emit_event',
      event_type: 'reminded',
      properties: { order_id: { from: 'event.properties.order_id' } },
      next: 'month',
    },
    { id: 'month', type: 'delay', for: 'P30D', next: null },
  ],
};

/** Its runs end after an hour. */
export const ENDING: Definition = {
  ...starting('started_checkout'),
  name: 'Ends',
  start: 'hour',
  steps: [{ id: 'hour', type: 'delay', for: 'PT1H', next: null }],
};
