import { TextInput } from '@mantine/core';
import type { ValueName } from '../../../../client/index.ts';

const WITHIN = ' > ';

/** The name of a property or an attribute, or the way to a value within one. Names may have dots. */
export function NameInput({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string;
  value: ValueName;
  onChange: (name: ValueName) => void;
  placeholder?: string;
}) {
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      title={`A value within another: cart${WITHIN}id`}
      flex={1}
      miw={140}
      value={typeof value === 'string' ? value : value.join(WITHIN)}
      onChange={({ currentTarget: { value: text } }) => onChange(text.includes(WITHIN) ? text.split(WITHIN) : text)}
    />
  );
}
