import { type Starter, sendEmail } from './starter.ts';

export const WELCOME_SERIES: Starter = {
  title: 'Welcome series',
  description: 'Three e-mails in the first week to who has subscribed to e-mail; it ends with their first order.',
  segment: {
    name: 'Subscribed to e-mail',
    definition: { consent: { channel: 'email', status: 'subscribed' } },
  },
  emails: {
    hello: {
      name: 'Welcome: hello',
      subject: 'Welcome to {{ store.name }}',
      preheader: 'Thank you for subscribing.',
      blocks: [
        { type: 'heading', text: 'Welcome', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nthank you for subscribing. We write when there is something to say, and you can choose what you get at any time.',
        },
        { type: 'footer' },
      ],
    },
    story: {
      name: 'Welcome: who we are',
      subject: 'Who we are',
      preheader: 'And how to reach us.',
      blocks: [
        { type: 'heading', text: 'Who we are', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nbehind {{ store.name }} are people who answer: if you have a question, about what we sell or how to choose, just answer this e-mail.',
        },
        { type: 'footer' },
      ],
    },
    first_order: {
      name: 'Welcome: your first order',
      subject: 'Have you found something?',
      preheader: 'We gladly help you to choose.',
      blocks: [
        { type: 'heading', text: 'Have you found something?', level: 1 },
        {
          type: 'text',
          text: 'Hello {{ profile.attributes.first_name | default: "there" }},\n\nif you are still looking, tell us what for: we gladly help you to choose.',
        },
        { type: 'footer' },
      ],
    },
  },
  definition: {
    name: 'Welcome series',
    trigger: { type: 'segment_entry', segment: '' },
    reentry: { mode: 'once', per: 'profile', min_interval: null },
    exit_on: [{ event_type: 'placed_order' }],
    time_zone: { attribute: 'time_zone', default: 'UTC' },
    start: 'hello',
    steps: [
      sendEmail('hello', 'two_days'),
      { id: 'two_days', type: 'delay', for: 'P2D', next: 'story' },
      sendEmail('story', 'five_days'),
      { id: 'five_days', type: 'delay', for: 'P5D', next: 'first_order' },
      sendEmail('first_order', null),
    ],
  },
};
