import { Checkbox, Text } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendEmailStep, SendSmsStep } from '../../../definitions.ts';
import { SenderSelect } from '../../senders/sender-select.tsx';
import { TemplateSelect } from '../../templates/template-select.tsx';
import { useMessageTemplates } from '../../templates/use-templates.ts';
import { DeliveryFields } from './delivery-fields.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

type Step = SendEmailStep | SendSmsStep;

/** Which template is sent by whom, and whether the run waits for what becomes of it. */
export function MessageFields({ step, onChange, next }: StepFieldsProps<Step>) {
  const isText = step.type === 'send_sms';
  const [what, kind] = isText ? ['text message', 'text messages'] : ['e-mail', 'e-mail'];
  const { template_version, data = {} } = step;
  const set = <Name extends keyof Step>(name: Name, value: Step[Name] | undefined) =>
    onChange(withOptional(step, name, value));
  const templates = useMessageTemplates()?.filter((one) => (one.kind === 'sms') === isText);
  return (
    <>
      <TemplateSelect
        placeholder="Choose one"
        description={templates?.length === 0 && `There is none for ${kind} yet.`}
        fits={(one) => one.use === 'message' && (one.kind === 'sms') === isText && one.status !== 'archived'}
        value={step.template_id}
        onChange={(id) => onChange({ ...withOptional(step, 'template_version', undefined), template_id: id })}
      />
      {template_version === undefined ? (
        <Text size="sm" c="dimmed">
          The version that is current when the automation is published is sent from then on.
        </Text>
      ) : (
        <Checkbox
          label={`Stay with version ${template_version} of the template`}
          description="Otherwise the one is sent that is current when the automation is published."
          checked
          onChange={() => set('template_version', undefined)}
        />
      )}
      <SenderSelect
        channel={isText ? 'sms' : 'email'}
        placeholder="The default sender"
        description="Without one, it comes from the default sender of the store for such messages at that time."
        value={step.sender_id ?? ''}
        onChange={(id) => set('sender_id', id || undefined)}
      />
      <TemplateFields
        label="Data"
        value={data}
        onChange={(values) => set('data', Object.keys(values).length > 0 ? values : undefined)}
      />
      <DeliveryFields
        step={step}
        onChange={onChange}
        patience="it is tried for 19 hours"
        awaited="sent"
        words={{
          continue: `When the ${what} is sent, or is known not to be`,
          exit: `When the ${what} is sent, or the customer may not get it; else it ends`,
        }}
      />
      {step.type === 'send_sms' && (
        <Checkbox
          label="Keeps quiet hours"
          description="Those of the automation, or from 21:00 to 08:00 where it has none."
          checked={step.quiet_hours !== false}
          onChange={({ currentTarget }) =>
            onChange(withOptional(step, 'quiet_hours', currentTarget.checked ? undefined : false))
          }
        />
      )}
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
