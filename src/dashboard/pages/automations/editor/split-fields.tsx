import { Checkbox } from '@mantine/core';
import { NumberField } from '../../../components/number-field.tsx';
import { Several } from '../../../components/several.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { SplitStep, SplitWeight } from '../../../definitions.ts';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';

/** The shares of a split, and whether a customer stays in theirs. */
export function SplitFields({ step, onChange, next }: StepFieldsProps<SplitStep>) {
  return (
    <>
      <Several<SplitWeight>
        label="Share"
        items={step.weights}
        onChange={(weights) => onChange({ ...step, weights })}
        add={{ 'Add a share': () => ({ percent: 0, next: null }) }}
        render={(one, change) => (
          <>
            <NumberField
              label="Percent"
              min={0}
              max={100}
              suffix=" %"
              value={one.percent}
              onChange={(percent) => change({ ...one, percent })}
            />
            <NextSelect value={one.next} onChange={(id) => change({ ...one, next: id })} ids={next} />
          </>
        )}
      />
      <Checkbox
        label="A customer gets the same share in every run"
        checked={step.per === 'customer'}
        onChange={({ currentTarget }) =>
          onChange(withOptional(step, 'per', currentTarget.checked ? 'customer' : undefined))
        }
      />
    </>
  );
}
