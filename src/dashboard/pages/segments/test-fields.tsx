import { NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { SegmentOperator, SegmentValue } from '../../../client/index.ts';
import { Choice, type Fields } from './choice.tsx';
import { OPERATORS } from './words.ts';

/** A comparison of a value of the store's own. */
export interface Test {
  op: SegmentOperator;
  value?: SegmentValue;
}

type One = string | number | boolean;
const TYPES = { text: 'a text', number: 'a number', boolean: 'yes or no' } as const;
type Type = keyof typeof TYPES;
const NUMBERS: readonly SegmentOperator[] = ['gt', 'gte', 'lt', 'lte'];

const isList = (op: SegmentOperator) => op === 'in' || op === 'not_in';

function typeOf(value: unknown): Type {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}

function asType(value: unknown, type: Type): One {
  if (type === 'boolean') return value === true || value === 'true';
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : 0;
  return String(value ?? '');
}

/** The comparison by another operator, with a value that goes with it. */
function withOperator(op: SegmentOperator, value: SegmentValue | undefined): Test {
  const one = Array.isArray(value) ? value[0] : value;
  if (op === 'exists' || op === 'not_exists') return { op };
  if (isList(op)) return { op, value: Array.isArray(value) ? value : one === undefined || one === '' ? [] : [one] };
  if (NUMBERS.includes(op)) return { op, value: asType(one, 'number') };
  return { op, value: op === 'starts_with' ? asType(one, 'text') : (one ?? '') };
}

/** How to compare and with what: values of different types are never equal, so the type is chosen. */
export function TestFields({ value: { op, value }, label, onChange }: Fields<Test>) {
  const type = typeOf(Array.isArray(value) ? value[0] : value);
  const retype = (to: Type) =>
    onChange({ op, value: Array.isArray(value) ? value.map((one) => asType(one, to)) : asType(value, to) });
  return (
    <>
      <Choice
        label={`${label}: comparison`}
        words={OPERATORS}
        w={130}
        value={op}
        onChange={(chosen) => onChange(withOperator(chosen, value))}
      />
      {value !== undefined && (
        <>
          {op !== 'starts_with' && !NUMBERS.includes(op) && (
            <Choice label={`${label}: type of value`} words={TYPES} w={110} value={type} onChange={retype} />
          )}
          <Value label={`${label}: value`} value={value} type={type} onChange={(to) => onChange({ op, value: to })} />
        </>
      )}
    </>
  );
}

function Value({ value, label, type, onChange }: Fields<SegmentValue> & { type: Type }) {
  if (Array.isArray(value)) {
    return (
      <TagsInput
        aria-label={label}
        placeholder="Values, each with Enter"
        size="xs"
        maw="100%"
        miw={120}
        maxTags={100}
        value={value.map(String)}
        onChange={(texts) => onChange(texts.map((text) => asType(text, type)))}
      />
    );
  }
  if (type === 'boolean') {
    return (
      <Choice<string>
        label={label}
        words={{ true: 'yes', false: 'no' }}
        w={80}
        value={String(value)}
        onChange={(to) => onChange(to === 'true')}
      />
    );
  }
  if (type === 'number') {
    return (
      <NumberInput
        aria-label={label}
        size="xs"
        maw="100%"
        w={110}
        value={Number(value)}
        onChange={(to) => onChange(asType(to, 'number'))}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      placeholder="gold"
      size="xs"
      maw="100%"
      w={160}
      maxLength={1000}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
