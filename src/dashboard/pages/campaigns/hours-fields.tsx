import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import type { SendingHours } from '../../../client/index.ts';
import { WEEKDAYS } from '../automations/words/steps.ts';

const USUAL: SendingHours = { from: '08:00', to: '20:00', weekdays: days(), otherwise: 'wait' };

/** Between which messages are sent, if not at any time. */
export function HoursFields({
  isText,
  hours,
  onChange,
}: {
  isText: boolean;
  hours: SendingHours | null;
  onChange: (hours: SendingHours | null) => void;
}) {
  const time = (part: 'from' | 'to', label: string, of: SendingHours) => (
    <TextInput
      type="time"
      label={label}
      value={of[part]}
      onChange={({ currentTarget: { value } }) => value !== '' && onChange({ ...of, [part]: value.slice(0, 5) })}
    />
  );
  return (
    <>
      <Select
        label="Hours"
        description="Between which messages are sent, by the clock of each recipient."
        data={[
          { value: 'any', label: isText ? 'Any, but marketing waits from 21:00 to 08:00' : 'Any' },
          { value: 'wait', label: 'Messages wait for these hours' },
          { value: 'skip', label: 'Messages at other times are left out' },
        ]}
        value={hours ? String(hours.otherwise) : 'any'}
        onChange={(to) => onChange(to === null || to === 'any' ? null : { ...USUAL, ...hours, otherwise: to })}
        allowDeselect={false}
        maw={360}
      />
      {hours && (
        <>
          <Group>
            {time('from', 'From', hours)}
            {time('to', 'To', hours)}
          </Group>
          <Checkbox.Group
            label="On"
            value={hours.weekdays}
            onChange={(chosen) => {
              if (chosen.length > 0) onChange({ ...hours, weekdays: days().filter((day) => chosen.includes(day)) });
            }}
          >
            <Group gap="sm" mt="xs">
              {Object.entries(WEEKDAYS).map(([day, name]) => (
                <Checkbox key={day} value={day} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
        </>
      )}
    </>
  );
}

function days(): SendingHours['weekdays'] {
  return Object.keys(WEEKDAYS) as SendingHours['weekdays'];
}
