import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { Fields } from './choice.tsx';
import { toNumber } from './values.ts';

const MISSING = 'Type a number';

/** A number, which has to be filled in. */
export function NumberField({ value, label, onChange, w }: Fields<number> & { w: number }) {
  // A minus alone is not a number yet, and stays where it is typed.
  const [begun, setBegun] = useState('');
  const isMissing = Number.isNaN(value);
  const change = (typed: string | number) => {
    const number = toNumber(typed);
    setBegun(Number.isNaN(number) ? String(typed) : '');
    onChange(number);
  };
  return (
    <NumberInput
      aria-label={label}
      size="xs"
      maw="100%"
      w={w}
      required
      pattern=".*\d.*"
      title={isMissing ? MISSING : undefined}
      error={isMissing && MISSING}
      value={isMissing ? begun : value}
      onChange={change}
    />
  );
}
