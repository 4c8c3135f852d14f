import { Group, Select, Text } from '@mantine/core';
import { useContext } from 'react';
import { DurationInput } from '../components/duration-input.tsx';
import { UNITS } from '../components/durations.ts';
import { TimeInput } from '../components/time-input.tsx';
import type { ConditionWindow } from '../definitions.ts';
import { TIME_ZONES, useTimeZone } from '../session/time-zone.ts';
import { Choice, type Fields, INLINE } from './choice.tsx';
import type { When } from './did.ts';
import { Place } from './place.ts';

type Kind = 'ever' | 'last' | 'calendar' | 'between' | 'ago' | 'trigger';

const OF_WINDOWS = {
  last: 'in the last',
  calendar: 'in the last whole days',
  between: 'between two times',
  ago: 'between … and … ago',
};
const EVER = { ever: 'at any time', ...OF_WINDOWS };
const WITH_TRIGGER = { ...EVER, trigger: 'since the trigger' };
const { d, w } = UNITS;

function kindOf(when: When): Kind {
  if (!when) return 'ever';
  if (when === 'trigger') return when;
  if ('ago' in when) return 'ago';
  if ('from' in when) return 'between';
  return when.calendar ? 'calendar' : 'last';
}

function newWindow(kind: Exclude<Kind, 'ever' | 'trigger'>, timeZone: string): ConditionWindow {
  switch (kind) {
    case 'last':
      return { last: 'P30D' };
    case 'calendar':
      return { last: 'P30D', calendar: true, time_zone: timeZone };
    case 'between':
      return { from: '' };
    case 'ago':
      return { ago: { min: 'P30D', max: 'P60D' } };
  }
}

/** The same, where it may also be since the trigger. */
export function WhenFields(props: Fields<When>) {
  const { hasTrigger } = useContext(Place);
  return <AnyWhenFields {...props} words={hasTrigger || props.value === 'trigger' ? WITH_TRIGGER : EVER} />;
}

/** When something must have been, or ever. */
export function EverFields({ onChange, ...props }: Fields<ConditionWindow | undefined>) {
  return <AnyWhenFields {...props} words={EVER} onChange={(when) => onChange(when === 'trigger' ? undefined : when)} />;
}

function AnyWhenFields({
  value: when,
  label,
  onChange,
  words,
}: Fields<When> & { words: Readonly<Partial<Record<Kind, string>>> }) {
  const timeZone = useTimeZone();
  return (
    <>
      <Choice<Kind>
        label={`${label}: when`}
        words={words}
        w={180}
        value={kindOf(when)}
        onChange={(kind) =>
          onChange(kind === 'ever' ? undefined : kind === 'trigger' ? kind : newWindow(kind, timeZone))
        }
      />
      {when && when !== 'trigger' && <SpanFields label={label} value={when} onChange={onChange} />}
    </>
  );
}

/** The window that something must have been in. */
export function WindowFields({ value: window, label, onChange }: Fields<ConditionWindow>) {
  const timeZone = useTimeZone();
  return (
    <>
      <Choice<Kind>
        label={`${label}: when`}
        words={OF_WINDOWS}
        w={180}
        value={kindOf(window)}
        onChange={(kind) => onChange(newWindow(kind as keyof typeof OF_WINDOWS, timeZone))}
      />
      <SpanFields label={label} value={window} onChange={onChange} />
    </>
  );
}

function SpanFields({ value: window, label, onChange }: Fields<ConditionWindow>) {
  if ('ago' in window) {
    const { min, max } = window.ago;
    return (
      <Group gap="xs">
        <DurationInput
          isInline
          label={`${label}: at least ago`}
          value={min}
          onChange={(to) => onChange({ ago: { min: to, max } })}
        />
        <Text size="xs">and</Text>
        <DurationInput
          isInline
          label={`${label}: at most ago`}
          value={max}
          onChange={(to) => onChange({ ago: { min, max: to } })}
        />
      </Group>
    );
  }
  if ('last' in window) {
    return (
      <>
        <DurationInput
          isInline
          label={`${label}: how long`}
          value={window.last}
          units={window.calendar ? { d, w } : UNITS}
          onChange={(last) => onChange({ ...window, last })}
        />
        {window.calendar && (
          <Select
            aria-label={`${label}: time zone`}
            {...INLINE}
            w={200}
            searchable
            limit={50}
            allowDeselect={false}
            data={TIME_ZONES}
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
        {...INLINE}
        required
        value={from}
        onChange={(time) => onChange({ ...window, from: time })}
      />
      <Text size="xs">and before</Text>
      <TimeInput
        aria-label={`${label}: before`}
        {...INLINE}
        value={to ?? ''}
        onChange={(time) => onChange({ from, ...(time !== '' && { to: time }) })}
      />
    </Group>
  );
}
