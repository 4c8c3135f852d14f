import type { AutomationDefinition } from '../../definitions.ts';
import { askingForConsent } from './consent.ts';

export interface Template {
  title: string;
  description: string;
  definition: AutomationDefinition;
}

const abandonedCart: AutomationDefinition = {
  name: 'Abandoned cart',
  trigger: {
    type: 'event',
    event_type: 'started_checkout',
    max_age: 'P1D',
    filter: { property: 'cart_id', op: 'exists' },
  },
  key: { property: 'cart_id' },
  entry_condition: { identifier: 'email', op: 'exists' },
  reentry: { mode: 'restart', per: 'key', min_interval: null },
  exit_on: [{ event_type: 'placed_order', match_key: { property: 'cart_id' } }],
  time_zone: { attribute: 'time_zone', default: 'UTC' },
  start: 'hour',
  steps: [
    { id: 'hour', type: 'delay', for: 'PT1H', next: 'remind' },
    {
      id: 'remind',
      type: 'emit_event',
      event_type: 'cart_reminder_due',
      properties: {
        cart_id: { from: 'event.properties.cart_id' },
        value: { from: 'event.properties.value' },
        first_name: { from: 'profile.attributes.first_name' },
      },
      next: 'next_morning',
    },
    { id: 'next_morning', type: 'delay', until: { at: '10:00' }, next: 'regular' },
    {
      id: 'regular',
      type: 'branch',
      cases: [{ when: { did: { event_type: 'placed_order', at_least: 3, within: 'P365D' } }, next: 'tag' }],
      else: 'remind_again',
    },
    { id: 'tag', type: 'set_profile', set: { cart_gift: true }, next: 'remind_again' },
    {
      id: 'remind_again',
      type: 'emit_event',
      event_type: 'cart_second_reminder_due',
      properties: { cart_id: { from: 'event.properties.cart_id' } },
      next: 'three_days',
    },
    { id: 'three_days', type: 'delay', for: 'P3D', next: 'lost' },
    {
      id: 'lost',
      type: 'emit_event',
      event_type: 'cart_lost',
      properties: { cart_id: { from: 'event.properties.cart_id' } },
      next: 'end',
    },
    { id: 'end', type: 'exit', reason: 'not ordered' },
  ],
};

const postPurchase: AutomationDefinition = {
  name: 'After an order',
  trigger: {
    type: 'event',
    event_type: 'placed_order',
    max_age: 'P1D',
    filter: { property: 'order_id', op: 'exists' },
  },
  key: { property: 'order_id' },
  reentry: { mode: 'once', per: 'key', min_interval: null },
  exit_on: [{ event_type: 'refunded_order', match_key: { property: 'order_id' } }],
  start: 'first_order',
  steps: [
    {
      id: 'first_order',
      type: 'branch',
      cases: [{ when: { did: { event_type: 'placed_order', at_most: 0 } }, next: 'welcome' }],
      else: 'delivery',
    },
    {
      id: 'welcome',
      type: 'emit_event',
      event_type: 'welcome_due',
      properties: {
        order_id: { from: 'event.properties.order_id' },
        first_name: { from: 'profile.attributes.first_name' },
      },
      next: 'delivery',
    },
    { id: 'delivery', type: 'delay', for: 'P7D', next: 'reviewed' },
    {
      id: 'reviewed',
      type: 'wait',
      for: [{ event_type: 'reviewed_product', match_key: { property: 'order_id' }, next: 'thank' }],
      since: 'trigger',
      timeout: 'P7D',
      on_timeout: 'ask',
    },
    { id: 'thank', type: 'set_profile', set: { reviewer: true }, next: null },
    {
      id: 'ask',
      type: 'emit_event',
      event_type: 'review_request_due',
      properties: { order_id: { from: 'event.properties.order_id' } },
      next: null,
    },
  ],
};

const winBack: AutomationDefinition = {
  name: 'Win back',
  trigger: { type: 'event', event_type: 'placed_order', max_age: 'P1D' },
  entry_condition: { identifier: 'email', op: 'exists' },
  reentry: { mode: 'restart', per: 'profile', min_interval: null },
  start: 'quiet',
  steps: [
    { id: 'quiet', type: 'delay', for: 'P90D', next: 'lapsing' },
    { id: 'lapsing', type: 'set_profile', set: { lapsing: true }, next: 'offer' },
    {
      id: 'offer',
      type: 'emit_event',
      event_type: 'win_back_due',
      properties: { first_name: { from: 'profile.attributes.first_name' } },
      next: 'visit',
    },
    {
      id: 'visit',
      type: 'wait',
      for: [{ event_type: 'viewed_product', next: 'back' }],
      since: 'step',
      timeout: 'P30D',
      on_timeout: 'lost',
    },
    { id: 'back', type: 'set_profile', unset: ['lapsing'], next: null },
    { id: 'lost', type: 'set_profile', set: { lapsed: true }, unset: ['lapsing'], next: null },
  ],
};

/**
 * What a shop wants on its first day. What they record, a program of the shop turns into messages, so they ask for consent
 * at entry and before each.
 */
export const TEMPLATES: readonly Template[] = [
  {
    title: 'Abandoned cart',
    description: 'An hour after a checkout without an order, and the next morning once more; it ends with the order.',
    definition: askingForConsent(abandonedCart, 'email'),
  },
  {
    title: 'After an order',
    description: 'Welcomes new customers, and asks for a review two weeks after an order that has none.',
    definition: askingForConsent(postPurchase, 'email'),
  },
  {
    title: 'Win back',
    description: 'Ninety days after the last order: marks the customer, and says when to write to them.',
    definition: askingForConsent(winBack, 'email'),
  },
];

/** To begin with nothing. */
export const BLANK: AutomationDefinition = {
  name: 'New automation',
  trigger: { type: 'event', event_type: 'placed_order' },
  start: '',
  steps: [],
};
