import { type Starter, sendEmail } from './starter.ts';

export const AFTER_AN_ORDER: Starter = {
  title: 'After an order',
  description: 'Welcomes new customers, and asks for a review two weeks after an order that has none.',
  emails: {
    welcome: {
      name: 'Order: thank you for the first one',
      subject: 'Thank you for your first order',
      preheader: 'It is good to have you here.',
      blocks: [
        { type: 'heading', text: 'Welcome to {{ store.name }}', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nthank you for your first order. We hope that you will like it. If anything is not as it should be, just answer this e-mail.',
        },
        { type: 'footer' },
      ],
    },
    ask: {
      name: 'Order: how do you like it?',
      subject: 'How do you like what you ordered?',
      preheader: 'A few words help others to choose.',
      blocks: [
        { type: 'heading', text: 'How do you like it?', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nyou have had your order for a while now. A few words about it help others to choose, and us to get better.\n\n{% if event.properties.review_url %}[Write a review]({{ event.properties.review_url }}){% else %}Just answer this e-mail.{% endif %}',
        },
        { type: 'footer' },
      ],
    },
  },
  definition: {
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
      sendEmail('welcome', 'delivery'),
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
      sendEmail('ask', null),
    ],
  },
};
