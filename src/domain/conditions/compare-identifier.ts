import { canonicalEmailPrefix, readEmail } from '../canonical/email.ts';
import { canonicalPhonePrefix, readPhone } from '../canonical/phone.ts';
import type { Canonical } from '../canonical/spellings.ts';
import { compare } from './compare.ts';
import type { Comparison, Operator, Scalar } from './comparison.ts';

interface Kind {
  read: (text: string) => Canonical | undefined;
  part: (text: string) => string;
}

/** Addresses and numbers are compared in their canonical form, and parts of them as they are searched for. */
const KINDS: Readonly<Record<string, Kind>> = {
  email: { read: readEmail, part: canonicalEmailPrefix },
  phone: { read: (text) => readPhone(text, null), part: canonicalPhonePrefix },
};

/** Whether an identifier of a customer passes. */
export function compareIdentifier(name: string, value: unknown, given: Comparison): boolean {
  const { op, value: wanted } = given;
  const kind = KINDS[name];
  if (!kind || typeof value !== 'string') return compare(value, given);
  const isPart = comparesParts(op);
  const whole = (text: string) => kind.read(text)?.value ?? text;
  const spelt = (one: Scalar) => (typeof one === 'string' ? (isPart ? kind.part(one) : whole(one)) : one);
  const asked = typeof wanted === 'object' ? wanted.map(spelt) : wanted === undefined ? undefined : spelt(wanted);
  const comparison = { ...given, ...(asked === undefined ? {} : { value: asked }) };
  // A part may be one of the domain as it is shown, or in ASCII.
  const passes = compare(whole(value), comparison);
  return passes || (isPart && compare(value, comparison));
}

/** The texts of which a stored identifier must be one, or have one as a part, to be what a comparison asks for. */
export function spellingsToFind(name: string, op: Operator, wanted: Comparison['value']): Scalar[] {
  const kind = KINDS[name];
  const values = Array.isArray(wanted) ? (wanted as readonly Scalar[]) : [wanted as Scalar];
  const found = values.flatMap((one) => {
    if (!kind || typeof one !== 'string') return [one];
    if (comparesParts(op)) return [kind.part(one), one];
    const read = kind.read(one);
    return read ? [read.value, ...(read.spellings ? [read.spellings.shown, ...read.spellings.lookedUp] : [])] : [one];
  });
  return [...new Set(found)];
}

function comparesParts(op: Operator): boolean {
  return op === 'contains' || op === 'starts_with' || op === 'ends_with';
}
