import type { ComparisonOperator, ComparisonValue } from '../../../client/index.ts';
import { NumberField } from '../../components/number-field.tsx';
import { asType, isFilled, type One, TYPES, typeOf } from '../../components/values.ts';
import type { Recorded } from '../../recorded/recorded.ts';
import { RecordedInput } from '../../recorded/recorded-input.tsx';
import { Choice, type Fields } from './choice.tsx';
import { ListFields } from './list-fields.tsx';
import { OPERATORS } from './words.ts';

/** A comparison of a value of the store's own. */
export interface Test {
  op: ComparisonOperator;
  value?: ComparisonValue;
}

const NUMBERS: readonly ComparisonOperator[] = ['gt', 'gte', 'lt', 'lte'];

const TEXTS: readonly ComparisonOperator[] = ['starts_with', 'before', 'after'];

const isList = (op: ComparisonOperator) => op === 'in' || op === 'not_in';

function listOf(value: ComparisonValue | undefined): One[] {
  if (Array.isArray(value)) return value;
  return isFilled(value) ? [value] : [];
}

/** The comparison by another operator, with a value that goes with it. */
function withOperator(op: ComparisonOperator, value: ComparisonValue | undefined): Test {
  const one = Array.isArray(value) ? value[0] : value;
  if (op === 'exists' || op === 'not_exists') return { op };
  if (isList(op)) return { op, value: listOf(value) };
  if (NUMBERS.includes(op)) return { op, value: asType(one, 'number') };
  return { op, value: TEXTS.includes(op) ? asType(one, 'text') : (one ?? '') };
}

/** How to compare and with what: values of different types are never equal, so the type is chosen. */
export function TestFields({
  value: { op, value },
  label,
  onChange,
  recorded,
}: Fields<Test> & { recorded: readonly Recorded[] }) {
  const change = (to: ComparisonValue) => onChange({ op, value: to });
  return (
    <>
      <Choice
        label={`${label}: comparison`}
        words={OPERATORS}
        w={130}
        value={op}
        onChange={(chosen) => onChange(withOperator(chosen, value))}
      />
      {Array.isArray(value) && <ListFields label={label} value={value} onChange={change} recorded={recorded} />}
      {value !== undefined && !Array.isArray(value) && (
        <>
          {!TEXTS.includes(op) && !NUMBERS.includes(op) && (
            <Choice
              label={`${label}: type of value`}
              words={TYPES}
              w={110}
              value={typeOf(value)}
              onChange={(to) => change(asType(value, to))}
            />
          )}
          <SingleValue label={`${label}: value`} value={value} onChange={change} recorded={recorded} />
        </>
      )}
    </>
  );
}

function SingleValue({ value, label, onChange, recorded }: Fields<One> & { recorded: readonly Recorded[] }) {
  if (typeof value === 'boolean') {
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
  if (typeof value === 'number') {
    return <NumberField aria-label={label} size="xs" maw="100%" w={110} value={value} onChange={onChange} />;
  }
  return (
    <RecordedInput
      recorded={recorded}
      aria-label={label}
      placeholder="gold"
      size="xs"
      maw="100%"
      w={160}
      maxLength={1000}
      value={value}
      onChange={onChange}
    />
  );
}
