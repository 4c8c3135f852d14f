import { type Starter, sendEmail } from './starter.ts';

export const BACK_IN_STOCK: Starter = {
  title: 'Back in stock',
  description: 'Tells those who wait for an item that it is there again, the first ones first, as long as it is.',
  emails: {
    tell: {
      name: 'Back in stock',
      subject: '{{ event.properties.title }} is there again',
      preheader: 'You wanted to know.',
      blocks: [
        { type: 'heading', text: 'It is there again', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nyou wanted to know when **{{ event.properties.title }}** can be ordered again. Now it can, as long as there is some.\n\n{% if event.properties.url %}[Have a look]({{ event.properties.url }}){% endif %}',
        },
        { type: 'footer' },
      ],
    },
  },
  definition: {
    name: 'Back in stock',
    trigger: {
      type: 'catalog',
      change: 'back_in_stock',
      audience: { subscribed: true },
      from_client: true,
    },
    entry_condition: { identifier: 'email', op: 'exists' },
    start: 'tell',
    steps: [sendEmail('tell', null)],
  },
};
