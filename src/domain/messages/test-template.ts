import type { Caller } from '../caller.ts';
import type { Apart } from '../senders/check-sender.ts';
import { defaultSender } from '../senders/chosen-sender.ts';
import { findSender, outboxOf } from '../senders/find-senders.ts';
import { takes } from '../senders/sender.ts';
import type { SenderTools } from '../senders/tools.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import { type PreviewRequest, previewTemplate } from '../templates/preview.ts';
import type { TemplateTools } from '../templates/template-tools.ts';
import { type SenderTested, testSender } from './test-sender.ts';

export interface TemplateTest extends PreviewRequest {
  to: string;
  /** Undefined for the default sender of the store. */
  senderId: string | undefined;
}

/**
 * Sends what a preview says to an address, as a test of its sender that counts as one. Undefined if the store has no such
 * template; throws `validation_error` for what `previewTemplate` or `testSender` refuse, and where there would be no message.
 */
export async function testTemplate(
  writing: WithConnection,
  caller: Caller,
  { to, senderId, ...request }: TemplateTest,
  tools: { templates: TemplateTools; senders: SenderTools },
  apart: Apart,
): Promise<SenderTested | undefined> {
  const { storeId } = caller;
  const preview = await previewTemplate(writing, tools.templates, caller, request);
  if (!preview) return undefined;
  const { message, failure } = preview;
  if (!message) throw new ServiceError('validation_error', `There is no message to send: ${failure?.message}`);
  const channel = message.segments === null ? 'email' : 'sms';
  const id = await writing(storeId, async (db) => {
    const chosen = senderId ?? (await defaultSender(db, storeId, { channel })) ?? (await outboxOf(db, storeId)).id;
    const sender = await findSender(db, storeId, chosen);
    if (!sender || sender.deletedAt) throw invalid({ path: ['sender_id'], problem: 'is not the id of a sender' });
    if (!takes(sender, channel))
      throw invalid({ path: ['sender_id'], problem: 'is that of a sender of another channel' });
    return sender.id;
  });
  return await testSender(writing, storeId, id, { to, message }, tools.senders, apart);
}
