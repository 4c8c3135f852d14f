import type { Ajv } from 'ajv';
import { isEmail, isPhone } from '../domain/identifiers.ts';
import { exactNumber } from '../domain/lossless-json.ts';
import type { Violation } from '../domain/service-error.ts';
import { addCheck, addEventTime, FORMAT_PROBLEMS } from '../http/validation.ts';
import { asText, present } from './document/text.ts';
import { parseLenientTime } from './lenient-time.ts';

/** Adds the formats and keywords of `openapi/compat.yaml`, for which an empty string counts as absent. */
export function compatVocabulary(ajv: Ajv): void {
  const orEmpty = (check: (value: string) => boolean) => (value: string) => value.trim() === '' || check(value);
  ajv.addFormat('idn-email', orEmpty(isEmail));
  ajv.addFormat('phone', orEmpty(isPhone));
  ajv.addFormat(
    'date-time',
    orEmpty((value) => parseLenientTime(value) !== undefined),
  );
  addEventTime(ajv, parseLenientTime);
  ajv.addKeyword({
    keyword: 'x-numeric',
    type: 'string',
    validate: (_schema: unknown, value: string) => orEmpty((text) => exactNumber(text) !== undefined)(value),
  });
  addCheck(ajv, 'x-identified', checkIdentified);
  // `x-identified` replaces it here, because its message says better what is missing.
  ajv.removeKeyword('if');
}

const NEEDED = 'needs at least one of email, phone_number, external_id, anonymous_id';

/** The identifiers that can be malformed, with their checks and formats. */
const CHECKS = { email: [isEmail, 'idn-email'], phone_number: [isPhone, 'phone'] } as const;
const CHECKED = Object.keys(CHECKS) as (keyof typeof CHECKS)[];

/** Returns the names of the identifiers that are given and can't be read. Those of wrong types the schema reports. */
export function malformedIdentifiers(attributes: object): (keyof typeof CHECKS)[] {
  const given = attributes as Record<string, unknown>;
  return CHECKED.filter((name) => {
    const value = asText(given[name]);
    return typeof value === 'string' && present(value) && !CHECKS[name][0](value);
  });
}

/** `x-identified`: requires a profile to have an id or at least one usable identifier. */
export function checkIdentified(profile: object): Violation | undefined {
  const { id, attributes } = profile as { id?: unknown; attributes?: unknown };
  if (typeof id === 'string' && present(id)) return undefined;
  const given = (attributes ?? {}) as Record<string, unknown>;
  const isGiven = (name: string) => given[name] != null && present(given[name]);
  const malformed = malformedIdentifiers(given);
  if (['external_id', 'anonymous_id'].some(isGiven)) return undefined;
  if (CHECKED.some((name) => isGiven(name) && !malformed.includes(name))) return undefined;
  const [name] = malformed;
  if (name !== undefined) {
    const address = name === 'email' ? { address: String(given.email) } : {};
    return { path: ['attributes', name], problem: FORMAT_PROBLEMS[CHECKS[name][1]] as string, ...address };
  }
  if (isGiven('_kx')) {
    return { path: ['attributes', '_kx'], problem: `can only be resolved by the third party; the profile ${NEEDED}` };
  }
  return { path: ['attributes'], problem: NEEDED };
}
