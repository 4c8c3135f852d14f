import { Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { Several } from '../../../components/several.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { OF_CUSTOMER, OF_CUSTOMER_TODAY, OF_HISTORY } from '../../../conditions/words.ts';
import type {
  AutomationStep,
  BranchCase,
  DelayStep,
  EmitEventStep,
  SetProfileStep,
  WaitForCondition,
  WaitForEvent,
  WaitForItem,
  WaitStep,
} from '../../../definitions.ts';
import { CallFields } from './call-fields.tsx';
import { CouponFields } from './coupon-fields.tsx';
import { ItemWaitFields } from './item-wait-fields.tsx';
import { MatchFields } from './match-fields.tsx';
import { MessageFields } from './message-fields.tsx';
import { MessageSelect, type MessageSelectProps } from './message-select.tsx';
import { NextSelect } from './next-select.tsx';
import { SendFields } from './send-fields.tsx';
import { SplitFields } from './split-fields.tsx';
import { ChoiceFields, ListFields } from './standing-fields.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';
import { NEW_DATE, UntilDateFields } from './until-date-fields.tsx';
import { UntilFields } from './until-fields.tsx';

/** The form for a step, by its type. */
export function StepFields({
  step,
  onChange,
  next,
  emails,
}: StepFieldsProps<AutomationStep> & Pick<MessageSelectProps, 'emails'>) {
  switch (step.type) {
    case 'delay':
      return <DelayFields step={step} onChange={onChange} next={next} />;
    case 'wait':
      return <WaitFields step={step} onChange={onChange} next={next} emails={emails} />;
    case 'branch':
      return (
        <>
          <Several<BranchCase>
            label="Case"
            items={step.cases}
            onChange={(cases) => onChange({ ...step, cases })}
            add={{ 'Add a case': () => ({ when: { all: [] }, next: step.else }) }}
            render={(one, change) => (
              <>
                <ConditionFields
                  label="If"
                  value={one.when}
                  onChange={(when = { all: [] }) => change({ ...one, when })}
                  of={[...OF_CUSTOMER_TODAY, ...OF_HISTORY, 'property', 'items', 'from', 'item']}
                />
                <NextSelect value={one.next} onChange={(id) => change({ ...one, next: id })} ids={next} />
              </>
            )}
          />
          <NextSelect
            label="Otherwise go to"
            value={step.else}
            onChange={(id) => onChange({ ...step, else: id })}
            ids={next}
          />
        </>
      );
    case 'split':
      return <SplitFields step={step} onChange={onChange} next={next} />;
    case 'set_profile':
      return <SetFields step={step} onChange={onChange} next={next} />;
    case 'emit_event':
      return <EmitFields step={step} onChange={onChange} next={next} />;
    case 'send_webhook':
      return <SendFields step={step} onChange={onChange} next={next} />;
    case 'call_webhook':
      return <CallFields step={step} onChange={onChange} next={next} />;
    case 'send_email':
    case 'send_sms':
      return <MessageFields step={step} onChange={onChange} next={next} />;
    case 'assign_coupon':
      return <CouponFields step={step} onChange={onChange} next={next} />;
    case 'add_to_list':
    case 'remove_from_list':
      return <ListFields step={step} onChange={onChange} next={next} />;
    case 'subscribe':
    case 'unsubscribe':
      return <ChoiceFields step={step} onChange={onChange} next={next} />;
    case 'exit':
      return (
        <TextInput
          label="Reason"
          description="In your own words, for the timeline."
          maxLength={255}
          value={step.reason ?? ''}
          onChange={({ currentTarget }) => onChange(withOptional(step, 'reason', currentTarget.value || undefined))}
        />
      );
  }
}

function DelayFields({ step, onChange, next }: StepFieldsProps<DelayStep>) {
  const { for: duration, until, until_date: untilDate, ...rest } = step;
  const begin = (kind: string): DelayStep => {
    if (kind === 'until') return { ...rest, until: { at: '10:00' } };
    return kind === 'date' ? { ...rest, until_date: NEW_DATE } : { ...rest, for: 'PT1H' };
  };
  return (
    <>
      <Radio.Group
        label="Wait"
        value={until ? 'until' : untilDate ? 'date' : 'for'}
        onChange={(kind) => onChange(begin(kind))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="for" label="For a time" />
          <Radio value="until" label="Until a time of day" />
          <Radio value="date" label="Until a date" />
        </Stack>
      </Radio.Group>
      {untilDate ? (
        <UntilDateFields value={untilDate} onChange={(value) => onChange({ ...rest, until_date: value })} next={next} />
      ) : until ? (
        <UntilFields value={until} onChange={(value) => onChange({ ...rest, until: value })} />
      ) : (
        <DurationInput
          label="How long"
          value={duration ?? ''}
          onChange={(value) => onChange({ ...rest, for: value })}
        />
      )}
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}

function WaitFields({ step, onChange, next, emails }: StepFieldsProps<WaitStep> & Pick<MessageSelectProps, 'emails'>) {
  return (
    <>
      <Several<WaitForEvent | WaitForCondition | WaitForItem>
        label="What it waits for"
        items={step.for}
        onChange={(items) => onChange({ ...step, for: items })}
        add={{
          'Add an event': () => ({ event_type: 'placed_order', next: step.on_timeout }),
          'Add an open or a click': () => ({
            event_type: 'email_clicked',
            ...(emails[0] !== undefined && { of_step: emails[0] }),
            next: step.on_timeout,
          }),
          'Add a condition': () => ({ when: { all: [] }, next: step.on_timeout }),
          'Add an item': () => ({ catalog: 'back_in_stock', next: step.on_timeout }),
        }}
        render={(one, change) => (
          <>
            {'when' in one ? (
              <ConditionFields
                label="Until"
                value={one.when}
                onChange={(when = { all: [] }) => change({ ...one, when })}
                of={OF_CUSTOMER}
              />
            ) : 'catalog' in one ? (
              <ItemWaitFields value={one} onChange={change} />
            ) : (
              <>
                <MatchFields value={one} onChange={(match) => change({ ...match, next: one.next })} />
                <MessageSelect value={one} onChange={change} emails={emails} />
              </>
            )}
            <NextSelect value={one.next} onChange={(id) => change({ ...one, next: id })} ids={next} />
          </>
        )}
      />
      <Radio.Group
        label="Events count"
        value={step.since ?? 'trigger'}
        onChange={(since) => onChange({ ...step, since: since as 'trigger' | 'step' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="trigger" label="From the trigger on" />
          <Radio value="step" label="From when the step is reached" />
        </Stack>
      </Radio.Group>
      <DurationInput label="At most" value={step.timeout} onChange={(timeout) => onChange({ ...step, timeout })} />
      <NextSelect
        label="After that go to"
        value={step.on_timeout}
        onChange={(id) => onChange({ ...step, on_timeout: id })}
        ids={next}
      />
    </>
  );
}

function SetFields({ step, onChange, next }: StepFieldsProps<SetProfileStep>) {
  return (
    <>
      <TemplateFields
        label="Attributes to set"
        value={step.set ?? {}}
        onChange={(set) => onChange(withOptional(step, 'set', set))}
      />
      <TagsInput
        label="Attributes to remove"
        value={step.unset ?? []}
        onChange={(unset) => onChange(withOptional(step, 'unset', unset.length > 0 ? unset : undefined))}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}

function EmitFields({ step, onChange, next }: StepFieldsProps<EmitEventStep>) {
  return (
    <>
      <TextInput
        label="Type of event"
        maxLength={128}
        value={step.event_type}
        onChange={({ currentTarget }) => onChange({ ...step, event_type: currentTarget.value })}
      />
      <TemplateFields
        label="Properties"
        value={step.properties ?? {}}
        onChange={(properties) => onChange(withOptional(step, 'properties', properties))}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
