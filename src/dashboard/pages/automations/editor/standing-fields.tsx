import { Button, Group, Select } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import { AudienceSelect } from '../../../conditions/audience-select.tsx';
import type { AddToListStep, RemoveFromListStep, SubscribeStep, UnsubscribeStep } from '../../../definitions.ts';
import { CHANNEL_WORDS } from '../words/steps.ts';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';

/** Which list the customer joins or leaves. */
export function ListFields({ step, onChange, next }: StepFieldsProps<AddToListStep | RemoveFromListStep>) {
  return (
    <>
      <AudienceSelect label="List" kind="list" value={step.list} onChange={(list) => onChange({ ...step, list })} />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}

/** Which channel the customer opts in to or out of, and for which list. */
export function ChoiceFields({ step, onChange, next }: StepFieldsProps<SubscribeStep | UnsubscribeStep>) {
  const { list } = step;
  const choose = (id: string | undefined) => onChange(withOptional(step, 'list', id));
  return (
    <>
      <Select
        label="Channel"
        data={Object.entries(CHANNEL_WORDS).map(([value, label]) => ({ value, label }))}
        value={step.channel}
        onChange={(channel) => onChange({ ...step, channel: channel === 'sms' ? 'sms' : 'email' })}
        allowDeselect={false}
      />
      <Group gap="xs" align="flex-end">
        <AudienceSelect
          label={step.type === 'subscribe' ? 'And this list' : 'Only from this list'}
          kind="list"
          value={list ?? ''}
          onChange={choose}
        />
        {list !== undefined && (
          <Button variant="default" onClick={() => choose(undefined)}>
            No list
          </Button>
        )}
      </Group>
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
