import { parseMoment } from '../time/moment.ts';
import { type Comparison, OPERATORS_OF_LETTERS, type Operator } from './comparison.ts';
import type { Report } from './report.ts';
import type { Path } from './tree.ts';

type Kind = 'nothing' | 'scalar' | 'number' | 'text' | 'list' | 'moment';

const KINDS: Record<Operator, Kind> = {
  exists: 'nothing',
  not_exists: 'nothing',
  eq: 'scalar',
  neq: 'scalar',
  gt: 'number',
  gte: 'number',
  lt: 'number',
  lte: 'number',
  in: 'list',
  not_in: 'list',
  contains: 'scalar',
  starts_with: 'text',
  ends_with: 'text',
  before: 'moment',
  after: 'moment',
};

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const PROBLEMS: Record<Kind, (value: unknown, report: Report) => string | undefined> = {
  nothing: (value) => (value === undefined ? undefined : 'must be absent'),
  scalar: (value) => (isScalar(value) ? undefined : 'must be a string, a number or a boolean'),
  number: (value) => (typeof value === 'number' ? undefined : 'must be a number'),
  text: (value, { limits }) => {
    if (limits.takesEmptyTexts) return typeof value === 'string' ? undefined : 'must be a string';
    return typeof value === 'string' && value !== '' ? undefined : 'must be a string, not empty';
  },
  list: (value, { limits }) => {
    if (Array.isArray(value) && value.length > 0 && value.length <= limits.list && value.every(isScalar))
      return undefined;
    return `must be a list of 1 to ${limits.list} strings, numbers or booleans`;
  },
  moment: (value) => (parseMoment(value) === undefined ? 'must be an RFC 3339 timestamp or a date' : undefined),
};

/** Checks that the value is one that the operator compares with; else it could never hold. */
export function checkComparison({ op, value, ignore_case }: Comparison, path: Path, report: Report): void {
  const kind = KINDS[op];
  if (ignore_case && !OPERATORS_OF_LETTERS.has(op)) {
    report.addUnlessUnfinished([...path, 'ignore_case'], `must be absent: ${op} compares no texts`, ignore_case);
  }
  const problem = PROBLEMS[kind](value, report);
  if (!problem) return;
  const place = [...path, 'value'];
  // Somebody may still be about to write the time.
  if (kind === 'moment' && typeof value === 'string') report.add(place, `${problem} with ${op}`);
  else report.addUnlessUnfinished(place, `${problem} with ${op}`, kind === 'nothing' ? undefined : value);
}

/** Identifiers are texts. */
export function checkTextComparison(comparison: Comparison, path: Path, report: Report): void {
  const { op, value } = comparison;
  if (['number', 'moment'].includes(KINDS[op])) {
    report.addUnlessUnfinished([...path, 'op'], 'does not compare texts', op);
    return;
  }
  checkComparison(comparison, path, report);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.some((one) => typeof one === 'number' || typeof one === 'boolean')) {
    report.addUnlessUnfinished([...path, 'value'], 'must be text, as identifiers are', value);
  }
}
