import type { Operation } from '../definition/computations.ts';

/** Members that a list may have after something was appended. */
const MAX_MEMBERS = 1_000;
/** Decimal places of a number that is rounded. */
const MAX_PLACES = 10;

/**
 * What an operation makes of values. Of `add`, those that are not there count as nothing, as does a list that is appended
 * to. Null where another one is not there or not of its kind, where a number would be divided by nothing or be too large,
 * and where a list would be too long.
 */
export function compute(operation: Operation, values: readonly unknown[]): unknown {
  switch (operation) {
    case 'append':
    case 'append_new':
    case 'remove':
      return ofList(operation, values);
    case 'add':
      return ofNumbers(
        operation,
        values.filter((value) => value !== null),
      );
    default:
      return ofNumbers(operation, values);
  }
}

function ofNumbers(operation: Operation, values: readonly unknown[]): number | null {
  if (!values.every((value) => typeof value === 'number')) return null;
  const made = calculate(operation, values as readonly number[]);
  return Number.isFinite(made) ? made + 0 : null;
}

function calculate(operation: Operation, values: readonly number[]): number {
  const [first = 0, second = 0] = values;
  switch (operation) {
    case 'add':
      return decimal(values.reduce((sum, value) => sum + value, 0));
    case 'subtract':
      return decimal(first - second);
    case 'multiply':
      return decimal(values.reduce((product, value) => product * value, 1));
    case 'divide':
      return second === 0 ? Number.NaN : first / second;
    default:
      return rounded(first, second);
  }
}

/** Of tenths and hundredths, doubles have no exact sum: 0.1 and 0.2 are 0.3. */
function decimal(value: number): number {
  return Number(value.toPrecision(15));
}

/** Half away from zero. */
function rounded(value: number, places: number): number {
  if (!Number.isInteger(places) || places < 0 || places > MAX_PLACES) return Number.NaN;
  const factor = 10 ** places;
  return (Math.sign(value) * Math.round(decimal(Math.abs(value) * factor))) / factor;
}

function ofList(operation: 'append' | 'append_new' | 'remove', [given, ...members]: readonly unknown[]) {
  const list = given === null ? [] : given;
  if (!Array.isArray(list)) return null;
  const known = new Set(list.map(keyOf));
  if (operation === 'remove') {
    const removed = new Set(members.map(keyOf));
    return list.filter((member) => !removed.has(keyOf(member)));
  }
  const added = members.filter((member) => {
    if (member === null) return false;
    if (operation === 'append') return true;
    const isNew = !known.has(keyOf(member));
    known.add(keyOf(member));
    return isNew;
  });
  const made = [...list, ...added];
  return made.length > MAX_MEMBERS ? null : made;
}

/** The same for values that are equal. */
function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
