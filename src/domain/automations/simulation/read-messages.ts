import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import type { MessageClass } from '../../messages/core/message.ts';
import { chosenSender } from '../../senders/chosen-sender.ts';
import type { Sender } from '../../senders/sender.ts';
import { ServiceError } from '../../service-error.ts';
import { readTemplates, readVersions, templateVersionKey } from '../../templates/named-templates.ts';
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
  const versions = await readVersions(
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
    const messageClass = versions.get(templateVersionKey(ofVersion))?.class ?? null;
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
