import { Select, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { DelayStep } from '../../../definitions.ts';
import { IF_PAST } from '../words/dates.ts';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';

type UntilDate = NonNullable<DelayStep['until_date']>;

/** What a delay until a date begins with. */
export const NEW_DATE: UntilDate = { date: { from: 'profile.attributes.' }, at: '10:00', if_past: 'exit' };

/** A date of the event or the customer, how long before or after it, and what happens if that is past. */
export function UntilDateFields({
  value,
  onChange,
  next,
}: { value: UntilDate; onChange: (value: UntilDate) => void } & Pick<StepFieldsProps<DelayStep>, 'next'>) {
  const { date, offset = '', at = '', if_past } = value;
  const isBefore = offset.startsWith('-');
  const length = isBefore ? offset.slice(1) : offset;
  const withOffset = (to: string, before: boolean) =>
    onChange(withOptional(value, 'offset', to === '' ? undefined : `${before ? '-' : ''}${to}`));
  return (
    <>
      <TextInput
        label="Where the date is"
        description="Such as profile.attributes.trial_ends_at, event.properties.delivery_date or steps.paid.event.occurred_at."
        maxLength={1000}
        value={typeof date.from === 'string' ? date.from : date.from.join('.')}
        onChange={({ currentTarget }) => onChange({ ...value, date: { from: currentTarget.value } })}
      />
      <Select
        label="Before or after"
        allowDeselect={false}
        data={[
          { value: 'before', label: 'So long before the date' },
          { value: 'after', label: 'So long after the date' },
        ]}
        value={isBefore ? 'before' : 'after'}
        onChange={(to) => withOffset(length || 'P1D', to === 'before')}
      />
      <DurationInput
        label="How long before or after"
        description="Days are those of the calendar; nothing is at the date."
        value={length}
        onChange={(to) => withOffset(to, isBefore)}
      />
      <TextInput
        label="Time of day"
        description="In the customer’s time zone, such as 10:00; by default that of the date, or midnight."
        maxLength={8}
        value={at}
        onChange={({ currentTarget }) => onChange(withOptional(value, 'at', currentTarget.value || undefined))}
      />
      <Select
        label="If that is past"
        allowDeselect={false}
        data={Object.entries(IF_PAST).map(([way, words]) => ({ value: way, label: words }))}
        value={if_past}
        onChange={(way) => {
          const { on_past, ...rest } = value;
          const to = way as UntilDate['if_past'];
          onChange({ ...rest, if_past: to, ...(to === 'skip' && { on_past: on_past ?? null }) });
        }}
      />
      {if_past === 'skip' && (
        <NextSelect
          label="If it is past, go to"
          value={value.on_past ?? null}
          onChange={(id) => onChange({ ...value, on_past: id })}
          ids={next}
        />
      )}
    </>
  );
}
