import { Checkbox, Group, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendWebhookStep } from '../../../definitions.ts';
import { CountsAsSelect } from './counts-as-select.tsx';
import { EndpointSelect } from './endpoint-select.tsx';
import { GoingOnFields } from './going-on.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

type Included = NonNullable<SendWebhookStep['include']>;

/** What is sent to which endpoint, and whether the run waits for what becomes of it. */
export function SendFields({ step, onChange, next }: StepFieldsProps<SendWebhookStep>) {
  const { message_type, data = {}, include = [], expires_after = '', on_failure = 'continue' } = step;
  const set = <Name extends keyof SendWebhookStep>(name: Name, value: SendWebhookStep[Name] | undefined) =>
    onChange(withOptional(step, name, value));
  const { on_failure: _, await: __, ...goingOn } = step;
  return (
    <>
      <EndpointSelect value={step.endpoint_id} onChange={(id) => onChange({ ...step, endpoint_id: id })} />
      <TextInput
        label="Type of message"
        description="By which your system tells messages apart, such as cart.abandoned."
        maxLength={128}
        value={message_type}
        onChange={({ currentTarget }) => onChange({ ...step, message_type: currentTarget.value })}
      />
      <TemplateFields
        label="Data"
        value={data}
        onChange={(values) => set('data', Object.keys(values).length > 0 ? values : undefined)}
      />
      <Checkbox.Group
        label="What else is in the message"
        description="As it is when the step is taken."
        value={include}
        onChange={(chosen) => set('include', chosen.length > 0 ? (chosen as Included) : undefined)}
      >
        <Group gap="md" mt="xs">
          <Checkbox value="profile" label="The customer" />
          <Checkbox value="event" label="The event that triggered" />
          <Checkbox value="items" label="Its items in the catalog" />
        </Group>
      </Checkbox.Group>
      <CountsAsSelect value={step.counts_as} onChange={(to) => set('counts_as', to)} />
      <DurationInput
        label="Not sent any more after"
        description="Without it, attempts go on for three days."
        value={expires_after}
        onChange={(duration) => set('expires_after', duration || undefined)}
      />
      <GoingOnFields
        value={step.await ? on_failure : 'at-once'}
        onChange={(chosen) =>
          onChange(
            chosen === 'at-once'
              ? goingOn
              : { ...goingOn, await: true, ...(chosen === 'exit' && { on_failure: 'exit' }) },
          )
        }
        words={{
          continue: 'When the message is received, or is known not to be',
          exit: 'When the message is received; else it ends',
        }}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
