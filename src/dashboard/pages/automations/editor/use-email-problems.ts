import type { DefinitionProblem } from '../../../../client/index.ts';
import type { AutomationStep } from '../../../definitions.ts';
import { useSenders } from '../../senders/use-senders.ts';
import { useMailTemplates } from '../../templates/use-templates.ts';

/** What is wrong with the template or the sender of a step: the service says it only when the draft is published. */
export function useEmailProblems(): (step: AutomationStep) => DefinitionProblem[] {
  const templates = useMailTemplates();
  const senders = useSenders();
  return (step) => {
    if (step.type !== 'send_email') return [];
    const template = templates?.find(({ id }) => id === step.template_id);
    const ofTemplate =
      step.template_id === ''
        ? 'It has no template yet'
        : templates && !template
          ? 'Its template is not there, or is none for e-mail'
          : template?.status === 'archived'
            ? `Its template, “${template.name}”, is archived`
            : template?.status === 'draft'
              ? `Its template, “${template.name}”, is not published`
              : undefined;
    const sender = senders?.find(({ id }) => id === step.sender_id);
    const ofSender =
      step.sender_id !== undefined && senders && !sender
        ? 'Its sender is not there, or is deleted'
        : sender && template && sender.class !== 'both' && sender.class !== template.class
          ? `Its sender, “${sender.name}”, is for ${sender.class} messages, and the template is ${template.class}`
          : undefined;
    return [ofTemplate, ofSender].flatMap((message) => (message === undefined ? [] : [{ field: null, message }]));
  };
}
