import { Select, TagsInput } from '@mantine/core';
import type { ComparisonValue } from '../../../../client/index.ts';
import { NumberField } from '../../../components/number-field.tsx';
import { useTypedList } from '../../../components/use-typed-list.ts';
import { asType, type One, TYPES, type Type, typeOf } from '../../../components/values.ts';
import type { Comparison } from '../../../definitions.ts';
import type { Recorded } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';
import { valueKindOf } from './condition-rows.ts';

const TYPE_LABELS: Readonly<Record<Type, string>> = { text: 'text', number: 'number', boolean: 'true or false' };

/** What a comparison compares with: values of different types are never equal, so the type is chosen. */
export function ValueFields({
  comparison: { op, value },
  onChange,
  recorded,
}: {
  comparison: Comparison;
  onChange: (value: ComparisonValue) => void;
  /** What it was so far. */
  recorded: readonly Recorded[];
}) {
  const takes = valueKindOf(op);
  if (takes === 'none') return null;
  if (takes === 'list')
    return <ListFields list={Array.isArray(value) ? value : []} onChange={onChange} recorded={recorded} />;
  const one = Array.isArray(value) ? value[0] : value;
  const type = takes === 'any' ? typeOf(one) : takes;
  return (
    <>
      <SingleValue value={asType(one, type)} onChange={onChange} recorded={recorded} />
      {takes === 'any' && <TypeSelect type={type} onChange={(to) => onChange(asType(one, to))} />}
    </>
  );
}

function ListFields({
  list,
  onChange,
  recorded,
}: {
  list: One[];
  onChange: (list: One[]) => void;
  recorded: readonly Recorded[];
}) {
  const { type, refused, change } = useTypedList(list, onChange);
  return (
    <>
      <TagsInput
        label="Values"
        data={recorded.map(({ name }) => name)}
        value={list.map(String)}
        onChange={(texts) => change(texts)}
        error={refused.length > 0 && `Not ${TYPES[type]}: ${refused.join(', ')}`}
        errorProps={{ role: 'alert' }}
        flex={1}
        miw={180}
      />
      <TypeSelect type={type} onChange={(to) => change(list.map(String), to)} />
    </>
  );
}

/** A text, a number, or true or false. */
export function SingleValue({
  value,
  onChange,
  recorded = [],
}: {
  value: One;
  onChange: (value: One) => void;
  recorded?: readonly Recorded[];
}) {
  if (typeof value === 'number') {
    return <NumberField label="Value" value={value} onChange={onChange} flex={1} miw={120} />;
  }
  if (typeof value === 'boolean') {
    return (
      <Select
        label="Value"
        data={['true', 'false']}
        value={String(value)}
        onChange={(changed) => onChange(changed === 'true')}
        allowDeselect={false}
        w={110}
      />
    );
  }
  return <RecordedInput recorded={recorded} label="Value" value={value} onChange={onChange} flex={1} miw={120} />;
}

function TypeSelect({ type, onChange }: { type: Type; onChange: (type: Type) => void }) {
  return (
    <Select
      label="Kind"
      data={Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }))}
      value={type}
      onChange={(chosen) => onChange((chosen ?? 'text') as Type)}
      allowDeselect={false}
      w={130}
    />
  );
}
