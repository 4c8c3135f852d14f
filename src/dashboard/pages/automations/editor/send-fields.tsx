import { Checkbox, Group, TextInput } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendWebhookStep } from '../../../definitions.ts';
import { CountsAsSelect } from './counts-as-select.tsx';
import { DeliveryFields } from './delivery-fields.tsx';
import { EndpointSelect } from './endpoint-select.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

type Included = NonNullable<SendWebhookStep['include']>;

/** What is sent to which endpoint, and whether the run waits for what becomes of it. */
export function SendFields({ step, onChange, next }: StepFieldsProps<SendWebhookStep>) {
  const { message_type, data = {}, include = [] } = step;
  const set = <Name extends keyof SendWebhookStep>(name: Name, value: SendWebhookStep[Name] | undefined) =>
    onChange(withOptional(step, name, value));
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
      <DeliveryFields
        step={step}
        onChange={onChange}
        patience="attempts go on for three days"
        awaited
        words={{
          continue: 'When the message is received, or is known not to be',
          exit: 'When the message is received; else it ends',
        }}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
