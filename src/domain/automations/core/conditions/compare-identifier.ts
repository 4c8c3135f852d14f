import { canonicalEmailPrefix, readEmail } from '../../../canonical/email.ts';
import { canonicalPhonePrefix, readPhone } from '../../../canonical/phone.ts';
import { compare } from '../../../conditions/compare.ts';
import type { Comparison, Scalar } from '../../../conditions/comparison.ts';

interface Kind {
  whole: (text: string) => string;
  part: (text: string) => string;
}

/** Addresses and numbers are compared in their canonical form, and parts of them as they are searched for. */
const KINDS: Readonly<Record<string, Kind>> = {
  email: { whole: (text) => readEmail(text)?.value ?? text, part: canonicalEmailPrefix },
  phone: { whole: (text) => readPhone(text, null)?.value ?? text, part: canonicalPhonePrefix },
};

/** Whether an identifier of a customer passes. */
export function compareIdentifier(name: string, value: unknown, { op, value: wanted }: Comparison): boolean {
  const kind = KINDS[name];
  if (!kind || typeof value !== 'string') return compare(value, { op, value: wanted } as Comparison);
  const isPart = op === 'contains' || op === 'starts_with';
  const spelt = (one: Scalar) => (typeof one === 'string' ? kind[isPart ? 'part' : 'whole'](one) : one);
  const asked = typeof wanted === 'object' ? wanted.map(spelt) : wanted === undefined ? undefined : spelt(wanted);
  const comparison = { op, ...(asked === undefined ? {} : { value: asked }) };
  // A part may be one of the domain as it is shown, or in ASCII.
  const passes = compare(kind.whole(value), comparison);
  return passes || (isPart && compare(value, comparison));
}
