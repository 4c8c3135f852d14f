import { NumberInput, Select } from '@mantine/core';
import type { Did } from '../../../definitions.ts';
import { useEventTypes } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';
import { ClientEvents } from './client-events.tsx';
import { DurationInput } from './duration-input.tsx';
import { withOptional } from './with-optional.ts';

type Period = 'ever' | 'within' | 'trigger';
const PERIODS = [
  { value: 'ever', label: 'ever' },
  { value: 'within', label: 'within' },
  { value: 'trigger', label: 'since the trigger' },
];

/** How often the customer did something. */
export function DidFields({ did, onChange }: { did: Did; onChange: (did: Did) => void }) {
  const period: Period = did.within !== undefined ? 'within' : did.since ? 'trigger' : 'ever';
  const choose = (chosen: Period) => {
    const { within: _, since: __, ...rest } = did;
    onChange({
      ...rest,
      ...(chosen === 'within' && { within: 'P30D' }),
      ...(chosen === 'trigger' && { since: 'trigger' }),
    });
  };
  const bound = (name: 'at_least' | 'at_most', label: string) => (
    <NumberInput
      label={label}
      min={0}
      max={10_000}
      allowDecimal={false}
      w={100}
      value={did[name] ?? ''}
      onChange={(value) => onChange(withOptional(did, name, value === '' ? undefined : Number(value)))}
    />
  );
  return (
    <>
      <RecordedInput
        recorded={useEventTypes()}
        label="Type of event"
        maxLength={128}
        flex={1}
        miw={140}
        value={did.event_type}
        onChange={(event_type) => onChange({ ...did, event_type })}
      />
      {bound('at_least', 'At least')}
      {bound('at_most', 'At most')}
      <Select
        label="When"
        data={PERIODS}
        value={period}
        onChange={(chosen) => chosen && choose(chosen as Period)}
        allowDeselect={false}
        w={150}
      />
      {did.within !== undefined && (
        <DurationInput label="The last" value={did.within} onChange={(within) => onChange({ ...did, within })} />
      )}
      <ClientEvents
        label="Also from pages and apps"
        value={did.from_client}
        onChange={(takes) => onChange(withOptional(did, 'from_client', takes))}
      />
    </>
  );
}
