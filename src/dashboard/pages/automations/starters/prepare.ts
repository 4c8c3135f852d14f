import { type Client, pages, type TemplateSummary } from '../../../../client/index.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import type { Starter, StarterEmail } from './starter.ts';

/** What a key may create. */
interface Allowed {
  messages: boolean;
  segments: boolean;
}

/**
 * Creates and publishes the e-mails of a starter, and creates its segment, where the store has none of these names yet, and
 * returns the definition with their ids. What may not be created has none: somebody is to choose it.
 */
export async function prepareStarter(
  client: Client,
  { emails, segment, definition }: Starter,
  allowed: Allowed = { messages: true, segments: true },
): Promise<AutomationDefinition> {
  const templates = allowed.messages ? await templatesOf(client, emails) : {};
  const segmentId = segment && allowed.segments ? await segmentOf(client, segment) : '';
  return withIds(definition, templates, segmentId);
}

/** The ids of templates by the steps that send them. One that was created and not published, as what created it was interrupted, is. */
async function templatesOf(client: Client, emails: Starter['emails']): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  const known = new Map<string, TemplateSummary>();
  if (Object.keys(emails).length > 0) {
    for await (const { templates } of pages(client.listTemplates, { limit: 100 })) {
      for (const template of templates.filter(canBeSent)) known.set(template.name, template);
    }
  }
  for (const [step, email] of Object.entries(emails)) {
    const { id, revision, version } = known.get(email.name) ?? (await create(client, email));
    if (version === null) await client.publishTemplate({ id, revision });
    ids[step] = id;
  }
  return ids;
}

/** Whether it is published, or a draft that nobody has changed. */
function canBeSent({ use, kind, status, revision }: TemplateSummary): boolean {
  return use === 'message' && kind !== 'sms' && (status === 'published' || (status === 'draft' && revision === 1));
}

const create = (client: Client, { blocks, ...email }: StarterEmail) =>
  client.createTemplate({ ...email, kind: 'blocks', class: 'marketing', body: { blocks } });

async function segmentOf(client: Client, segment: NonNullable<Starter['segment']>): Promise<string> {
  for await (const { segments } of pages(client.listSegments, { limit: 100 })) {
    const known = segments.find(({ name }) => name === segment.name);
    if (known) return known.id;
  }
  return (await client.createSegment(segment)).id;
}

/** The definition with the ids of what it sends, by the steps that send it, and of the segment that it is for. */
export function withIds(
  definition: AutomationDefinition,
  templates: Readonly<Record<string, string>>,
  segment: string,
): AutomationDefinition {
  const { trigger, steps } = definition;
  return {
    ...definition,
    trigger: trigger.type === 'segment_entry' ? { ...trigger, segment } : trigger,
    steps: steps.map((step) =>
      step.type === 'send_email' ? { ...step, template_id: templates[step.id] ?? step.template_id } : step,
    ),
  };
}
