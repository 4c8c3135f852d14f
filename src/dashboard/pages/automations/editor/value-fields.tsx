import { Select, TagsInput, TextInput } from '@mantine/core';
import type { Comparison, ComparisonValue } from '../../../../client/index.ts';
import { NumberField } from '../../../components/number-field.tsx';
import { useTypedList } from '../../../components/use-typed-list.ts';
import { asType, type One, TYPES, type Type, typeOf } from '../../../components/values.ts';
import { valueKindOf } from './condition-rows.ts';

const TYPE_LABELS: Readonly<Record<Type, string>> = { text: 'text', number: 'number', boolean: 'true or false' };

/** What a comparison compares with: values of different types are never equal, so the type is chosen. */
export function ValueFields({
  comparison: { op, value },
  onChange,
}: {
  comparison: Comparison;
  onChange: (value: ComparisonValue) => void;
}) {
  const takes = valueKindOf(op);
  if (takes === 'none') return null;
  if (takes === 'list') return <ListFields list={Array.isArray(value) ? value : []} onChange={onChange} />;
  const one = Array.isArray(value) ? value[0] : value;
  const type = takes === 'any' ? typeOf(one) : takes;
  return (
    <>
      <SingleValue value={asType(one, type)} onChange={onChange} />
      {takes === 'any' && <TypeSelect type={type} onChange={(to) => onChange(asType(one, to))} />}
    </>
  );
}

function ListFields({ list, onChange }: { list: One[]; onChange: (list: One[]) => void }) {
  const { type, refused, change } = useTypedList(list, onChange);
  return (
    <>
      <TagsInput
        label="Values"
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
export function SingleValue({ value, onChange }: { value: One; onChange: (value: One) => void }) {
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
  return (
    <TextInput
      label="Value"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      flex={1}
      miw={120}
    />
  );
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
