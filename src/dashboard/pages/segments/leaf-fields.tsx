import { NumberInput, Select, TextInput } from '@mantine/core';
import type { SegmentEvent, SegmentOperator, SegmentValue, SegmentWindow } from '../../../client/index.ts';
import type { Leaf } from './conditions.ts';
import { useAudiences } from './use-names.ts';
import { CHANNELS, CONSENTS, IDENTIFIERS, OPERATORS, TIMES } from './words.ts';

interface Fields<Of> {
  leaf: Of;
  /** What the fields belong to, for their names. */
  label: string;
  onChange: (leaf: Leaf) => void;
}

const choices = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
const TIMES_DONE = {
  '': 'at least once',
  gte: 'at least',
  gt: 'more than',
  eq: 'exactly',
  lte: 'at most',
  lt: 'fewer than',
};
const WITHOUT_VALUE: readonly SegmentOperator[] = ['exists', 'not_exists'];
const WITH_LIST: readonly SegmentOperator[] = ['in', 'not_in'];

/** The fields of one condition, whatever it asks. */
export function LeafFields({ leaf, label, onChange }: Fields<Leaf>) {
  if ('event' in leaf) return <EventFields leaf={leaf} label={label} onChange={onChange} />;
  if ('attribute' in leaf) return <AttributeFields leaf={leaf} label={label} onChange={onChange} />;
  if ('list' in leaf || 'segment' in leaf) return <AudienceField leaf={leaf} label={label} onChange={onChange} />;
  if ('identifier' in leaf) {
    return (
      <Choice
        label={`${label}: identifier`}
        words={IDENTIFIERS}
        value={leaf.identifier}
        onChange={(identifier) => onChange({ identifier })}
      />
    );
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    return (
      <>
        <Choice
          label={`${label}: choice`}
          words={CONSENTS}
          value={status}
          onChange={(value) => onChange({ consent: { channel, status: value } })}
        />
        <Choice
          label={`${label}: channel`}
          words={CHANNELS}
          value={channel}
          onChange={(value) => onChange({ consent: { channel: value, status } })}
        />
      </>
    );
  }
  const { time, window } = leaf.profile;
  return (
    <>
      <Choice
        label={`${label}: time`}
        words={TIMES}
        value={time}
        onChange={(value) => onChange({ profile: { time: value, window } })}
      />
      <LastField label={label} window={window} onChange={(last) => onChange({ profile: { time, window: { last } } })} />
    </>
  );
}

function Choice<Value extends string>({
  label,
  words,
  value,
  onChange,
}: {
  label: string;
  words: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <Select
      aria-label={label}
      size="xs"
      w={200}
      allowDeselect={false}
      data={choices(words)}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
    />
  );
}

function EventFields({ leaf: { event }, label, onChange }: Fields<{ event: SegmentEvent }>) {
  const set = ({ op, value, window, ...rest }: SegmentEvent) =>
    onChange({
      event: {
        ...rest,
        ...(op !== undefined && { op, value: value ?? 1 }),
        ...(window !== undefined && { window }),
      },
    });
  const { op, window } = event;
  return (
    <>
      <TextInput
        aria-label={`${label}: type of event`}
        placeholder="placed_order"
        size="xs"
        w={180}
        required
        maxLength={128}
        value={event.type}
        onChange={({ currentTarget }) => set({ ...event, type: currentTarget.value })}
      />
      <Select
        aria-label={`${label}: how often`}
        size="xs"
        w={130}
        allowDeselect={false}
        data={choices(TIMES_DONE)}
        value={op ?? ''}
        onChange={(chosen) => {
          const { op: _, value: __, ...rest } = event;
          set(chosen ? { ...rest, op: chosen as NonNullable<SegmentEvent['op']>, value: event.value ?? 1 } : rest);
        }}
      />
      {op !== undefined && (
        <NumberInput
          aria-label={`${label}: number`}
          size="xs"
          w={90}
          value={event.value ?? 1}
          onChange={(value) => set({ ...event, value: Number(value) })}
        />
      )}
      <LastField
        label={label}
        window={window}
        isOptional
        onChange={(last) => {
          const { window: _, ...rest } = event;
          set(last === '' ? rest : { ...rest, window: { last } });
        }}
      />
    </>
  );
}

/** A span up to now; other windows are shown, and can be changed as JSON. */
function LastField({
  label,
  window,
  isOptional = false,
  onChange,
}: {
  label: string;
  window: SegmentWindow | undefined;
  isOptional?: boolean;
  onChange: (last: string) => void;
}) {
  const isOther = window !== undefined && !('last' in window && !('calendar' in window));
  return (
    <TextInput
      aria-label={`${label}: in the last`}
      placeholder={isOptional ? 'ever, or 30d' : '30d'}
      title="A number of s, m, h, d or w"
      size="xs"
      w={130}
      required={!isOptional}
      disabled={isOther}
      value={isOther ? 'as in the JSON' : window && 'last' in window ? window.last : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  );
}

type AttributeLeaf = Extract<Leaf, { attribute: unknown }>;

function AttributeFields({ leaf: { attribute }, label, onChange }: Fields<AttributeLeaf>) {
  const { name, op, value } = attribute;
  const set = (next: { name: string; op: SegmentOperator; value: SegmentValue | undefined }) => {
    const isBare = WITHOUT_VALUE.includes(next.op);
    onChange({
      attribute: { name: next.name, op: next.op, ...(!isBare && { value: next.value ?? '' }) },
    });
  };
  return (
    <>
      <TextInput
        aria-label={`${label}: name of the attribute`}
        placeholder="loyalty_tier"
        size="xs"
        w={160}
        required
        maxLength={255}
        value={name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value, op, value })}
      />
      <Choice
        label={`${label}: comparison`}
        words={OPERATORS}
        value={op}
        onChange={(chosen) => set({ name, op: chosen, value: toValue(textOf(value), chosen) })}
      />
      {!WITHOUT_VALUE.includes(op) && (
        <TextInput
          aria-label={`${label}: value`}
          placeholder={WITH_LIST.includes(op) ? 'gold, silver' : 'gold'}
          size="xs"
          w={160}
          maxLength={1000}
          value={textOf(value)}
          onChange={({ currentTarget }) => set({ name, op, value: toValue(currentTarget.value, op) })}
        />
      )}
    </>
  );
}

function textOf(value: SegmentValue | undefined): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** Numbers and `true` or `false` are taken for what they look like. */
function toValue(text: string, op: SegmentOperator): SegmentValue {
  const toOne = (part: string) => {
    if (part === 'true' || part === 'false') return part === 'true';
    return part.trim() !== '' && String(Number(part)) === part ? Number(part) : part;
  };
  return WITH_LIST.includes(op) ? text.split(',').map((part) => toOne(part.trim())) : toOne(text);
}

type AudienceLeaf = Extract<Leaf, { list: string } | { segment: string }>;

function AudienceField({ leaf, label, onChange }: Fields<AudienceLeaf>) {
  const { lists, segments } = useAudiences();
  const isList = 'list' in leaf;
  const data = (isList ? lists : segments).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      aria-label={isList ? `${label}: list` : `${label}: segment`}
      size="xs"
      w={220}
      searchable
      required
      placeholder={isList ? 'Choose a list' : 'Choose a segment'}
      data={data}
      value={isList ? leaf.list : leaf.segment}
      onChange={(id) => onChange(isList ? { list: id ?? '' } : { segment: id ?? '' })}
    />
  );
}
