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
  return ['starts_with', 'ends_with', 'before', 'after'].includes(op) ? 'text' : 'any';
}

/** Whether an operator compares texts, of which the case of letters may not matter. */
export function comparesLetters(op: ComparisonOperator): boolean {
  return !['none', 'number'].includes(valueKindOf(op)) && op !== 'before' && op !== 'after';
}

/** The comparison by another operator, with a value that goes with it. */
export function withOperator<Of extends Comparison>({ value, ignore_case, ...rest }: Of, op: ComparisonOperator): Of {
  const kind = valueKindOf(op);
  const ignores = ignore_case !== undefined && comparesLetters(op);
  return {
    ...rest,
    op,
    ...(kind !== 'none' && { value: valueFor(kind, value) }),
    ...(ignores && { ignore_case }),
  } as Of;
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
