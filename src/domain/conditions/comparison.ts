/** A name of a property or an attribute, or the path to a value within it: names may contain dots. */
export type Name = string | readonly string[];

export type Scalar = string | number | boolean;

export const OPERATORS = [
  'exists',
  'not_exists',
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'ends_with',
  'before',
  'after',
] as const;
export type Operator = (typeof OPERATORS)[number];
export type NumberOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** Those that compare texts, among other things. */
export const OPERATORS_OF_LETTERS: ReadonlySet<Operator> = new Set([
  ...(['eq', 'neq', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'] as const),
]);

/** What a value of an event or of a customer is compared with: in memory by `compare`, in SQL by `passes`. */
export interface Comparison<Op extends Operator = Operator> {
  op: Op;
  /** None for `exists` and `not_exists`, a list for `in` and `not_in`. */
  value?: Scalar | readonly Scalar[];
  /** Whether texts are the same however their letters are written, capital or small. */
  ignore_case?: boolean;
}
