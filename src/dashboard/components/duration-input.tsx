import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { spanOf, spanParts, UNITS, type Unit } from './durations.ts';

/** What a duration may have in front of its unit. */
const MAX_NUMBER: number = 999_999_999;

/** A duration as a number and a unit; one of several parts (`P1DT12H`) as it is written. Empty where it is not filled in. */
export function DurationInput({
  label,
  description,
  value,
  onChange,
  units = UNITS,
  isInline = false,
}: {
  label: string;
  description?: string;
  value: string;
  onChange: (duration: string) => void;
  units?: Partial<Record<Unit, string>>;
  /** Whether it is part of a sentence, which says what is otherwise above it, and needs it. */
  isInline?: boolean;
}) {
  // Stays as it is while the number is typed anew.
  const [chosen, setChosen] = useState<Unit>('d');
  const look = isInline ? { 'aria-label': label, size: 'xs', required: true } : { label, description };
  const parts = spanParts(value);
  if (value !== '' && !parts) {
    return (
      <TextInput
        {...look}
        description={description ?? 'A duration of ISO 8601, such as P1DT12H.'}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const { number, unit } = parts ?? { number: '', unit: chosen };
  const change = (to: string, by: Unit) => {
    setChosen(by);
    onChange(to === '' ? '' : spanOf(to, by));
  };
  return (
    <Group gap={isInline ? 4 : 'xs'} align="flex-end" wrap={isInline ? 'wrap' : 'nowrap'}>
      <NumberInput
        {...look}
        min={isInline ? 1 : 0}
        max={MAX_NUMBER}
        allowDecimal={false}
        allowNegative={false}
        value={number}
        onChange={(to) => change(String(to), unit)}
        {...(isInline ? { w: 70 } : { flex: 1 })}
      />
      <Select
        aria-label={`${label}: unit`}
        size={isInline ? 'xs' : 'sm'}
        data={Object.entries(units).map(([of, name]) => ({ value: of, label: name }))}
        value={unit}
        onChange={(by) => change(number, (by ?? 'd') as Unit)}
        allowDeselect={false}
        w={isInline ? 100 : 120}
      />
    </Group>
  );
}
