import { Select } from '@mantine/core';

/** What the fields of a condition get. */
export interface Fields<Value> {
  value: Value;
  /** What the fields belong to, for their names. */
  label: string;
  onChange: (value: Value) => void;
}

export const optionsOf = (words: object) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** One of a few words. */
export function Choice<Value extends string>({
  label,
  words,
  value,
  onChange,
  w = 200,
}: Fields<Value> & { words: Record<Value, string>; w?: number }) {
  return (
    <Select
      aria-label={label}
      size="xs"
      maw="100%"
      w={w}
      allowDeselect={false}
      data={optionsOf(words)}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
    />
  );
}
