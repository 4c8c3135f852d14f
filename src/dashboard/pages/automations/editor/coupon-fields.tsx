import { Radio, Stack } from '@mantine/core';
import { withOptional } from '../../../components/with-optional.ts';
import type { AssignCouponStep } from '../../../definitions.ts';
import { PoolSelect } from '../../coupons/pool-select.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';

/** From which pool the customer gets a code, and what happens while it has none. */
export function CouponFields({ step, onChange, next }: StepFieldsProps<AssignCouponStep>) {
  return (
    <>
      <PoolSelect
        placeholder="Choose one"
        description="Messages show the code with {{ coupon.code }}."
        value={step.pool_id}
        onChange={(id) => onChange({ ...step, pool_id: id })}
      />
      <Radio.Group
        label="While the pool has no code"
        value={step.on_empty ?? 'wait'}
        onChange={(value) =>
          onChange(withOptional(step, 'on_empty', value === 'wait' ? undefined : (value as 'continue' | 'exit')))
        }
      >
        <Stack gap="xs" mt="xs">
          <Radio value="wait" label="Wait for one, for three days" />
          <Radio value="continue" label="Go on without one" />
          <Radio value="exit" label="End the run" />
        </Stack>
      </Radio.Group>
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}
