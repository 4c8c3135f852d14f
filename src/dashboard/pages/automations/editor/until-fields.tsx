import { Checkbox, Group, TextInput } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { DelayStep } from '../../../definitions.ts';
import { WEEKDAYS } from '../words/steps.ts';

type Until = NonNullable<DelayStep['until']>;

/** A time of day, and on which days it counts. */
export function UntilFields({ value, onChange }: { value: Until; onChange: (until: Until) => void }) {
  const chosen = value.weekdays ?? [];
  return (
    <>
      <TextInput
        label="Time of day"
        description="In the customer’s time zone, such as 10:00."
        maxLength={8}
        value={value.at}
        onChange={({ currentTarget }) => onChange({ ...value, at: currentTarget.value })}
      />
      <Checkbox.Group
        label="On"
        description="On any day if none is chosen."
        value={chosen}
        onChange={(days) =>
          onChange(withOptional(value, 'weekdays', days.length > 0 ? (days as typeof chosen) : undefined))
        }
      >
        <Group gap="sm" mt="xs">
          {Object.entries(WEEKDAYS).map(([day, name]) => (
            <Checkbox key={day} value={day} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  );
}
