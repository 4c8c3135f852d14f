import type { Ajv } from 'ajv';
import { isEmail, isPhone } from '../domain/identifiers.ts';
import { exactNumber } from '../domain/lossless-json.ts';
import type { Violation } from '../domain/service-error.ts';
import { addCheck, addEventTime } from '../http/validation.ts';
import { present } from './document/text.ts';
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

/** `x-identified`: requires a profile to have an id or at least one usable identifier. */
export function checkIdentified(profile: object): Violation | undefined {
  const { id, attributes } = profile as { id?: unknown; attributes?: unknown };
  if (typeof id === 'string' && present(id)) return undefined;
  const given = (attributes ?? {}) as Record<string, unknown>;
  // The schema reports wrong types and malformed ids and e-mail addresses.
  const isGiven = (name: string) => given[name] != null && present(given[name]);
  if (['external_id', 'email', 'anonymous_id'].some(isGiven)) return undefined;
  const phone = given.phone_number;
  if (isGiven('phone_number')) {
    if (typeof phone !== 'string' || isPhone(phone)) return undefined;
    return {
      path: ['attributes', 'phone_number'],
      problem: 'must be a telephone number: an optional + and 5 to 15 digits',
    };
  }
  if (isGiven('_kx')) {
    return { path: ['attributes', '_kx'], problem: `can only be resolved by the third party; the profile ${NEEDED}` };
  }
  return { path: ['attributes'], problem: NEEDED };
}
