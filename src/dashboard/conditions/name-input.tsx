import type { AutocompleteProps } from '@mantine/core';
import type { ValueName } from '../../client/index.ts';
import type { Recorded } from '../recorded/recorded.ts';
import { RecordedInput } from '../recorded/recorded-input.tsx';

const WITHIN = ' > ';

/** The name of a property or an attribute, or the way to a value within one. Names may have dots. */
export function NameInput({
  value,
  onChange,
  ...props
}: {
  value: ValueName;
  onChange: (name: ValueName) => void;
  recorded: readonly Recorded[];
} & Omit<AutocompleteProps, 'data' | 'value' | 'onChange'>) {
  return (
    <RecordedInput
      title={`A value within another: cart${WITHIN}id`}
      {...props}
      value={typeof value === 'string' ? value : value.join(WITHIN)}
      onChange={(text) => onChange(text.includes(WITHIN) ? text.split(WITHIN) : text)}
    />
  );
}
