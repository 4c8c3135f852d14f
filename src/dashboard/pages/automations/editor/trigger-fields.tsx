import { Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { AudienceSelect } from '../../../conditions/audience-select.tsx';
import { ClientEvents } from '../../../conditions/client-events.tsx';
import { withOperator } from '../../../conditions/comparison.ts';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { ValueFields } from '../../../conditions/value-fields.tsx';
import { OF_EVENT, OPERATORS } from '../../../conditions/words.ts';
import type { AutomationTrigger, Comparison, DateTrigger, ProfileChangeTrigger } from '../../../definitions.ts';
import { type Recorded, useAttributes, useEventTypes, valuesOf } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';
import { TRIGGER_NAMES } from '../words/trigger.ts';
import { ChannelSelect } from './channel-select.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { SegmentFields } from './segment-fields.tsx';

const NEW: Readonly<Record<AutomationTrigger['type'], AutomationTrigger>> = {
  event: { type: 'event', event_type: 'placed_order' },
  profile_change: { type: 'profile_change', attribute: 'tier' },
  date: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00' },
  segment_entry: { type: 'segment_entry', segment: '' },
  segment_exit: { type: 'segment_exit', segment: '' },
  list_joined: { type: 'list_joined', list: '' },
  list_left: { type: 'list_left', list: '' },
  consent_given: { type: 'consent_given', channel: 'email' },
  consent_withdrawn: { type: 'consent_withdrawn', channel: 'email' },
  schedule: { type: 'schedule', list: '', repeat: 'weekly', weekdays: ['mon'], at: '09:00' },
  manual: { type: 'manual' },
};

/** What starts a run. */
export function TriggerFields({
  value,
  onChange,
}: {
  value: AutomationTrigger;
  onChange: (trigger: AutomationTrigger) => void;
}) {
  const eventTypes = useEventTypes();
  return (
    <>
      <Select
        label="Started by"
        data={Object.entries(TRIGGER_NAMES).map(([type, label]) => ({ value: type, label }))}
        value={value.type}
        onChange={(type) => type && type !== value.type && onChange(NEW[type as AutomationTrigger['type']])}
        allowDeselect={false}
      />
      {value.type === 'event' && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <RecordedInput
              recorded={eventTypes}
              label="Type of event"
              maxLength={128}
              value={value.event_type}
              onChange={(event_type) => onChange({ ...value, event_type })}
            />
            <DurationInput
              label="Not for events older than"
              value={value.max_age ?? 'P1D'}
              onChange={(age) => onChange(withOptional(value, 'max_age', age || undefined))}
            />
          </SimpleGrid>
          <ConditionFields
            label="Only where"
            value={value.filter}
            onChange={(filter) => onChange(withOptional(value, 'filter', filter))}
            of={OF_EVENT}
            eventType={value.event_type}
          />
          <ClientEvents
            label="Also by events that pages and apps send"
            value={value.from_client}
            onChange={(takes) => onChange(withOptional(value, 'from_client', takes))}
          />
        </>
      )}
      {value.type === 'profile_change' && <ChangeFields value={value} onChange={onChange} />}
      {value.type === 'date' && <DateFields value={value} onChange={onChange} />}
      {value.type === 'schedule' && <ScheduleFields value={value} onChange={onChange} />}
      {(value.type === 'segment_entry' || value.type === 'segment_exit') && (
        <SegmentFields value={value} onChange={onChange} />
      )}
      {(value.type === 'list_joined' || value.type === 'list_left') && (
        <AudienceSelect label="List" kind="list" value={value.list} onChange={(list) => onChange({ ...value, list })} />
      )}
      {(value.type === 'consent_given' || value.type === 'consent_withdrawn') && (
        <>
          <ChannelSelect value={value.channel} onChange={(channel) => onChange({ ...value, channel })} />
          <ClientEvents
            label="Also by choices that pages and apps send"
            value={value.from_client}
            onChange={(takes) => onChange(withOptional(value, 'from_client', takes))}
          />
        </>
      )}
    </>
  );
}

function ChangeFields({
  value,
  onChange,
}: {
  value: ProfileChangeTrigger;
  onChange: (trigger: ProfileChangeTrigger) => void;
}) {
  const attributes = useAttributes();
  return (
    <>
      <RecordedInput
        recorded={attributes}
        label="Attribute"
        maxLength={255}
        value={value.attribute}
        onChange={(attribute) => onChange({ ...value, attribute })}
      />
      {(['from', 'to'] as const).map((name) => (
        <OneSide
          key={name}
          label={name === 'from' ? 'It was a value that' : 'It is now a value that'}
          value={value[name]}
          recorded={valuesOf(attributes, value.attribute)}
          onChange={(comparison) => onChange(withOptional(value, name, comparison))}
        />
      ))}
      <ClientEvents
        label="Also by changes that pages and apps make"
        value={value.from_client}
        onChange={(takes) => onChange(withOptional(value, 'from_client', takes))}
      />
    </>
  );
}

function OneSide({
  label,
  value,
  onChange,
  recorded,
}: {
  label: string;
  value: Comparison | undefined;
  recorded: readonly Recorded[];
  onChange: (comparison: Comparison | undefined) => void;
}) {
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={label}
        placeholder="Anything"
        data={Object.entries(OPERATORS).map(([op, words]) => ({ value: op, label: words }))}
        value={value?.op ?? null}
        onChange={(op) =>
          onChange(op ? withOperator<Comparison>(value ?? { op: 'exists' }, op as Comparison['op']) : undefined)
        }
        clearable
      />
      {value && <ValueFields label={label} value={value} recorded={recorded} onChange={onChange} />}
    </Group>
  );
}

function DateFields({ value, onChange }: { value: DateTrigger; onChange: (trigger: DateTrigger) => void }) {
  const isBefore = value.offset?.startsWith('-') ?? false;
  const offset = (value.offset ?? '').replace(/^-/, '');
  const move = (duration: string, before: boolean) =>
    onChange(withOptional(value, 'offset', duration === '' ? undefined : `${before ? '-' : ''}${duration}`));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <RecordedInput
        recorded={useAttributes()}
        label="Attribute with the date"
        maxLength={255}
        value={value.attribute}
        onChange={(attribute) => onChange({ ...value, attribute })}
      />
      <Select
        label="How often"
        data={[
          { value: 'yearly', label: 'every year' },
          { value: 'once', label: 'once' },
        ]}
        value={value.repeat}
        onChange={(repeat) => onChange({ ...value, repeat: repeat === 'once' ? 'once' : 'yearly' })}
        allowDeselect={false}
      />
      <DurationInput label="Moved by" value={offset} onChange={(duration) => move(duration, isBefore)} />
      <Select
        label="To a day"
        data={[
          { value: 'before', label: 'before the date' },
          { value: 'after', label: 'after the date' },
        ]}
        value={isBefore ? 'before' : 'after'}
        onChange={(side) => move(offset, side === 'before')}
        disabled={offset === ''}
        allowDeselect={false}
      />
      <TextInput
        label="Time of day"
        description="In the customer’s time zone, such as 09:00."
        maxLength={8}
        value={value.at}
        onChange={({ currentTarget }) => onChange({ ...value, at: currentTarget.value })}
      />
    </SimpleGrid>
  );
}
