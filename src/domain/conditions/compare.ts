import { canonicalText, isAscii } from '../canonical/text.ts';
import { parseMoment } from '../time/moment.ts';
import type { Comparison, Operator, Scalar } from './comparison.ts';
import { withoutCase } from './letter-case.ts';

type Test = (value: unknown, wanted: Comparison['value']) => boolean;

/** Texts are the same however their accents were typed. */
function isSame(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  if (typeof value !== 'string' || typeof wanted !== 'string' || isAscii(wanted)) return false;
  return canonicalText(value) === canonicalText(wanted);
}

const isIn: Test = (value, wanted) => (wanted as readonly Scalar[]).some((one) => isSame(value, one));
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
  eq: isSame,
  neq: (value, wanted) => !isSame(value, wanted),
  gt: numbers((value, wanted) => value > wanted),
  gte: numbers((value, wanted) => value >= wanted),
  lt: numbers((value, wanted) => value < wanted),
  lte: numbers((value, wanted) => value <= wanted),
  in: isIn,
  not_in: (value, wanted) => !isIn(value, wanted),
  contains: (value, wanted) =>
    Array.isArray(value)
      ? value.some((one) => isSame(one, wanted))
      : typeof value === 'string' && typeof wanted === 'string' && canonicalText(value).includes(canonicalText(wanted)),
  starts_with: (value, wanted) =>
    typeof value === 'string' && typeof wanted === 'string' && canonicalText(value).startsWith(canonicalText(wanted)),
  ends_with: (value, wanted) =>
    typeof value === 'string' && typeof wanted === 'string' && canonicalText(value).endsWith(canonicalText(wanted)),
  before: moments((value, wanted) => value < wanted),
  after: moments((value, wanted) => value > wanted),
};

/** Whether a value passes; undefined stands for a missing one, which only `not_exists`, `neq` and `not_in` let pass. */
export function compare(value: unknown, { op, value: wanted, ignore_case }: Comparison): boolean {
  if (!ignore_case) return TESTS[op](value, wanted);
  return TESTS[op](inSmall(value), inSmall(wanted) as Comparison['value']);
}

/** A text, or those of a list. */
function inSmall(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? withoutCase(one) : one));
  return typeof value === 'string' ? withoutCase(value) : value;
}
