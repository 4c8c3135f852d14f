import { Group, NumberInput, Select, TextInput } from '@mantine/core';

const UNITS = { M: 'minutes', H: 'hours', D: 'days', W: 'weeks' } as const;
type Unit = keyof typeof UNITS;
const SIMPLE = /^P(?:T(\d+)([HM])|(\d+)([DW]))$/;

/** A duration as a number and a unit; one of several parts (`P1DT12H`) as it is written. */
export function DurationInput({
  label,
  description,
  value,
  onChange,
}: {
  label: string;
  description?: string;
  value: string;
  onChange: (duration: string) => void;
}) {
  const [, hours, hourUnit, days, dayUnit] = SIMPLE.exec(value) ?? [];
  const unit = (hourUnit ?? dayUnit) as Unit | undefined;
  if (value !== '' && unit === undefined) {
    return (
      <TextInput
        label={label}
        description={description ?? 'A duration of ISO 8601, such as P1DT12H.'}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const amount = hours ?? days ?? '';
  const change = (to: string | number, by: Unit) =>
    onChange(to === '' ? '' : `P${by === 'M' || by === 'H' ? 'T' : ''}${to}${by}`);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        description={description}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        value={amount}
        onChange={(to) => change(to, unit ?? 'D')}
        flex={1}
      />
      <Select
        aria-label={`${label}: unit`}
        data={Object.entries(UNITS).map(([of, name]) => ({ value: of, label: name }))}
        value={unit ?? 'D'}
        onChange={(by) => change(amount, (by ?? 'D') as Unit)}
        allowDeselect={false}
        w={120}
      />
    </Group>
  );
}
