import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { toNumber } from './values.ts';

const MISSING = 'Type a number';

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & { value: number; onChange: (value: number) => void };

/** A number, which has to be filled in: it is `NaN` where it is not. */
export function NumberField({ value, onChange, error, ...props }: Props) {
  // A minus alone is not a number yet, and -0 would be shown without it: both stay as they are typed.
  const [begun, setBegun] = useState('');
  const isMissing = Number.isNaN(value);
  const isBegun = isMissing || (Object.is(value, -0) && begun !== '');
  const change = (typed: string | number) => {
    const number = toNumber(typed);
    setBegun(Number.isNaN(number) || Object.is(number, -0) ? String(typed) : '');
    onChange(number);
  };
  return (
    <NumberInput
      {...props}
      required
      pattern=".*\d.*"
      title={isMissing ? MISSING : undefined}
      error={isMissing ? MISSING : error}
      value={isBegun ? begun : value}
      onChange={change}
    />
  );
}
