import type { Subscriptions } from '../../../generated/compat/types.gen.ts';
import type { ChannelConsent, Consent } from '../../domain/consent/consent.ts';
import { toMicroseconds } from './profile.ts';

const STATUS = { subscribed: 'SUBSCRIBED', unsubscribed: 'UNSUBSCRIBED', never: 'NEVER_SUBSCRIBED' } as const;
/** The third party counts opting out among the reasons of a suppression. */
const UNSUBSCRIBE = 'UNSUBSCRIBE';

/** Returns what a customer has chosen, in the third party's words. */
export function toSubscriptions({ email, sms }: Consent): Subscriptions {
  return {
    email: {
      marketing: {
        can_receive_email_marketing: email.status !== 'unsubscribed' && email.suppressed === null,
        ...toChoice(email),
        double_optin: null,
        suppression: toSuppressions(email),
        list_suppressions: email.lists
          .filter(({ status }) => status === 'unsubscribed')
          .map(({ name, changedAt }) => ({ list_id: name, reason: UNSUBSCRIBE, timestamp: toMicroseconds(changedAt) })),
      },
    },
    sms: {
      marketing: {
        can_receive_sms_marketing: sms.status === 'subscribed' && sms.suppressed === null,
        ...toChoice(sms),
      },
    },
  };
}

function toChoice({ status, changedAt, source }: ChannelConsent) {
  const time = changedAt && toMicroseconds(changedAt);
  return {
    consent: STATUS[status],
    consent_timestamp: time,
    last_updated: time,
    method: null,
    method_detail: source,
    custom_method_detail: source,
  };
}

function toSuppressions({ status, changedAt, suppressed }: ChannelConsent) {
  const optOut = status === 'unsubscribed' && changedAt ? [{ reason: UNSUBSCRIBE, at: changedAt }] : [];
  return [...optOut, ...(suppressed ? [suppressed] : [])].map(({ reason, at }) => {
    return { reason, timestamp: toMicroseconds(at) };
  });
}
