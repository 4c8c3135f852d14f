import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import { type Consents, consentIn } from '../../conditions/standing.ts';
import type { Profile } from '../../conditions/subject.ts';
import { addressOn, reasonToSkip } from '../../messages/core/decide.ts';
import type { MessageChannel, MessageClass } from '../../messages/core/message.ts';
import { chosenSender } from '../../senders/chosen-sender.ts';
import type { Sender } from '../../senders/sender.ts';
import { ServiceError } from '../../service-error.ts';
import { readClasses, readTemplates, templateVersionKey } from '../../templates/named-templates.ts';
import type { Definition } from '../core/definition/definition.ts';
import { channelOf, isMessageStep, type MessageStep } from '../core/definition/steps.ts';

/** What a step would send now. */
export interface SimulatedMessage {
  templateName: string | null;
  /** Null if it is not published. */
  templateVersion: number | null;
  /** Null if nothing can be sent of it. */
  class: MessageClass | null;
  /** Null if it may not send that. */
  sender: Pick<Sender, 'id' | 'name'> | null;
}

/** Returns what the messages of a definition would be, by the ids of their steps; a draft may name what is not there. */
export async function readMessages(
  db: Sql,
  storeId: string,
  { steps }: Definition,
): Promise<ReadonlyMap<string, SimulatedMessage>> {
  const messages = steps.filter(isMessageStep).filter((step) => isId(step.template_id));
  const templates = await readTemplates(
    db,
    storeId,
    messages.map(({ template_id }) => template_id),
  );
  const versionOf = ({ template_id, template_version }: MessageStep) =>
    template_version ?? templates.get(template_id.toLowerCase())?.version ?? null;
  const classes = await readClasses(
    db,
    storeId,
    messages.flatMap((step) => {
      const templateVersion = versionOf(step);
      return templateVersion === null ? [] : [{ templateId: step.template_id, templateVersion }];
    }),
  );
  const found = new Map<string, SimulatedMessage>();
  for (const step of messages) {
    const templateVersion = versionOf(step);
    const ofVersion = { templateId: step.template_id, templateVersion: templateVersion ?? 0 };
    const messageClass = classes.get(templateVersionKey(ofVersion)) ?? null;
    found.set(step.id, {
      templateName: templates.get(step.template_id.toLowerCase())?.name ?? null,
      templateVersion,
      class: messageClass,
      sender: messageClass && (await senderOf(db, storeId, step, messageClass)),
    });
  }
  return found;
}

async function senderOf(
  db: Sql,
  storeId: string,
  { type, sender_id }: MessageStep,
  messageClass: MessageClass,
): Promise<Sender | null> {
  try {
    return await chosenSender(db, storeId, sender_id, { channel: channelOf(type), class: messageClass });
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** Null if there is none. */
export function recipientOf(channel: MessageChannel, { identifiers: { email, phone } }: Profile): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return addressOn(channel, { email: text(email), phone: text(phone) });
}

/** Caps are not looked at: in simulated time, nobody knows what else the customer will have been sent. */
const NO_CAPS = { most: null, gapMs: null };

/** Why a customer with some consent would not be sent a message, as it is decided when a real one is taken to be sent. */
export function reasonInSimulation(
  channel: MessageChannel,
  messageClass: MessageClass,
  profile: Profile,
  consents: Consents,
): string | undefined {
  const { status, suppressed } = consentIn(consents, channel);
  const standing = {
    address: recipientOf(channel, profile),
    isKnown: true,
    consent: { status, isSuppressed: suppressed },
    isAddressSuppressed: false,
    sentAt: [],
  };
  return reasonToSkip(messageClass, standing, NO_CAPS, Date.now());
}
