import type { Sql } from '../../db/sql.ts';
import { readTemplates } from '../templates/named-templates.ts';
import type { Definition } from './core/definition/definition.ts';
import { isMessageStep, type MessageStep } from './core/definition/steps.ts';

/** Returns a definition whose messages each name the version of their template, by the ids of steps. */
export function withVersions(definition: Definition, versions: ReadonlyMap<string, number>): Definition {
  const steps = definition.steps.map((step) =>
    isMessageStep(step) ? { ...step, template_version: versions.get(step.id) as number } : step,
  );
  return { ...definition, steps };
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
