import type { TemplateSummary } from '../../../../client/index.ts';
import type { AutomationDefinition } from '../../../definitions.ts';

/**
 * A draft as it would be published now: each message with the current version of its template, or, where that is not known,
 * with the one of the latest version of the automation.
 */
export function pinned(
  draft: AutomationDefinition,
  published: AutomationDefinition,
  templates: readonly TemplateSummary[] | undefined,
): AutomationDefinition {
  const steps = draft.steps.map((step) => {
    if ((step.type !== 'send_email' && step.type !== 'send_sms') || step.template_version !== undefined) return step;
    const before = published.steps.find(({ id }) => id === step.id);
    const current = templates?.find(({ id }) => id === step.template_id)?.version;
    const same = before?.type === step.type && before.template_id === step.template_id ? before : undefined;
    const version = current ?? same?.template_version;
    return version === undefined ? step : { ...step, template_version: version };
  });
  return { ...draft, steps };
}
