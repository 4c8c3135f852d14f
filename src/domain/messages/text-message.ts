import { bytesOf } from '../webhooks/deliveries/message.ts';
import type { MessageClass } from './core/message.ts';
import type { MadeMail } from './mail.ts';

/** The type of the webhook by which text messages are handed over. */
export const TEXT_MESSAGE_TYPE = 'sms.send';

/** A signed webhook, or what Twilio takes. */
export type TextForm = 'webhook' | 'twilio';

export interface TextMessage {
  form: TextForm;
  /** An international number, with `+`. */
  to: string;
  /** Whom it comes from; null for whatever the receiver uses. */
  from: string | null;
  text: string;
  segments: { count: number; encoding: 'gsm7' | 'ucs2' };
  class: MessageClass;
  /** Null for a test. */
  profileId: string | null;
}

/** Returns a text message as it goes over the wire, and what it says. */
export function makeTextMessage({ form, to, from, text, segments, class: kind, profileId }: TextMessage): MadeMail {
  const { count, encoding } = segments;
  const data = { to, from, text, segment_count: count, encoding, class: kind, profile_id: profileId };
  const headers = [...(from === null ? [] : [{ name: 'From', value: from }]), { name: 'To', value: to }];
  return {
    raw:
      form === 'twilio'
        ? Buffer.from(new URLSearchParams({ To: to, Body: text }).toString())
        : bytesOf({ type: TEXT_MESSAGE_TYPE, at: Date.now(), data }),
    content: { subject: '', html: '', text, headers },
  };
}
