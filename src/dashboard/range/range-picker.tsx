import { Group, NativeSelect, TextInput } from '@mantine/core';
import { isDay } from './days.ts';
import { type Comparison, comparisonsOf, PRESETS, type Preset } from './range.ts';
import type { ShownRange } from './use-range.ts';

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** Chooses the time that is shown and, where `isCompared`, what it is compared with. */
export function RangePicker({ range, isCompared = false }: { range: ShownRange; isCompared?: boolean }) {
  const { preset, first, last, today, comparison, choose } = range;
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label="Time range"
        size="xs"
        data={optionsOf(PRESETS)}
        value={preset}
        onChange={({ currentTarget }) => choose({ preset: currentTarget.value as Preset })}
      />
      {preset === 'custom' && (
        <>
          <DayInput label="First day" value={first} max={last} onChange={(from) => choose({ from })} />
          <DayInput label="Last day" value={last} max={today} onChange={(to) => choose({ to })} />
        </>
      )}
      {isCompared && (
        <NativeSelect
          aria-label="Comparison"
          size="xs"
          data={optionsOf(comparisonsOf(preset))}
          value={comparison}
          onChange={({ currentTarget }) => choose({ comparison: currentTarget.value as Comparison })}
        />
      )}
    </Group>
  );
}

/** Told once it is left: a year that is being typed is one of the first century for a while. */
function DayInput({
  label,
  value,
  max,
  onChange,
}: {
  label: string;
  value: string;
  max: string;
  onChange: (day: string) => void;
}) {
  return (
    <TextInput
      key={value}
      type="date"
      size="xs"
      aria-label={label}
      defaultValue={value}
      max={max}
      onBlur={({ currentTarget }) => {
        if (isDay(currentTarget.value) && currentTarget.value !== value) onChange(currentTarget.value);
      }}
    />
  );
}
