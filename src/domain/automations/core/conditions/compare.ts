import type { Comparison, Operator, Scalar } from '../definition/condition.ts';
import { parseMoment } from '../time/moment.ts';

type Test = (value: unknown, wanted: Comparison['value']) => boolean;

const isIn: Test = (value, wanted) => (wanted as readonly Scalar[]).includes(value as Scalar);
const numbers =
  (test: (value: number, wanted: number) => boolean): Test =>
  (value, wanted) =>
    typeof value === 'number' && typeof wanted === 'number' && test(value, wanted);
const moments =
  (test: (value: number, wanted: number) => boolean): Test =>
  (value, wanted) => {
    const [one, other] = [parseMoment(value), parseMoment(wanted)];
    return one !== undefined && other !== undefined && test(one, other);
  };

/** Values of different types never compare: `"5"` neither is 5, nor is it less or more. */
const TESTS: Record<Operator, Test> = {
  exists: (value) => value !== undefined,
  not_exists: (value) => value === undefined,
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  gt: numbers((value, wanted) => value > wanted),
  gte: numbers((value, wanted) => value >= wanted),
  lt: numbers((value, wanted) => value < wanted),
  lte: numbers((value, wanted) => value <= wanted),
  in: isIn,
  not_in: (value, wanted) => !isIn(value, wanted),
  contains: (value, wanted) =>
    Array.isArray(value)
      ? value.includes(wanted)
      : typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted),
  starts_with: (value, wanted) => typeof value === 'string' && typeof wanted === 'string' && value.startsWith(wanted),
  before: moments((value, wanted) => value < wanted),
  after: moments((value, wanted) => value > wanted),
};

/** Whether a value passes; undefined stands for a missing one, which only `not_exists`, `neq` and `not_in` let pass. */
export function compare(value: unknown, { op, value: wanted }: Comparison): boolean {
  return TESTS[op](value, wanted);
}
