import type { ComparisonOperator } from '../../client/index.ts';
import type { Comparison, OtherValue } from '../definitions.ts';
import { type Recorded, useAttributes, useProperties } from '../recorded/recorded.ts';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { AskedFields, EventTypeInput } from './history-fields.tsx';
import { NameInput } from './name-input.tsx';
import { ComparisonFields } from './value-fields.tsx';
import { type Kind as ConditionKind, OPERATORS, VALUE_MEASURES } from './words.ts';

type Compared = Comparison & { value_of?: OtherValue };
type Kind = 'value' | keyof OtherValue;

const { exists: _, not_exists: __, in: ___, not_in: ____, ...OF_OTHERS } = OPERATORS;
const KINDS: Readonly<Record<Kind, string>> = {
  value: 'a value',
  attribute: 'an attribute',
  property: 'a property',
  did: 'what events come to',
};

/** Those that there are where certain things may be asked. */
export function othersOf(asked: readonly ConditionKind[]): (keyof OtherValue)[] {
  return (['attribute', 'property', 'did'] as const).filter((one) => asked.includes(one));
}

interface Where {
  /** Values of before. */
  recorded: readonly Recorded[];
  /** With what may be compared beside given values. */
  of: readonly (keyof OtherValue)[];
  eventType: string;
}

/** How to compare, and with a value or with another one. */
export function ComparedWithFields<Of extends Compared>({ of, eventType, recorded, ...props }: Fields<Of> & Where) {
  const { value, label, onChange } = props;
  const kind = kindOf(value);
  const isAlone = kind === 'value' && !(value.op in OF_OTHERS);
  const offered: readonly Kind[] = isAlone ? [] : ['value', ...of];
  return (
    <>
      {kind === 'value' ? (
        <ComparisonFields value={value} label={label} onChange={onChange} recorded={recorded} />
      ) : (
        <Choice<ComparisonOperator>
          label={`${label}: comparison`}
          words={OF_OTHERS}
          w={130}
          value={value.op}
          onChange={(op) => onChange({ ...value, op })}
        />
      )}
      {offered.length > 1 && (
        <Choice<Kind>
          label={`${label}: compared with`}
          words={Object.fromEntries(offered.map((one) => [one, KINDS[one]]))}
          w={160}
          value={kind}
          onChange={(to) => onChange(withKind(value, to))}
        />
      )}
      {value.value_of && (
        <OtherFields
          value={value.value_of}
          label={label}
          eventType={eventType}
          onChange={(value_of) => onChange({ ...value, value_of })}
        />
      )}
    </>
  );
}

function kindOf({ value_of: other }: Compared): Kind {
  if (!other) return 'value';
  if (other.did) return 'did';
  return other.property === undefined ? 'attribute' : 'property';
}

function withKind<Of extends Compared>({ value: _, value_of: __, ignore_case: ___, ...rest }: Of, kind: Kind): Of {
  if (kind === 'value') return { ...rest, value: '' } as unknown as Of;
  const did = { event_type: '', measure: 'average' as const, property: '' };
  return { ...rest, value_of: kind === 'did' ? { did } : { [kind]: '' } } as unknown as Of;
}

function OtherFields({ value: other, label, onChange, eventType }: Fields<OtherValue> & { eventType: string }) {
  const [attributes, properties] = [useAttributes(), useProperties(eventType)];
  if (!other.did) {
    const isProperty = other.property !== undefined;
    return (
      <NameInput
        recorded={isProperty ? properties : attributes}
        aria-label={`${label}: name of the other ${isProperty ? 'property' : 'attribute'}`}
        placeholder={isProperty ? 'Property' : 'Attribute'}
        {...INLINE}
        w={160}
        required
        maxLength={255}
        value={other.property ?? other.attribute ?? ''}
        onChange={(name) => onChange(isProperty ? { property: name } : { attribute: name })}
      />
    );
  }
  const { did } = other;
  return <EventsValueFields value={did} label={label} other="other " onChange={(to) => onChange({ did: to })} />;
}

/** What events come to, or what the first or the last has in a property; `other` is what tells them from others. */
export function EventsValueFields({
  value: did,
  label,
  onChange,
  other = '',
}: Fields<NonNullable<OtherValue['did']>> & { other?: string }) {
  const ofEvents = useProperties(did.event_type);
  const hasProperty = did.measure !== 'count' && did.measure !== 'days';
  return (
    <>
      <Choice
        label={`${label}: what of the ${other}events`}
        words={VALUE_MEASURES}
        w={200}
        value={did.measure}
        onChange={(measure) => {
          const { property = '', time_zone: _, ...rest } = did;
          const isOfProperty = measure !== 'count' && measure !== 'days';
          onChange({ ...rest, measure, ...(isOfProperty && { property }) });
        }}
      />
      {hasProperty && (
        <NameInput
          recorded={ofEvents}
          aria-label={`${label}: property of the ${other}events`}
          placeholder="value"
          {...INLINE}
          w={120}
          required
          maxLength={255}
          value={did.property ?? ''}
          onChange={(property) => onChange({ ...did, property })}
        />
      )}
      <EventTypeInput
        label={`${label}: type of the ${other}events`}
        value={did.event_type}
        onChange={(event_type) => onChange({ ...did, event_type })}
      />
      <AskedFields value={did} label={`${label}: the ${other}events`} onChange={onChange} />
    </>
  );
}
