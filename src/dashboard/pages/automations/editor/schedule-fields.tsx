import { Checkbox, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { NumberField } from '../../../components/number-field.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import { AudienceSelect } from '../../../conditions/audience-select.tsx';
import type { ScheduleTrigger } from '../../../definitions.ts';
import { WEEKDAYS } from '../words/steps.ts';

const REPEATS: Readonly<Record<ScheduleTrigger['repeat'], string>> = {
  once: 'once',
  daily: 'every day',
  weekly: 'every week',
  monthly: 'every month',
};

/** When the members of which list or segment start. */
export function ScheduleFields({
  value,
  onChange,
}: {
  value: ScheduleTrigger;
  onChange: (trigger: ScheduleTrigger) => void;
}) {
  const kind = value.segment === undefined ? 'list' : 'segment';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="For the members of a"
        data={['list', 'segment']}
        value={kind}
        onChange={(chosen) => chosen && chosen !== kind && onChange(withAudience(value, chosen, ''))}
        allowDeselect={false}
      />
      <AudienceSelect
        label={kind === 'list' ? 'List' : 'Segment'}
        kind={kind}
        value={value[kind] ?? ''}
        onChange={(id) => onChange(withAudience(value, kind, id))}
      />
      <Select
        label="How often"
        data={Object.entries(REPEATS).map(([repeat, label]) => ({ value: repeat, label }))}
        value={value.repeat}
        onChange={(repeat) => repeat && onChange(withRepeat(value, repeat as ScheduleTrigger['repeat']))}
        allowDeselect={false}
      />
      <DayFields value={value} onChange={onChange} />
      <TextInput
        label="Time of day"
        description="Such as 09:00."
        maxLength={8}
        value={value.at}
        onChange={({ currentTarget }) => onChange({ ...value, at: currentTarget.value })}
      />
      <TextInput
        label="Time zone"
        description="Without one, that of the store."
        placeholder="Europe/Berlin"
        maxLength={64}
        value={value.time_zone ?? ''}
        onChange={({ currentTarget }) => onChange(withOptional(value, 'time_zone', currentTarget.value || undefined))}
      />
      <DurationInput
        label="At most so late"
        value={value.max_age ?? 'PT6H'}
        onChange={(age) => onChange(withOptional(value, 'max_age', age || undefined))}
      />
    </SimpleGrid>
  );
}

function DayFields({ value, onChange }: { value: ScheduleTrigger; onChange: (trigger: ScheduleTrigger) => void }) {
  switch (value.repeat) {
    case 'once':
      return (
        <TextInput
          label="Day"
          type="date"
          value={value.date ?? ''}
          onChange={({ currentTarget }) => onChange({ ...value, date: currentTarget.value })}
        />
      );
    case 'weekly':
      return (
        <Checkbox.Group
          label="On"
          value={value.weekdays ?? []}
          onChange={(days) => onChange({ ...value, weekdays: days as NonNullable<ScheduleTrigger['weekdays']> })}
        >
          <Group gap="sm" mt="xs">
            {Object.entries(WEEKDAYS).map(([day, name]) => (
              <Checkbox key={day} value={day} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case 'monthly':
      return (
        <NumberField
          label="Day of the month"
          description="31 is the last day of every month."
          min={1}
          max={31}
          allowDecimal={false}
          value={value.day ?? 1}
          onChange={(day) => onChange({ ...value, day })}
        />
      );
    default:
      return null;
  }
}

function withAudience({ list: _, segment: __, ...rest }: ScheduleTrigger, kind: string, id: string): ScheduleTrigger {
  return { ...rest, [kind === 'list' ? 'list' : 'segment']: id };
}

/** Which days it is on depends on how often it is. */
function withRepeat(
  { date: _, weekdays: __, day: ___, ...rest }: ScheduleTrigger,
  repeat: ScheduleTrigger['repeat'],
): ScheduleTrigger {
  const days = { once: { date: '' }, daily: {}, weekly: { weekdays: ['mon' as const] }, monthly: { day: 1 } };
  return { ...rest, ...days[repeat], repeat };
}
