import type { AutomationDefinitionInput } from '../../src/client/index.ts';

export const REVIEWS: AutomationDefinitionInput = {
  name: 'Review request',
  trigger: { type: 'event', event_type: 'order_delivered' },
  key: { property: 'order_id' },
  entry_condition: { attribute: 'newsletter', op: 'eq', value: true },
  reentry: { mode: 'once', per: 'key' },
  exit_on: [{ event_type: 'refunded_order', match_key: { property: 'order_id' } }],
  exit_when: { consent: { channel: 'email', status: 'unsubscribed' } },
  start: 'reviewed',
  steps: [
    {
      id: 'reviewed',
      type: 'wait',
      for: [{ event_type: 'reviewed_product', match_key: { property: 'order_id' }, next: 'lots' }],
      timeout: 'P7D',
      on_timeout: 'ask',
    },
    {
      id: 'lots',
      type: 'split',
      weights: [
        { percent: 70, next: 'thank' },
        { percent: 30, next: 'pause' },
      ],
    },
    { id: 'pause', type: 'delay', for: 'P2D', next: 'thank' },
    { id: 'thank', type: 'set_profile', set: { thanked: true }, next: 'end' },
    {
      id: 'ask',
      type: 'emit_event',
      event_type: 'review_requested',
      properties: { order_id: { from: 'event.properties.order_id' } },
      next: null,
    },
    { id: 'end', type: 'exit', reason: 'thanked' },
  ],
};

export const CALLS: AutomationDefinitionInput = {
  name: 'Call back',
  trigger: { type: 'manual' },
  start: 'mark',
  steps: [
    { id: 'mark', type: 'set_profile', set: { call_due: true }, next: 'day' },
    { id: 'day', type: 'delay', for: 'P1D', next: 'unmark' },
    { id: 'unmark', type: 'set_profile', unset: ['call_due'], next: null },
  ],
};

/** Half finished, as drafts may be. */
export const BIRTHDAY: AutomationDefinitionInput = {
  name: 'Birthday',
  trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', offset: '-P7D', at: '09:00' },
  start: '',
  steps: [],
};

/** Tells three systems of a parcel; `endpoints` has their ids. */
export const shippingNotices = (
  endpoints: Record<'mailer' | 'loyalty' | 'crm', string>,
): AutomationDefinitionInput => ({
  name: 'Shipping notices',
  trigger: { type: 'event', event_type: 'shipped_order' },
  key: { property: 'order_id' },
  reentry: { mode: 'once', per: 'key' },
  start: 'mail',
  steps: [
    {
      id: 'mail',
      type: 'send_webhook',
      endpoint_id: endpoints.mailer,
      message_type: 'order.shipped',
      data: {
        order: { from: 'event.properties.order_id' },
        parcel: { from: 'event.properties.parcel' },
        first_name: { from: 'profile.attributes.first_name' },
      },
      include: ['profile'],
      next: 'points',
    },
    {
      id: 'points',
      type: 'send_webhook',
      endpoint_id: endpoints.loyalty,
      message_type: 'points.earned',
      data: { order: { from: 'event.properties.order_id' }, value: { from: 'event.properties.value' } },
      next: 'crm',
    },
    {
      id: 'crm',
      type: 'send_webhook',
      endpoint_id: endpoints.crm,
      message_type: 'contact.changed',
      include: ['event'],
      next: null,
    },
  ],
});
