import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { chosenSender } from '../senders/chosen-sender.ts';
import { invalidAll, ServiceError } from '../service-error.ts';
import { readTemplates } from '../templates/named-templates.ts';
import { expectSendable } from '../templates/sendable.ts';
import type { Definition } from './core/definition/definition.ts';
import { channelOf, isMessageStep, type MessageStep } from './core/definition/steps.ts';

/**
 * Returns a definition whose messages each name the version of their template: the current one where they do not yet. Throws
 * `validation_error` unless the store has these, for the channel of the step, and the senders, which may send such messages.
 */
export async function pinTemplates(tx: Sql, storeId: string, definition: Definition): Promise<Definition> {
  const messages = messagesOf(definition);
  if (messages.length === 0) return definition;
  await lockSenders(tx, storeId, messages);
  // Many steps may send the same.
  const versions = new Map<string, number>();
  const steps: Definition['steps'][number][] = [];
  for (const [i, step] of definition.steps.entries()) {
    if (!isMessageStep(step)) {
      steps.push(step);
      continue;
    }
    const key = JSON.stringify([step.type, step.template_id, step.template_version, step.sender_id]);
    const version = versions.get(key) ?? (await below(['steps', i], () => expectVersion(tx, storeId, step)));
    versions.set(key, version);
    steps.push({ ...step, template_version: version });
  }
  return { ...definition, steps };
}

/** Returns the version that a step sends. */
async function expectVersion(
  tx: Sql,
  storeId: string,
  { type, template_id, template_version, sender_id }: MessageStep,
): Promise<number> {
  const version = await expectSendable(tx, storeId, template_id, template_version, channelOf(type));
  await chosenSender(tx, storeId, sender_id, version);
  return version.number;
}

/** What refuses a part is at its place. */
async function below<Result>(path: (string | number)[], check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
    throw invalidAll(error.violations.map((violation) => ({ ...violation, path: [...path, ...violation.path] })));
  }
}

/** None is deleted meanwhile: whoever deletes one waits, and then finds who names it. */
async function lockSenders(tx: Sql, storeId: string, messages: readonly MessageStep[]): Promise<void> {
  const ids = messages.flatMap(({ sender_id }) => (sender_id !== undefined && isId(sender_id) ? [sender_id] : []));
  if (ids.length === 0) return;
  await sql`
    select from sender where store_id = ${storeId} and id = any(${uuids([...new Set(ids)])}::uuid[])
    order by id for share`.execute(tx);
}

/** Whether a draft that was published as it is would get another version of a template now. */
export async function hasNewerTemplates(
  tx: Sql,
  storeId: string,
  draft: Definition,
  published: Definition,
): Promise<boolean> {
  const sent = new Map(messagesOf(published).map((step) => [step.id, step]));
  const ids = [...sent.values()].map(({ template_id }) => template_id);
  const templates = await readTemplates(tx, storeId, ids);
  return messagesOf(draft).some(({ id, template_version }) => {
    const step = sent.get(id);
    const template = step && templates.get(step.template_id.toLowerCase());
    if (template_version !== undefined || template?.status !== 'published') return false;
    return template.version !== step?.template_version;
  });
}

function messagesOf({ steps }: Definition): MessageStep[] {
  return steps.filter(isMessageStep);
}
