import type { ComparisonOperator, ComparisonValue } from '../../client/index.ts';
import { asType, isFilled, type One } from '../components/values.ts';
import type { Comparison } from '../definitions.ts';
import { OPERATORS } from './words.ts';

const { gt, gte, lt, lte, before: _, after: __, ...ofTexts } = OPERATORS;
const NUMBERS: object = { gt, gte, lt, lte };

/** What identifiers can be compared by, which are texts. */
export const OPERATORS_OF_TEXTS = ofTexts;

/** Which kinds of values an operator compares with. */
export function valueKindOf(op: ComparisonOperator): 'none' | 'number' | 'list' | 'text' | 'any' {
  if (op === 'exists' || op === 'not_exists') return 'none';
  if (op in NUMBERS) return 'number';
  if (op === 'in' || op === 'not_in') return 'list';
  return op === 'starts_with' || op === 'before' || op === 'after' ? 'text' : 'any';
}

/** The comparison by another operator, with a value that goes with it. */
export function withOperator<Of extends Comparison>({ value, ...rest }: Of, op: ComparisonOperator): Of {
  const kind = valueKindOf(op);
  return { ...rest, op, ...(kind !== 'none' && { value: valueFor(kind, value) }) } as Of;
}

function valueFor(kind: 'number' | 'list' | 'text' | 'any', value: ComparisonValue | undefined): ComparisonValue {
  if (kind === 'list') return listOf(value);
  const one = Array.isArray(value) ? value[0] : value;
  return kind === 'any' ? (one ?? '') : asType(one, kind);
}

/** The values of a list; one alone is a list of one. */
export function listOf(value: ComparisonValue | undefined): One[] {
  if (Array.isArray(value)) return value;
  return isFilled(value) ? [value] : [];
}
