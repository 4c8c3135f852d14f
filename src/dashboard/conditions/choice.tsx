import { Select } from '@mantine/core';

/** What the fields of a condition get. */
export interface Fields<Value> {
  value: Value;
  /** What the fields belong to, for their names. */
  label: string;
  onChange: (value: Value) => void;
}

/** How the fields look that are part of a sentence. */
export const INLINE = { size: 'xs', maw: '100%' } as const;

/** One of a few words. */
export function Choice<Value extends string>({
  label,
  words,
  value,
  onChange,
  w = 200,
}: Fields<Value> & { words: Readonly<Partial<Record<Value, string>>>; w?: number }) {
  return (
    <Select
      aria-label={label}
      {...INLINE}
      w={w}
      allowDeselect={false}
      data={Object.entries<string | undefined>(words).map(([key, text]) => ({ value: key, label: text ?? key }))}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
    />
  );
}
