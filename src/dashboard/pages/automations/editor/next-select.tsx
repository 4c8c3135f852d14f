import { Select } from '@mantine/core';
import type { NextStep } from '../../../../client/index.ts';

const END = '(end)';

/** Which step follows, or that the run ends. */
export function NextSelect({
  label = 'Then go to',
  value,
  onChange,
  ids,
}: {
  label?: string;
  value: NextStep;
  onChange: (next: NextStep) => void;
  ids: readonly string[];
}) {
  // A step that is not there yet is kept until another is chosen.
  const known = value === null || ids.includes(value) ? ids : [...ids, value];
  return (
    <Select
      label={label}
      data={[{ value: END, label: 'End of the run' }, ...known.map((id) => ({ value: id, label: id }))]}
      value={value ?? END}
      onChange={(chosen) => onChange(chosen === END ? null : chosen)}
      allowDeselect={false}
    />
  );
}
