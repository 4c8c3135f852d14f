import type { Audience } from './audience.ts';
import type { Channel, ConsentStatus } from './condition.ts';

/** What a customer has chosen for a channel, and whether nothing may be sent to them all the same. */
export interface Consent {
  status: ConsentStatus;
  suppressed: boolean;
}

/** By channel; one that nothing is known of is absent. */
export type Consents = Readonly<Partial<Record<Channel, Consent>>>;

/** Since when a customer is in lists and segments, in milliseconds, by `audienceKey`; null: they are not. */
export type Memberships = ReadonlyMap<string, number | null>;

/** What there is of a customer beside profile and history; undefined where it has to be looked up first. */
export interface Standing {
  memberSince(audience: Audience): number | null | undefined;
  consents(): Consents | undefined;
}

export function audienceKey({ kind, id }: Audience): string {
  return `${kind} ${id}`;
}

export function consentIn(consents: Consents, channel: Channel): Consent {
  return consents[channel] ?? { status: 'never', suppressed: false };
}
