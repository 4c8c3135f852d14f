import { Checkbox, TagsInput } from '@mantine/core';
import type { AttributionRule } from '../../../client/index.ts';
import { DurationInput } from '../../components/duration-input.tsx';

const USUAL_OPEN_WINDOW = 'P1D';

/** Fields of which a refusal is shown at the field. */
export const ATTRIBUTION_FIELDS = ['conversion_types', 'refund_types'].map((name) => `attribution.${name}`);

/** Which events are orders, and which message leads to one. */
export function AttributionFields({
  rule,
  onChange,
  wrong,
  disabled,
}: {
  rule: AttributionRule;
  onChange: (rule: AttributionRule) => void;
  /** What was wrong with a field, if anything was. */
  wrong: (field: string) => string | undefined;
  disabled: boolean;
}) {
  const { conversion_types, refund_types, click_window, open_window } = rule;
  return (
    <>
      <TagsInput
        label="Events that are orders"
        description="Their types; revenue is the sum of their property value."
        maxTags={10}
        disabled={disabled}
        value={conversion_types}
        onChange={(types) => onChange({ ...rule, conversion_types: types })}
        error={wrong('attribution.conversion_types')}
      />
      <TagsInput
        label="Events that are refunds"
        description="They name the order_id of their order."
        maxTags={10}
        disabled={disabled}
        value={refund_types}
        onChange={(types) => onChange({ ...rule, refund_types: types })}
        error={wrong('attribution.refund_types')}
      />
      <DurationInput
        label="Credit an order to a click for"
        value={click_window}
        onChange={(window) => onChange({ ...rule, click_window: window })}
      />
      <Checkbox
        label="Credit an order to an open, too, where nobody has clicked"
        disabled={disabled}
        checked={open_window !== null}
        onChange={({ currentTarget }) =>
          onChange({ ...rule, open_window: currentTarget.checked ? USUAL_OPEN_WINDOW : null })
        }
      />
      {open_window !== null && (
        <DurationInput
          label="Credit it to an open for"
          value={open_window}
          onChange={(window) => onChange({ ...rule, open_window: window })}
        />
      )}
    </>
  );
}
