import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Client, pages } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import type { AutomationDefinition } from '../../../definitions.ts';
import { useAllows } from '../../../session/current-key.tsx';
import { useRefreshTemplates } from '../../templates/use-templates.ts';
import type { Starter, StarterEmail } from './starter.ts';

/**
 * Begins an automation with a starter: creates and publishes its e-mails, and its segment, where the store has none of
 * these names yet, then goes on to the editor, where the automation is kept once somebody saves it. What the key may not
 * create is left to be chosen.
 */
export function useBegin() {
  const client = useClient();
  const navigate = useNavigate();
  const refresh = useRefreshTemplates();
  const mayWriteMessages = useAllows('messages:write');
  const mayWriteSegments = useAllows('audiences:write');
  return useMutation({
    mutationFn: async ({ emails, segment, definition }: Starter) => {
      const templates = mayWriteMessages ? await templatesOf(client, emails) : {};
      const segmentId = segment && mayWriteSegments ? await segmentOf(client, segment) : '';
      return withIds(definition, templates, segmentId);
    },
    onSuccess: async (definition, { title, emails }) => {
      if (Object.keys(emails).length > 0) await refresh();
      navigate(`/automations/new?${new URLSearchParams({ from: title })}`, { state: { definition } });
    },
    onError: (error, { title }) =>
      notifications.show({ color: 'red', title: `“${title}” was not begun`, message: error.message }),
  });
}

/** The ids of templates by the steps that send them. */
async function templatesOf(client: Client, emails: Starter['emails']): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  const known = new Map<string, string>();
  if (Object.keys(emails).length > 0) {
    for await (const { templates } of pages(client.listTemplates, { status: 'published', limit: 100 })) {
      for (const { id, name, use, kind } of templates) if (use === 'message' && kind !== 'sms') known.set(name, id);
    }
  }
  for (const [step, email] of Object.entries(emails))
    ids[step] = known.get(email.name) ?? (await create(client, email));
  return ids;
}

async function create(client: Client, { blocks, ...email }: StarterEmail): Promise<string> {
  const { id, revision } = await client.createTemplate({
    ...email,
    kind: 'blocks',
    class: 'marketing',
    body: { blocks },
  });
  await client.publishTemplate({ id, revision });
  return id;
}

async function segmentOf(client: Client, segment: NonNullable<Starter['segment']>): Promise<string> {
  for await (const { segments } of pages(client.listSegments, { limit: 100 })) {
    const known = segments.find(({ name }) => name === segment.name);
    if (known) return known.id;
  }
  return (await client.createSegment(segment)).id;
}

function withIds(
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
