import { NumberField } from '../components/number-field.tsx';
import { withOptional } from '../components/with-optional.ts';
import type { Did } from '../definitions.ts';
import { useEventTypes, useProperties } from '../recorded/recorded.ts';
import { RecordedInput } from '../recorded/recorded-input.tsx';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { ClientEvents } from './client-events.tsx';
import {
  type Amount,
  amountOf,
  boundsOf,
  type Measured,
  measuredOf,
  whenOf,
  withAmount,
  withBounds,
  withWhen,
} from './did.ts';
import { NameInput } from './name-input.tsx';
import { WhenFields } from './window-fields.tsx';
import { AMOUNTS } from './words.ts';

type Measure = 'once' | 'count' | 'between' | Measured;

const MEASURES: Record<Measure, string> = {
  once: 'at least once',
  count: 'a number of times',
  between: 'from … to … times',
  days: 'on a number of days',
  sum: 'with a sum of',
  average: 'with an average of',
  minimum: 'with a least',
  maximum: 'with a greatest',
  distinct: 'with different values of',
};

function measureOf(did: Did): Measure {
  if (boundsOf(did)) return 'between';
  const measured = measuredOf(did);
  if (measured) return measured;
  return amountOf(did) ? 'count' : 'once';
}

function withMeasure(did: Did, to: Measure): Did {
  const amount: Amount = amountOf(did) ?? { op: 'gte', value: 1 };
  const { op, value } = amount;
  const property = 'property' in amount ? amount.property : '';
  switch (to) {
    case 'once':
      return withAmount(did);
    case 'count':
    case 'days':
      return withAmount(did, { op, value }, to);
    case 'between':
      return withBounds(did, value, value);
    default:
      return withAmount(did, { property, op, value }, to);
  }
}

/** What the customer did: which events, how often or for how much, and when. */
export function DidFields({ value: did, label, onChange }: Fields<Did>) {
  return (
    <>
      <RecordedInput
        recorded={useEventTypes()}
        aria-label={`${label}: type of event`}
        placeholder="placed_order"
        {...INLINE}
        w={180}
        required
        maxLength={128}
        value={did.event_type}
        onChange={(event_type) => onChange({ ...did, event_type })}
      />
      <Choice
        label={`${label}: how often`}
        words={MEASURES}
        w={160}
        value={measureOf(did)}
        onChange={(to) => onChange(withMeasure(did, to))}
      />
      <MeasureFields value={did} label={label} onChange={onChange} />
      <WhenFields label={label} value={whenOf(did)} onChange={(when) => onChange(withWhen(did, when))} />
      <ClientEvents
        label="Also from pages and apps"
        value={did.from_client}
        onChange={(takes) => onChange(withOptional(did, 'from_client', takes))}
      />
    </>
  );
}

function MeasureFields({ value: did, label, onChange }: Fields<Did>) {
  const properties = useProperties(did.event_type);
  const bounds = boundsOf(did);
  const amount = amountOf(did);
  if (bounds) {
    const { at_least, at_most } = bounds;
    return (
      <>
        <Count
          value={at_least}
          label={`${label}: at least`}
          onChange={(to) => onChange(withBounds(did, to, at_most))}
        />
        <Count value={at_most} label={`${label}: at most`} onChange={(to) => onChange(withBounds(did, at_least, to))} />
      </>
    );
  }
  if (!amount) return null;
  const change = (to: Amount) => onChange(withAmount(did, to));
  return (
    <>
      {'property' in amount && (
        <NameInput
          recorded={properties}
          aria-label={`${label}: property of the events`}
          placeholder="value"
          {...INLINE}
          w={120}
          required
          maxLength={255}
          value={amount.property}
          onChange={(property) => change({ ...amount, property })}
        />
      )}
      <Choice
        label={`${label}: amount`}
        words={AMOUNTS}
        w={110}
        value={amount.op}
        onChange={(op) => change({ ...amount, op })}
      />
      <Count value={amount.value} label={`${label}: number`} onChange={(value) => change({ ...amount, value })} />
    </>
  );
}

function Count({ value, label, onChange }: Fields<number>) {
  return <NumberField aria-label={label} {...INLINE} w={90} value={value} onChange={onChange} />;
}
