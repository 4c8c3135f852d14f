import { Group, NumberInput, Select, Text } from '@mantine/core';
import { TimeInput } from '../../components/time-input.tsx';
import type { ConditionWindow } from '../../definitions.ts';
import { Choice, type Fields } from './choice.tsx';
import { spanOf, spanParts, UNITS, type Unit } from './window-words.ts';

type Kind = 'ever' | 'last' | 'calendar' | 'between' | 'ago';

const KINDS: Record<Kind, string> = {
  ever: 'at any time',
  last: 'in the last',
  calendar: 'in the last whole days',
  between: 'between two times',
  ago: 'between … and … ago',
};
const { ever: _, ...ALWAYS } = KINDS;
const { d, w } = UNITS;
/** What a span may have in front of its unit. */
const MAX_NUMBER: number = 999_999_999;
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

function kindOf(window: ConditionWindow | undefined): Kind {
  if (!window) return 'ever';
  if ('ago' in window) return 'ago';
  if ('from' in window) return 'between';
  return window.calendar ? 'calendar' : 'last';
}

function newWindow(kind: Kind): ConditionWindow | undefined {
  switch (kind) {
    case 'ever':
      return undefined;
    case 'last':
      return { last: 'P30D' };
    case 'calendar':
      return { last: 'P30D', calendar: true, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    case 'between':
      return { from: '' };
    case 'ago':
      return { ago: { min: 'P30D', max: 'P60D' } };
  }
}

/** When something must have been; `isOptional` offers any time. */
export function WindowFields({
  value: window,
  label,
  onChange,
  isOptional = false,
}: Fields<ConditionWindow | undefined> & { isOptional?: boolean }) {
  const kind = kindOf(window);
  return (
    <>
      <Choice<string>
        label={`${label}: when`}
        words={isOptional ? KINDS : ALWAYS}
        w={180}
        value={kind}
        onChange={(chosen) => onChange(newWindow(chosen as Kind))}
      />
      {window && <KindFields label={label} value={window} onChange={onChange} />}
    </>
  );
}

function KindFields({ value: window, label, onChange }: Fields<ConditionWindow>) {
  if ('ago' in window) {
    const { min, max } = window.ago;
    return (
      <Group gap="xs">
        <Span label={`${label}: at least ago`} value={min} onChange={(to) => onChange({ ago: { min: to, max } })} />
        <Text size="xs">and</Text>
        <Span label={`${label}: at most ago`} value={max} onChange={(to) => onChange({ ago: { min, max: to } })} />
      </Group>
    );
  }
  if ('last' in window) {
    return (
      <>
        <Span
          label={`${label}: how long`}
          value={window.last}
          isDays={window.calendar === true}
          onChange={(last) => onChange({ ...window, last })}
        />
        {window.calendar && (
          <Select
            aria-label={`${label}: time zone`}
            size="xs"
            maw="100%"
            w={200}
            searchable
            limit={50}
            allowDeselect={false}
            data={ZONES}
            value={window.time_zone ?? 'UTC'}
            onChange={(zone) => onChange({ ...window, time_zone: zone ?? 'UTC' })}
          />
        )}
      </>
    );
  }
  const { from, to } = window;
  return (
    <Group gap="xs">
      <TimeInput
        aria-label={`${label}: from`}
        size="xs"
        maw="100%"
        required
        value={from}
        onChange={(time) => onChange({ ...window, from: time })}
      />
      <Text size="xs">and before</Text>
      <TimeInput
        aria-label={`${label}: before`}
        size="xs"
        maw="100%"
        value={to ?? ''}
        onChange={(time) => onChange({ from, ...(time !== '' && { to: time }) })}
      />
    </Group>
  );
}

/** A number and a unit, of a duration such as `P30D`. */
function Span({ value, label, onChange, isDays = false }: Fields<string> & { isDays?: boolean }) {
  const { number, unit } = spanParts(value) ?? { number: '', unit: 'd' as Unit };
  return (
    <Group gap={4}>
      <NumberInput
        aria-label={label}
        size="xs"
        maw="100%"
        w={70}
        min={1}
        max={MAX_NUMBER}
        allowDecimal={false}
        allowNegative={false}
        required
        value={number}
        onChange={(to) => onChange(spanOf(String(Number(to) || ''), unit))}
      />
      <Choice<string>
        label={`${label}, unit`}
        words={isDays ? { d, w } : UNITS}
        w={100}
        value={unit}
        onChange={(to) => onChange(spanOf(number, to as Unit))}
      />
    </Group>
  );
}
