import { Checkbox } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { AutomationGoal } from '../../../definitions.ts';
import { MatchFields } from './match-fields.tsx';

const NEW: AutomationGoal = { event_type: 'placed_order', within: 'P7D' };

/** What runs are for, if anything is. */
export function GoalFields({
  value,
  onChange,
}: {
  value: AutomationGoal | undefined;
  onChange: (goal: AutomationGoal | undefined) => void;
}) {
  return (
    <>
      <Checkbox
        label="Has a goal: an event that counts as its success"
        checked={value !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? NEW : undefined)}
      />
      {value && (
        <>
          <MatchFields value={value} onChange={onChange} />
          <DurationInput
            label="Within so long after the start"
            value={value.within}
            onChange={(within) => onChange({ ...value, within })}
          />
          <Checkbox
            label="The run ends with it"
            checked={value.on_reached !== 'continue'}
            onChange={({ currentTarget }) =>
              onChange(withOptional(value, 'on_reached', currentTarget.checked ? undefined : 'continue'))
            }
          />
        </>
      )}
    </>
  );
}
