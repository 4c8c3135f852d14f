import { Select, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { JsonObjectInput } from '../../../components/json-object-input.tsx';
import { Several } from '../../../components/several.tsx';
import type { Assumption } from './assumptions.ts';

/** What else happens in a simulation, after the trigger. `splits` has the shares of each split. */
export function AssumeFields({
  value,
  onChange,
  splits,
}: {
  value: readonly Assumption[];
  onChange: (assumptions: Assumption[]) => void;
  splits: ReadonlyMap<string, readonly string[]>;
}) {
  const [firstSplit] = splits.keys();
  return (
    <Several<Assumption>
      label="Assumption"
      items={value}
      onChange={onChange}
      add={{
        'Assume an event': () => ({ kind: 'event', after: 'P1D', event_type: 'placed_order', json: '{}' }),
        'Assume a change of the customer': () => ({ kind: 'change', after: 'P1D', json: '{}' }),
        ...(firstSplit !== undefined && { 'Assume a lot': () => ({ kind: 'lot', step: firstSplit, weight: 0 }) }),
      }}
      render={(one, change) =>
        one.kind === 'lot' ? (
          <>
            <Select
              label="At the split"
              data={[...splits.keys()]}
              value={one.step}
              onChange={(step) => step && change({ ...one, step, weight: 0 })}
              allowDeselect={false}
            />
            <Select
              label="Drawn is"
              data={(splits.get(one.step) ?? []).map((label, n) => ({ value: String(n), label: `${n + 1}: ${label}` }))}
              value={String(one.weight)}
              onChange={(weight) => weight && change({ ...one, weight: Number(weight) })}
              allowDeselect={false}
            />
          </>
        ) : (
          <>
            {one.kind === 'event' && (
              <TextInput
                label="Type of event"
                maxLength={128}
                required
                value={one.event_type}
                onChange={({ currentTarget }) => change({ ...one, event_type: currentTarget.value })}
              />
            )}
            <DurationInput
              label="After the trigger"
              value={one.after}
              onChange={(after) => change({ ...one, after })}
            />
            <JsonObjectInput
              label={one.kind === 'event' ? 'Its properties as JSON' : 'Attributes with their new values, as JSON'}
              description={one.kind === 'change' ? 'null removes one.' : undefined}
              maxRows={8}
              value={one.json}
              onChange={(json) => change({ ...one, json })}
            />
          </>
        )
      }
    />
  );
}
