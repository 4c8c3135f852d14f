import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { consentIn } from '../../conditions/standing.ts';
import { CHANNELS } from '../../consent/consent.ts';
import type { AddressDigest } from '../../messages/core/address-digest.ts';
import { type Caps, reasonOfCaps, reasonToSkip } from '../../messages/core/decide.ts';
import type { MessageChannel } from '../../messages/core/message.ts';
import { readStandings } from '../../messages/core/standings.ts';
import type { Profile } from '../../profile.ts';
import { channelOf } from '../core/definition/steps.ts';
import type { Assumption } from '../core/simulation/assumptions.ts';
import type { SimulationOptions } from '../core/simulation/simulate.ts';
import type { SimulatedMessage } from './read-messages.ts';

interface Deciding {
  profileId: string;
  messages: ReadonlyMap<string, SimulatedMessage>;
  assume: readonly Assumption[];
  caps: Caps;
  digestOf: AddressDigest;
  /** When the simulation begins, in milliseconds. */
  startsAt: number;
}

interface Decided {
  /** Where the customer is reached; null where they can't be. */
  recipients: Record<MessageChannel, string | null>;
  /** Undefined if there is no such customer any more. */
  known: Profile | undefined;
  reasonToSkip: NonNullable<SimulationOptions['reasonToSkip']>;
  countWebhook: NonNullable<SimulationOptions['countWebhook']>;
}

/**
 * Reads how a customer stands, and returns what decides, as whoever takes messages to be sent does, whether they would be
 * sent a message, or a webhook that counts as one, if what starts the run happened now. What the run sends before counts for the caps, too; consent is that
 * of the simulation.
 */
export async function decidingMessages(
  db: Sql,
  storeId: string,
  { profileId, messages, assume, caps, digestOf, startsAt }: Deciding,
): Promise<Decided> {
  const asked = CHANNELS.map((channel) => ({ id: newId(), profileId, channel, class: 'marketing' }) as const);
  const found = await readStandings(db, storeId, asked, caps, digestOf);
  const on = (channel: MessageChannel) => found.of({ channel, profileId });
  const standings = { email: on('email'), sms: on('sms') };
  const sentAt = { email: [...standings.email.sentAt], sms: [...standings.sms.sentAt] };
  const ahead = Date.now() - startsAt;
  const fails = (stepId: string) => assume.some((one) => 'delivery' in one && one.step === stepId);
  return {
    recipients: { email: standings.email.address, sms: standings.sms.address },
    known: standings.email.profile,
    reasonToSkip: ({ type, stepId }, consents, at) => {
      const messageClass = messages.get(stepId)?.class;
      if (!messageClass) return undefined;
      const channel = channelOf(type);
      const { status, suppressed } = consentIn(consents, channel);
      const now = at + ahead;
      const consent = { status, isSuppressed: suppressed };
      const reason = reasonToSkip(messageClass, { ...standings[channel], consent, sentAt: sentAt[channel] }, caps, now);
      if (reason === undefined && messageClass === 'marketing' && !fails(stepId)) sentAt[channel].push(now);
      return reason;
    },
    countWebhook: ({ channel, stepId, at }) => {
      const now = at + ahead;
      const reason = reasonOfCaps(sentAt[channel], caps, now) ?? null;
      if (reason === null && !fails(stepId)) sentAt[channel].push(now);
      return reason;
    },
  };
}
