import type { Operations } from '../../generated/native/operations.gen.ts';
import type { EventBatch } from '../../generated/native/types.gen.ts';

/**
 * The writes that may be repeated although an earlier attempt may have been processed, and what makes them so: what
 * is created has an idempotency key, which is made once for a call; an upsert changes nothing the second time, and
 * a change of a revision is known by it. Other writes may undo what somebody else has done since.
 */
const repeatableWrites: { [Id in keyof Operations]?: (body: never) => unknown } = {
  createEvent: withKey,
  createEventsBulk: (batch: EventBatch): EventBatch => ({ ...batch, events: batch.events.map(withKey) }),
  upsertProfile: asGiven,
  createList: withKey,
  createSegment: withKey,
  createAutomation: withKey,
  createWebhookEndpoint: withKey,
  enrolProfile: withKey,
  createImport: withKey,
  putImportPart: asGiven,
  previewImport: asGiven,
  startImport: asGiven,
  updateAutomation: asGiven,
  publishAutomation: asGiven,
  updateSegment: asGiven,
  createTemplate: withKey,
  updateTemplate: asGiven,
  publishTemplate: asGiven,
  archiveTemplate: asGiven,
  renderTemplate: asGiven,
  createSender: withKey,
  sendMessage: withKey,
  cancelMessage: asGiven,
  createCampaign: withKey,
  updateCampaign: asGiven,
  scheduleCampaign: asGiven,
};

/** Whether an operation may be repeated after a lost answer, and its arguments, made ready for that. */
export function madeRepeatable(
  id: keyof Operations,
  method: string,
  args: object,
): { repeatable: boolean; args: object } {
  const prepare = repeatableWrites[id];
  return prepare
    ? { repeatable: true, args: prepare(args as never) as object }
    : { repeatable: method === 'GET' || method === 'DELETE', args };
}

function asGiven(body: object): object {
  return body;
}

function withKey<Input extends { idempotency_key?: string }>(input: Input): Input {
  return input.idempotency_key === undefined ? { ...input, idempotency_key: randomKey() } : input;
}

/** Not `crypto.randomUUID`, which browsers have on secure pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
