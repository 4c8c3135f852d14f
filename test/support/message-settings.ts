import type { Client, Response } from './client.ts';

/** The settings of messages of a store that nobody has changed. */
export const USUAL_SETTINGS = {
  postal_address: null,
  default_sender_id: null,
  default_sms_sender_id: null,
  caps: null,
  smart_sending: null,
  tracking: { opens: true, clicks: true, transactional: false, sent: false, delivered: false },
  attribution: {
    conversion_types: ['placed_order'],
    refund_types: ['refunded_order'],
    click_window: 'P5D',
    open_window: null,
  },
};

/** Saves settings of messages, the usual ones but for some. */
export function saveMessageSettings(client: Client, fields: object, expect?: number): Promise<Response<any>> {
  return client.send<any>('PUT', '/v1/message-settings', JSON.stringify({ ...USUAL_SETTINGS, ...fields }), {
    headers: { 'Content-Type': 'application/json' },
    ...(expect !== undefined && { expect }),
  });
}
