import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { Comparison, ComparisonValue } from '../../../../client/index.ts';
import { valueKindOf } from './condition-rows.ts';

type Single = string | number | boolean;
type Kind = 'text' | 'number' | 'boolean';
const KINDS = [
  { value: 'text', label: 'text' },
  { value: 'number', label: 'number' },
  { value: 'boolean', label: 'true or false' },
];

const kindOf = (value: unknown): Kind =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';

/** The value as another kind: what can't be read as one is its simplest. */
export function asKind(value: unknown, kind: Kind): Single {
  if (kind === 'boolean') return value === true || value === 'true';
  if (kind === 'number') return Number.isFinite(Number(value)) ? Number(value) : 0;
  return String(value ?? '');
}

/** What a comparison compares with: values of different kinds are never equal, so the kind is chosen. */
export function ValueFields({
  comparison: { op, value },
  onChange,
}: {
  comparison: Comparison;
  onChange: (value: ComparisonValue) => void;
}) {
  const takes = valueKindOf(op);
  if (takes === 'none') return null;
  if (takes === 'list') {
    const list = Array.isArray(value) ? value : [];
    const kind = kindOf(list[0]);
    return (
      <>
        <TagsInput
          label="Values"
          value={list.map(String)}
          onChange={(texts) => onChange(texts.map((text) => asKind(text, kind)))}
          flex={1}
          miw={180}
        />
        <KindSelect kind={kind} onChange={(to) => onChange(list.map((one) => asKind(one, to)))} />
      </>
    );
  }
  const kind = takes === 'any' ? kindOf(value) : takes;
  return (
    <>
      <SingleValue value={asKind(value, kind)} onChange={onChange} />
      {takes === 'any' && <KindSelect kind={kind} onChange={(to) => onChange(asKind(value, to))} />}
    </>
  );
}

/** A text, a number, or true or false. */
export function SingleValue({ value, onChange }: { value: Single; onChange: (value: Single) => void }) {
  if (typeof value === 'number') {
    return (
      <NumberInput
        label="Value"
        value={value}
        onChange={(changed) => onChange(asKind(changed, 'number'))}
        flex={1}
        miw={120}
      />
    );
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

function KindSelect({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  return (
    <Select
      label="Kind"
      data={KINDS}
      value={kind}
      onChange={(chosen) => onChange((chosen ?? 'text') as Kind)}
      allowDeselect={false}
      w={130}
    />
  );
}
