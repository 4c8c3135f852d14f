import { toCount, toNumber } from '../values.ts';

/** Without the digits that binary fractions add: 0.1 and 0.2 are 0.3. */
const exact = (number: number) => (Number.isFinite(number) ? Number(number.toPrecision(15)) : 0);

function round(value: unknown, digits: unknown = 0): number {
  const scale = 10 ** Math.max(0, Math.min(10, toCount(digits)));
  const number = toNumber(value);
  return exact((Math.sign(number) * Math.round(exact(Math.abs(number) * scale))) / scale);
}

/** Whole where both are, as Shopify has it. */
function dividedBy(value: unknown, divisor: unknown): number {
  const [number, by] = [toNumber(value), toNumber(divisor)];
  const quotient = exact(number / by);
  return Number.isInteger(number) && Number.isInteger(by) ? Math.floor(quotient) : quotient;
}

function modulo(value: unknown, divisor: unknown): number {
  const by = toNumber(divisor);
  return exact(((toNumber(value) % by) + by) % by);
}

export const NUMBER_FILTERS = {
  plus: (value: unknown, other: unknown) => exact(toNumber(value) + toNumber(other)),
  minus: (value: unknown, other: unknown) => exact(toNumber(value) - toNumber(other)),
  times: (value: unknown, other: unknown) => exact(toNumber(value) * toNumber(other)),
  divided_by: dividedBy,
  modulo,
  round,
  ceil: (value: unknown) => Math.ceil(toNumber(value)),
  floor: (value: unknown) => Math.floor(toNumber(value)),
  abs: (value: unknown) => Math.abs(toNumber(value)),
  at_least: (value: unknown, least: unknown) => Math.max(toNumber(value), toNumber(least)),
  at_most: (value: unknown, most: unknown) => Math.min(toNumber(value), toNumber(most)),
};
