import { type Starter, sendEmail } from './starter.ts';

const LINK =
  '{% if event.properties.checkout_url %}[Back to your cart]({{ event.properties.checkout_url }}){% endif %}';

export const ABANDONED_CART: Starter = {
  title: 'Abandoned cart',
  description:
    'Writes an hour after a checkout without an order, and the next morning once more; it ends with the order.',
  emails: {
    remind: {
      name: 'Cart: a reminder',
      subject: 'You left something in your cart',
      preheader: 'It is still there.',
      blocks: [
        { type: 'heading', text: 'Still thinking about it?', level: 1 },
        {
          type: 'text',
          text: `Hello {{ profile.attributes.first_name | default: "there" }},\n\nyou began to order and did not finish. What you chose is still in your cart.\n\n${LINK}`,
        },
        { type: 'repeat', over: 'event.properties.items', limit: 5, blocks: [{ type: 'product' }] },
        { type: 'text', text: 'Did something go wrong, or do you have a question? Just answer this e-mail.' },
        { type: 'footer' },
      ],
    },
    remind_again: {
      name: 'Cart: the second reminder',
      subject: 'Your cart is still here',
      preheader: 'We will not write about it again.',
      blocks: [
        { type: 'heading', text: 'Your cart is waiting', level: 1 },
        {
          type: 'text',
          text: `Hello {{ profile.attributes.first_name | default: "there" }},\n\nwe have kept what you chose. If you have changed your mind, that is fine: we will not write about it again.\n\n${LINK}`,
        },
        { type: 'footer' },
      ],
    },
  },
  definition: {
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
      sendEmail('remind', 'next_morning'),
      { id: 'next_morning', type: 'delay', until: { at: '10:00' }, next: 'remind_again' },
      sendEmail('remind_again', 'three_days'),
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
  },
};
