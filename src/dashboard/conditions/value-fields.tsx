import { Checkbox, Select, type SelectProps, TagsInput } from '@mantine/core';
import type { ComparisonValue } from '../../client/index.ts';
import { NumberField } from '../components/number-field.tsx';
import { useTypedList } from '../components/use-typed-list.ts';
import { asType, type One, TYPES, typeOf } from '../components/values.ts';
import { withOptional } from '../components/with-optional.ts';
import type { Comparison } from '../definitions.ts';
import type { Recorded } from '../recorded/recorded.ts';
import { RecordedInput } from '../recorded/recorded-input.tsx';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { comparesLetters, listOf, OPERATORS_OF_TEXTS, valueKindOf, withOperator } from './comparison.ts';
import { OPERATORS } from './words.ts';

interface OfValue {
  /** What it was so far. */
  recorded: readonly Recorded[];
  /** Whether it can only be a text. */
  isText?: boolean;
}

/** How to compare and with what. */
export function ComparisonFields<Of extends Comparison>(props: Fields<Of> & OfValue) {
  const { value, label, onChange, isText = false } = props;
  return (
    <>
      <Choice<Comparison['op']>
        label={`${label}: comparison`}
        words={isText ? OPERATORS_OF_TEXTS : OPERATORS}
        w={130}
        value={value.op}
        onChange={(op) => onChange(withOperator(value, op))}
      />
      <ValueFields {...props} />
      {hasLetters(value) && (
        <Checkbox
          size="xs"
          label="Ignore case"
          aria-label={`${label}: ignore case`}
          checked={value.ignore_case ?? false}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withOptional(value, 'ignore_case', checked ? true : undefined))
          }
        />
      )}
    </>
  );
}

function hasLetters({ op, value }: Comparison): boolean {
  return comparesLetters(op) && typeof (Array.isArray(value) ? value[0] : value) === 'string';
}

/** What a comparison compares with: values of different types are never equal, so the type is chosen. */
export function ValueFields<Of extends Comparison>({
  value: comparison,
  label,
  onChange,
  recorded,
  isText = false,
}: Fields<Of> & OfValue) {
  const { op, value } = comparison;
  const change = (to: ComparisonValue) => onChange({ ...comparison, value: to });
  const kind = valueKindOf(op);
  if (kind === 'none') return null;
  if (kind === 'list') {
    return <ListFields value={listOf(value)} label={label} onChange={change} recorded={recorded} isText={isText} />;
  }
  const one = Array.isArray(value) ? value[0] : value;
  const type = kind === 'any' ? typeOf(one) : kind;
  return (
    <>
      {kind === 'any' && !isText && (
        <Choice
          label={`${label}: type of value`}
          words={TYPES}
          w={110}
          value={type}
          onChange={(to) => change(asType(one, to))}
        />
      )}
      <SingleValue
        aria-label={`${label}: value`}
        {...INLINE}
        w={150}
        value={asType(one, type)}
        onChange={change}
        recorded={recorded}
      />
    </>
  );
}

/** Values of one type, each of which is a tag. */
function ListFields({ value: list, label, onChange, recorded, isText }: Fields<One[]> & OfValue) {
  const { type, refused, change } = useTypedList(list, onChange);
  return (
    <>
      {!isText && (
        <Choice
          label={`${label}: type of value`}
          words={TYPES}
          w={110}
          value={type}
          onChange={(to) => change(list.map(String), to)}
        />
      )}
      <TagsInput
        aria-label={`${label}: value`}
        placeholder="Values, each with Enter"
        {...INLINE}
        miw={120}
        maxTags={100}
        data={recorded.map(({ name }) => name)}
        value={list.map(String)}
        onChange={(texts) => change(texts)}
        error={refused.length > 0 && `Not ${TYPES[type]}: ${refused.join(', ')}`}
        errorProps={{ role: 'alert' }}
      />
    </>
  );
}

/** A text, a number, or yes or no. */
export function SingleValue({
  value,
  onChange,
  recorded = [],
  ...look
}: {
  value: One;
  onChange: (value: One) => void;
  recorded?: readonly Recorded[];
} & Pick<SelectProps, 'label' | 'aria-label' | 'size' | 'w' | 'maw'>) {
  if (typeof value === 'number') return <NumberField {...look} value={value} onChange={onChange} />;
  if (typeof value !== 'boolean') {
    return (
      <RecordedInput
        recorded={recorded}
        placeholder="gold"
        maxLength={1000}
        {...look}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <Select
      {...look}
      data={[
        { value: 'true', label: 'yes' },
        { value: 'false', label: 'no' },
      ]}
      value={String(value)}
      onChange={(to) => onChange(to === 'true')}
      allowDeselect={false}
    />
  );
}
