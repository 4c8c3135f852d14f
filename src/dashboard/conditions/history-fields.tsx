import { Text } from '@mantine/core';
import { DurationInput } from '../components/duration-input.tsx';
import { withOptional } from '../components/with-optional.ts';
import type { ConditionWindow, EventSequence, Occurrence } from '../definitions.ts';
import { useEventTypes } from '../recorded/recorded.ts';
import { RecordedInput } from '../recorded/recorded-input.tsx';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { ClientEvents } from './client-events.tsx';
import { windowOf, withWindow } from './did.ts';
import { EverFields } from './window-fields.tsx';
import { WHICH } from './words.ts';

/** The first or the last event, and when it was. */
export function OccurrenceFields({ value: occurrence, label, onChange }: Fields<Occurrence>) {
  return (
    <>
      <Choice
        label={`${label}: which event`}
        words={WHICH}
        w={110}
        value={occurrence.which}
        onChange={(which) => onChange({ ...occurrence, which })}
      />
      <EventTypeInput
        label={`${label}: type of event`}
        value={occurrence.event_type}
        onChange={(event_type) => onChange({ ...occurrence, event_type })}
      />
      <AskedFields value={occurrence} label={label} onChange={onChange} />
    </>
  );
}

const HAPPENED = { yes: 'and then', no: 'and then no' } as const;

/** An event, and what followed or did not. */
export function SequenceFields({ value: sequence, label, onChange }: Fields<EventSequence>) {
  const { followed_by: following } = sequence;
  return (
    <>
      <EventTypeInput
        label={`${label}: type of event`}
        value={sequence.event_type}
        onChange={(event_type) => onChange({ ...sequence, event_type })}
      />
      <AskedFields value={sequence} label={label} onChange={onChange} />
      <Choice
        label={`${label}: whether it followed`}
        words={HAPPENED}
        w={130}
        value={following.happened === false ? 'no' : 'yes'}
        onChange={(to) =>
          onChange({ ...sequence, followed_by: withOptional(following, 'happened', to === 'no' ? false : undefined) })
        }
      />
      <EventTypeInput
        label={`${label}: type of the following event`}
        value={following.event_type}
        onChange={(event_type) => onChange({ ...sequence, followed_by: { ...following, event_type } })}
      />
      <Text size="xs">within</Text>
      <DurationInput
        isInline
        label={`${label}: within`}
        value={following.within}
        onChange={(within) => onChange({ ...sequence, followed_by: { ...following, within } })}
      />
      <ClientEvents
        label="What follows also from pages and apps"
        value={following.from_client}
        onChange={(takes) => onChange({ ...sequence, followed_by: withOptional(following, 'from_client', takes) })}
      />
    </>
  );
}

export function EventTypeInput({ value, label, onChange }: Fields<string>) {
  return (
    <RecordedInput
      recorded={useEventTypes()}
      aria-label={label}
      placeholder="placed_order"
      {...INLINE}
      w={180}
      required
      maxLength={128}
      value={value}
      onChange={onChange}
    />
  );
}

interface Asked {
  window?: ConditionWindow;
  within?: string;
  from_client?: boolean;
}

/** When the events must have been, and who may have sent them. */
export function AskedFields<Of extends Asked>({ value: asked, label, onChange }: Fields<Of>) {
  return (
    <>
      <EverFields
        label={label}
        value={windowOf(asked)}
        onChange={(window: ConditionWindow | undefined) => onChange(withWindow(asked, window))}
      />
      <ClientEvents
        label="Also from pages and apps"
        value={asked.from_client}
        onChange={(takes) => onChange(withOptional<Of, 'from_client'>(asked, 'from_client', takes))}
      />
    </>
  );
}
