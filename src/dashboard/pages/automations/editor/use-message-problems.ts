import type { DefinitionProblem } from '../../../../client/index.ts';
import type { AutomationStep } from '../../../definitions.ts';
import { takesChannel } from '../../senders/sender-values.ts';
import { useSenders } from '../../senders/use-senders.ts';
import { useMessageTemplates } from '../../templates/use-templates.ts';

/** What is wrong with the template or the sender of a step: the service says it only when the draft is published. */
export function useMessageProblems(): (step: AutomationStep) => DefinitionProblem[] {
  const templates = useMessageTemplates();
  const senders = useSenders();
  return (step) => {
    if (step.type !== 'send_email' && step.type !== 'send_sms') return [];
    const isText = step.type === 'send_sms';
    const template = templates?.find(({ id, kind }) => id === step.template_id && (kind === 'sms') === isText);
    const ofTemplate =
      step.template_id === ''
        ? 'It has no template yet'
        : templates && !template
          ? `Its template is not there, or is none for ${isText ? 'text messages' : 'e-mail'}`
          : template?.status === 'archived'
            ? `Its template, “${template.name}”, is archived`
            : template?.status === 'draft'
              ? `Its template, “${template.name}”, is not published`
              : undefined;
    const channel = isText ? 'sms' : 'email';
    const sender = senders?.find(({ id, kind }) => id === step.sender_id && takesChannel(String(kind), channel));
    const ofSender =
      step.sender_id !== undefined && senders && !sender
        ? `Its sender is not there, is deleted, or sends no ${isText ? 'text messages' : 'e-mail'}`
        : sender && template && sender.class !== 'both' && sender.class !== template.class
          ? `Its sender, “${sender.name}”, is for ${sender.class} messages, and the template is ${template.class}`
          : undefined;
    return [ofTemplate, ofSender].flatMap((message) => (message === undefined ? [] : [{ field: null, message }]));
  };
}
