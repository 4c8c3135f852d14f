import type { Audience } from './audience.ts';
import type { Channel, ConsentStatus } from './condition.ts';

/** What a customer has chosen for a channel, and whether nothing may be sent to them all the same. */
export interface Consent {
  status: ConsentStatus;
  suppressed: boolean;
}

/** By channel; one that nothing is known of is absent. */
export type Consents = Readonly<Partial<Record<Channel, Consent>>>;

/** Whether a customer is in lists and segments, by `audienceKey`. */
export type Memberships = ReadonlyMap<string, boolean>;

/** What there is of a customer beside profile and history; undefined where it has to be looked up first. */
export interface Standing {
  isMember(audience: Audience): boolean | undefined;
  consents(): Consents | undefined;
}

export function audienceKey({ kind, id }: Audience): string {
  return `${kind} ${id}`;
}

export function consentIn(consents: Consents, channel: Channel): Consent {
  return consents[channel] ?? { status: 'never', suppressed: false };
}
