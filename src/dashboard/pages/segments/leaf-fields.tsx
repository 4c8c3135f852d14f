import { Select } from '@mantine/core';
import type { AttributeCondition, Leaf } from '../../definitions.ts';
import { useAttributes, valuesOf } from '../../recorded/recorded.ts';
import { RecordedInput } from '../../recorded/recorded-input.tsx';
import { Choice, type Fields } from './choice.tsx';
import { EventFields } from './event-fields.tsx';
import { TestFields } from './test-fields.tsx';
import { useAudiences } from './use-names.ts';
import { WindowFields } from './window-fields.tsx';
import { CHANNELS, CONSENTS, IDENTIFIERS, TIMES } from './words.ts';

/** The fields of one condition, whatever it asks. */
export function LeafFields({ value: leaf, label, onChange }: Fields<Leaf>) {
  if ('did' in leaf) return <EventFields value={leaf.did} label={label} onChange={(did) => onChange({ did })} />;
  if ('property' in leaf) return null;
  if ('attribute' in leaf) return <AttributeFields value={leaf} label={label} onChange={onChange} />;
  if ('list' in leaf || 'segment' in leaf) return <AudienceField value={leaf} label={label} onChange={onChange} />;
  if ('identifier' in leaf) {
    return (
      <Choice
        label={`${label}: identifier`}
        words={IDENTIFIERS}
        value={leaf.identifier as keyof typeof IDENTIFIERS}
        onChange={(identifier) => onChange({ identifier, op: 'exists' })}
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
      <WindowFields
        label={label}
        value={window}
        onChange={(changed) => onChange({ profile: { time, window: changed ?? window } })}
      />
    </>
  );
}

function AttributeFields({ value: { attribute, ...test }, label, onChange }: Fields<AttributeCondition>) {
  const name = String(attribute);
  const attributes = useAttributes();
  return (
    <>
      <RecordedInput
        recorded={attributes}
        aria-label={`${label}: name of the attribute`}
        placeholder="loyalty_tier"
        size="xs"
        maw="100%"
        w={160}
        required
        maxLength={255}
        value={name}
        onChange={(changed) => onChange({ attribute: changed, ...test })}
      />
      <TestFields
        label={label}
        value={test}
        recorded={valuesOf(attributes, name)}
        onChange={(changed) => onChange({ attribute: name, ...changed })}
      />
    </>
  );
}

type AudienceLeaf = Extract<Leaf, { list: string } | { segment: string }>;

function AudienceField({ value: leaf, label, onChange }: Fields<AudienceLeaf>) {
  const { lists, segments } = useAudiences();
  const isList = 'list' in leaf;
  const data = (isList ? lists : segments).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      aria-label={isList ? `${label}: list` : `${label}: segment`}
      size="xs"
      maw="100%"
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
