import type { ChannelConsent } from '../../consent/consent.ts';
import type { MessageChannel, MessageClass, SkipReason } from './message.ts';

/** How many marketing messages a store lets a customer get, by each channel. */
export interface Caps {
  /** Null: any number. */
  most: { count: number; withinMs: number } | null;
  /** Milliseconds between two; null: none. */
  gapMs: number | null;
}

/** What decides whether a customer is sent a message now. Times are milliseconds. */
export interface Standing {
  /** Null if there is no such customer any more, or they have no address. */
  address: string | null;
  isKnown: boolean;
  consent: Pick<ChannelConsent, 'status'> & { isSuppressed: boolean };
  /** Whether nothing is sent to the address, whoever has it. */
  isAddressSuppressed: boolean;
  /** When the customer was sent marketing messages lately. */
  sentAt: readonly number[];
}

/** Where a customer is written to; null if they can't be. Only an international number leads to one phone, wherever it is dialled. */
export function addressOn(
  channel: MessageChannel,
  { email, phone }: { email: string | null; phone: string | null },
): string | null {
  if (channel === 'email') return email;
  return phone?.startsWith('+') ? phone : null;
}

/** Why a customer is not sent a message; undefined if they are. */
export function reasonToSkip(
  messageClass: MessageClass,
  { address, isKnown, consent, isAddressSuppressed, sentAt }: Standing,
  caps: Caps,
  now: number,
): SkipReason | undefined {
  if (!isKnown) return 'profile_deleted';
  if (address === null) return 'no_address';
  if (isAddressSuppressed) return 'address_suppressed';
  if (consent.isSuppressed) return 'suppressed';
  if (messageClass === 'transactional') return undefined;
  if (consent.status === 'unsubscribed') return 'unsubscribed';
  // What nobody has recorded is no consent.
  if (consent.status !== 'subscribed') return 'no_consent';
  return reasonOfCaps(sentAt, caps, now);
}

/** Which of the caps a customer has reached who was sent something at some times; undefined if none. */
export function reasonOfCaps(
  sentAt: readonly number[],
  caps: Caps,
  now: number,
): Extract<SkipReason, 'too_many_messages' | 'too_soon'> | undefined {
  const within = (ms: number) => sentAt.filter((at) => at > now - ms).length;
  if (caps.most && within(caps.most.withinMs) >= caps.most.count) return 'too_many_messages';
  if (caps.gapMs !== null && within(caps.gapMs) > 0) return 'too_soon';
  return undefined;
}
