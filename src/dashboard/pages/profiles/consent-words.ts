import type { ConsentChange, ProfileWithConsent } from '../../../client/index.ts';

export type Channel = keyof ProfileWithConsent['consent'];
export type ChannelConsent = ProfileWithConsent['consent'][Channel];

export const CHANNELS: readonly Channel[] = ['email', 'sms'];
export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = { email: 'E-mail', sms: 'Text messages' };
export const STATUS_WORDS: Readonly<Record<ChannelConsent['status'], string>> = {
  subscribed: 'subscribed',
  unsubscribed: 'unsubscribed',
  never: 'nothing recorded',
};
export const KIND_WORDS: Readonly<Record<ConsentChange['kind'], string>> = {
  subscribed: 'Subscribed',
  unsubscribed: 'Unsubscribed',
  suppressed: 'Suppressed',
  unsuppressed: 'Suppression lifted',
};
