import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { MessageClass } from '../messages/message.ts';
import { chosenSender } from '../senders/chosen-sender.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import type { SendEmailStep, Step } from './core/definition/steps.ts';
import { type NamedTemplate, readClasses, readTemplates, templateVersionKey } from './stored/email-templates.ts';

/**
 * Returns a definition whose e-mails each name the version of their template: the current one where they do not yet. Throws
 * `validation_error` unless the store has these, for e-mail, and the senders, which may send messages of their class.
 */
export async function pinTemplates(tx: Sql, storeId: string, definition: Definition): Promise<Definition> {
  const emails = definition.steps.filter((step) => step.type === 'send_email');
  if (emails.length === 0) return definition;
  const ids = emails.map(({ template_id }) => template_id).filter(isId);
  const templates = await readTemplates(tx, storeId, ids);
  await lockSenders(tx, storeId, emails);
  const pinned = definition.steps.map((step, i) => (step.type === 'send_email' ? pin(step, i, templates) : step));
  const classes = await readClasses(tx, storeId, pinned.flatMap(refOf));
  for (const [i, step] of pinned.entries()) {
    for (const ref of refOf(step)) {
      const messageClass = classes.get(templateVersionKey(ref));
      const path = ['steps', i, 'template_version'];
      if (!messageClass) throw invalid({ path, problem: 'is not the number of a version that can be sent' });
      await expectSender(tx, storeId, (step as SendEmailStep).sender_id, messageClass, i);
    }
  }
  return { ...definition, steps: pinned };
}

/** Whether a draft that was published as it is would get another version of a template now. */
export async function hasNewerTemplates(
  tx: Sql,
  storeId: string,
  draft: Definition,
  published: Definition,
): Promise<boolean> {
  const emails = draft.steps.filter((step) => step.type === 'send_email' && step.template_version === undefined);
  const sent = new Map(published.steps.flatMap((step) => (step.type === 'send_email' ? [[step.id, step]] : [])));
  const templates = await readTemplates(
    tx,
    storeId,
    [...sent.values()].map(({ template_id }) => template_id),
  );
  return emails.some(({ id }) => {
    const step = sent.get(id);
    const template = step && templates.get(step.template_id.toLowerCase());
    return template?.status === 'published' && template.version !== step?.template_version;
  });
}

function pin(step: SendEmailStep, i: number, templates: ReadonlyMap<string, NamedTemplate>): SendEmailStep {
  const template = templates.get(step.template_id.toLowerCase());
  const problem = problemOf(template);
  if (problem !== undefined) throw invalid({ path: ['steps', i, 'template_id'], problem });
  return { ...step, template_version: step.template_version ?? (template?.version as number) };
}

/** None is deleted meanwhile: whoever deletes one waits, and then finds who names it. */
async function lockSenders(tx: Sql, storeId: string, emails: readonly SendEmailStep[]): Promise<void> {
  const ids = emails.flatMap(({ sender_id }) => (sender_id !== undefined && isId(sender_id) ? [sender_id] : []));
  if (ids.length === 0) return;
  await sql`
    select from sender where store_id = ${storeId} and id = any(${uuids([...new Set(ids)])}::uuid[])
    order by id for share`.execute(tx);
}

function problemOf(template: NamedTemplate | undefined): string | undefined {
  if (!template) return 'is not the id of a template';
  if (template.use !== 'message' || template.kind === 'sms') return 'must be that of a template for e-mail';
  if (template.status === 'archived') return 'is that of a template that is archived';
  return template.status === 'draft' ? 'is that of a template that is not published' : undefined;
}

function refOf(step: Step) {
  if (step.type !== 'send_email') return [];
  return [{ templateId: step.template_id, templateVersion: step.template_version as number }];
}

async function expectSender(
  tx: Sql,
  storeId: string,
  id: string | undefined,
  messageClass: MessageClass,
  i: number,
): Promise<void> {
  try {
    await chosenSender(tx, storeId, id, messageClass);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw invalid({ path: ['steps', i, 'sender_id'], problem: error.violations[0]?.problem ?? error.message });
  }
}
