import { type Starter, sendEmail } from './starter.ts';

export const WIN_BACK: Starter = {
  title: 'Win back',
  description: 'Ninety days after the last order: marks the customer, and writes to them.',
  emails: {
    offer: {
      name: 'Win back: we miss you',
      subject: 'It has been a while',
      preheader: 'There is something new to see.',
      blocks: [
        { type: 'heading', text: 'It has been a while', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\na few months have passed since your last order at {{ store.name }}. There is something new to see, and you are welcome back whenever you like.',
        },
        { type: 'footer' },
      ],
    },
  },
  definition: {
    name: 'Win back',
    trigger: { type: 'event', event_type: 'placed_order', max_age: 'P1D' },
    entry_condition: { identifier: 'email', op: 'exists' },
    reentry: { mode: 'restart', per: 'profile', min_interval: null },
    start: 'quiet',
    steps: [
      { id: 'quiet', type: 'delay', for: 'P90D', next: 'lapsing' },
      { id: 'lapsing', type: 'set_profile', set: { lapsing: true }, next: 'offer' },
      sendEmail('offer', 'visit'),
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
  },
};
