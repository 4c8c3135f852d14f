import { Checkbox, Text } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendEmailStep } from '../../../definitions.ts';
import { SenderSelect } from '../../senders/sender-select.tsx';
import { TemplateSelect } from '../../templates/template-select.tsx';
import { useMailTemplates } from '../../templates/use-templates.ts';
import { GoingOnFields } from './going-on.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

/** Which template is sent by whom, and whether the run waits for what becomes of it. */
export function EmailFields({ step, onChange, next }: StepFieldsProps<SendEmailStep>) {
  const { template_version, data = {}, expires_after = '', on_failure = 'continue' } = step;
  const set = <Name extends keyof SendEmailStep>(name: Name, value: SendEmailStep[Name] | undefined) =>
    onChange(withOptional(step, name, value));
  const templates = useMailTemplates();
  const { on_failure: _, await: __, ...goingOn } = step;
  return (
    <>
      <TemplateSelect
        placeholder="Choose one"
        description={templates?.length === 0 && 'There is none for e-mail yet.'}
        fits={({ use, kind, status }) => use === 'message' && kind !== 'sms' && status !== 'archived'}
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
        placeholder="The default sender"
        description="Without one, it comes from the default sender of the store at that time."
        value={step.sender_id ?? ''}
        onChange={(id) => set('sender_id', id || undefined)}
      />
      <TemplateFields
        label="Data"
        value={data}
        onChange={(values) => set('data', Object.keys(values).length > 0 ? values : undefined)}
      />
      <DurationInput
        label="Not sent any more after"
        description="Without it, it is tried for 19 hours."
        value={expires_after}
        onChange={(duration) => set('expires_after', duration || undefined)}
      />
      <GoingOnFields
        value={step.await ? on_failure : 'at-once'}
        onChange={(chosen) =>
          onChange(
            chosen === 'at-once'
              ? goingOn
              : { ...goingOn, await: 'sent', ...(chosen === 'exit' && { on_failure: 'exit' }) },
          )
        }
        words={{
          continue: 'When the e-mail is sent, or is known not to be',
          exit: 'When the e-mail is sent, or the customer may not get it; else it ends',
        }}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
