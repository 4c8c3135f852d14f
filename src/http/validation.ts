import { _, type Ajv, type Code, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ValidationContext } from 'openapi-backend';
import { jsonbBytes } from '../db/jsonb-binary.ts';
import { isVisible } from '../domain/canonical/text.ts';
import { checkPrices } from '../domain/catalog/prices.ts';
import { isEventTime, parseTime } from '../domain/event-time.ts';
import { checkFreeForm } from '../domain/free-form.ts';
import { isEmail, isPhone } from '../domain/identifiers.ts';
import { problemOfUnstorable } from '../domain/lossless-json.ts';
import type { Violation } from '../domain/service-error.ts';
import { boundedItems } from './bounded-items.ts';

/** Adds the formats and keywords of one surface to a validator, replacing formats of the same name. */
export type Vocabulary = (ajv: Ajv) => void;

/**
 * Creates the validator of a spec: JSON Schema 2020-12, with the domain's formats. Path and query parameters are
 * converted from text to the type that the schema requires.
 */
export function createAjv(context: string, vocabulary: Vocabulary = () => {}): Ajv {
  const coerceTypes = context === ValidationContext.Params;
  // The linter validates the schemas: here that would take longer than the rest of a start. Optimising what it compiles would
  // take a third of what the first request of an operation waits for, and save none of them anything that can be measured.
  const code = { optimize: false };
  const options = { strict: false, validateSchema: false, allErrors: true, verbose: true, coerceTypes, code };
  const ajv = new Ajv2020(options) as unknown as Ajv;
  ajv.removeKeyword('items').addKeyword(boundedItems);
  addFormats.default(ajv as never);
  ajv.addFormat('idn-email', isEmail);
  ajv.addFormat('phone', isPhone);
  ajv.addFormat('date-time', (value) => parseTime(value) !== undefined);
  ajv.addFormat('iri', (value) => URL.canParse(value));
  ajv.addFormat('web-url', isWebUrl);
  // Its pattern says the same.
  ajv.addFormat('one-line', true);
  addEventTime(ajv, parseTime);
  addCheck(ajv, 'x-free-form', checkFreeForm);
  ajv.addKeyword({
    keyword: 'x-visible',
    type: 'string',
    // Of an empty text, `minLength` says what is wrong.
    validate: (_schema: unknown, value: string) => value === '' || isVisible(value),
  });
  addCheck(ajv, 'x-catalog-prices', checkPrices);
  ajv.addKeyword({
    keyword: 'x-max-json-bytes',
    type: 'object',
    validate: (most: number, value: object) => jsonbBytes(value) <= most,
  });
  ajv.addKeyword({ keyword: 'x-refused', schemaType: 'string', validate: () => false });
  ajv.addKeyword({
    keyword: 'x-some-of',
    type: 'object',
    validate: ({ members }: { members: string[] }, value: object) =>
      members.some((member) => Object.hasOwn(value, member)),
  });
  ajv.addKeyword({
    keyword: 'x-max-nesting',
    type: 'object',
    validate: (levels: number, value: object) => isNestedAtMost(levels, value),
  });
  vocabulary(ajv);
  return ajv;
}

/** `x-event-time`: a timestamp, as `parse` understands it, within the range for events. */
export function addEventTime(ajv: Ajv, parse: (text: string) => Date | undefined): void {
  ajv.removeKeyword('x-event-time').addKeyword({
    keyword: 'x-event-time',
    type: 'string',
    validate: (_schema: unknown, value: string) => isEventTime(parse(value) ?? new Date()),
  });
}

/** Whether a text is the address of a page or an image: of no script, and of no file. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export function isNestedAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isNestedAtMost(levels - 1, part));
}

/** Adds a keyword for objects; `check` returns the first violation, with a path relative to the object. */
export function addCheck(ajv: Ajv, keyword: string, check: (value: object) => Violation | undefined): void {
  // Not a `validate` function with its own errors: for each one added, Ajv copies all errors so far.
  ajv.addKeyword({
    keyword,
    type: 'object',
    schemaType: 'boolean',
    code(context) {
      const violation = context.gen.const(
        'violation',
        _`${context.gen.scopeValue('keyword', { ref: check })}(${context.data})`,
      );
      context.setParams({ violation });
      context.fail(_`${violation} !== undefined`);
    },
    error: { message: 'is not valid', params: ({ params }) => _`{violation: ${params.violation as Code}}` },
  });
}

/** Converts Ajv's errors to violations, in schema order and one per path. `root` is removed from the paths. */
export function toViolations(errors: readonly ErrorObject[], root: string): Violation[] {
  const violations = new Map<string, Violation>();
  for (const error of withoutOtherBranches(withoutChoices(errors))) {
    const violation = toViolation(error, root);
    const place = JSON.stringify(violation.path);
    if (!violations.has(place)) violations.set(place, violation);
  }
  return [...violations.values()];
}

/** That a branch does not fit says nothing beside what is wrong in it. */
function withoutChoices(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const others = errors.filter(({ keyword }) => keyword !== 'if');
  return others.length > 0 ? others : errors;
}

/**
 * For a value that matches no branch of an `anyOf`, keeps the errors of the branch with its type; if there is none, a
 * single error with all allowed types.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const isUnion = ({ keyword }: ErrorObject) => keyword === 'anyOf';
  const unions = new Map(errors.filter(isUnion).map(({ instancePath }) => [instancePath, new Set<string>()]));
  if (unions.size === 0) return errors;
  const hasBranch = new Set<string>();
  for (const error of errors) {
    const { instancePath: place, keyword, params } = error;
    if (keyword === 'type') unions.get(place)?.add(params.type);
    else if (!isUnion(error) && unions.has(place)) hasBranch.add(place);
    for (let end = place.lastIndexOf('/'); end > 0; end = place.lastIndexOf('/', end - 1)) {
      if (unions.has(place.slice(0, end))) hasBranch.add(place.slice(0, end));
    }
  }
  return errors.flatMap((error) => {
    const types = unions.get(error.instancePath);
    if (!types || !(isUnion(error) || error.keyword === 'type')) return error;
    if (!isUnion(error) || hasBranch.has(error.instancePath)) return [];
    return { ...error, keyword: 'type', params: { type: [...types] } };
  });
}

function toViolation(error: ErrorObject, root: string): Violation {
  const path = pathOf(error, root);
  const { params } = error;
  const unstorable = problemOfUnstorable(error.data);
  if (unstorable !== undefined) return { path, problem: unstorable };
  if (params.violation) return { ...params.violation, path: [...path, ...params.violation.path] };
  switch (error.keyword) {
    case 'required':
      return { path: [...path, params.missingProperty], problem: 'is required' };
    case 'dependentRequired':
      return { path: [...path, params.missingProperty], problem: `is required beside ${params.property}` };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        path: [...path, params.additionalProperty ?? params.unevaluatedProperty],
        problem: 'is not a known field',
      };
    default:
      return { path, problem: problemOf(error), ...malformedAddress(error) };
  }
}

function malformedAddress({ parentSchema, data }: ErrorObject): Pick<Violation, 'address'> {
  return parentSchema?.format === 'idn-email' && typeof data === 'string' ? { address: data } : {};
}

export const FORMAT_PROBLEMS: Readonly<Record<string, string>> = {
  'idn-email': 'must be an e-mail address of at most 254 characters',
  phone: 'must be a telephone number: an optional + and 5 to 15 digits',
  'date-time': 'must be an RFC 3339 timestamp with a valid date, such as 2026-11-20T09:15:27Z',
  date: 'must be a date, such as 2026-11-20',
  uuid: 'must be a UUID',
  iri: 'must be a URL',
  'web-url': 'must be a URL that begins with https:// or http://',
  'one-line': 'must be one line that is not blank',
  'profile-id': 'is not the id of a profile',
};

const NOT_NUMERIC = 'must be a number or a numeric string';

function problemOf({ keyword, params, parentSchema, message }: ErrorObject): string {
  if (parentSchema?.['x-phone']) return FORMAT_PROBLEMS.phone as string;
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}`;
    case 'enum':
      return mustBe(params.allowedValues);
    case 'format':
    case 'pattern':
      if (parentSchema?.['x-numeric']) return NOT_NUMERIC;
      if (parentSchema?.pattern === '\\S') return 'must not be blank';
      return FORMAT_PROBLEMS[parentSchema?.format] ?? 'contains characters that are not allowed';
    case 'x-numeric':
      return NOT_NUMERIC;
    case 'x-visible':
      return 'must not consist of invisible characters';
    case 'x-event-time':
      return 'must lie between 1990-01-01 and one year ahead';
    case 'x-refused':
      return parentSchema?.['x-refused'];
    case 'x-some-of':
      return `needs one of ${parentSchema?.['x-some-of'].named.join(', ')}`;
    case 'x-max-json-bytes':
      return `must not take more than ${parentSchema?.['x-max-json-bytes'] / 1024} KB as JSON`;
    case 'x-max-nesting':
      return 'is nested too deeply';
    case 'minProperties':
      return `needs at least one of ${Object.keys(parentSchema?.properties ?? {}).join(', ')}`;
    case 'maxProperties':
      return `must not have more than ${params.limit} properties`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must not be shorter than ${params.limit} characters`;
    case 'maxLength':
      return `must not be longer than ${params.limit} characters`;
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`;
    case 'maxItems':
      return `must not have more than ${params.limit} items`;
    case 'uniqueItems':
      return 'must not contain duplicates';
    default:
      return message ?? 'is not valid';
  }
}

function mustBe(values: unknown[]): string {
  return values.length === 1 ? `must be ${JSON.stringify(values[0])}` : `must be one of ${values.join(', ')}`;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** `/requestBody/events/3/event_type` → `['events', 3, 'event_type']`: the data distinguishes an index from a name. */
function pathOf({ instancePath }: ErrorObject, root: string): (string | number)[] {
  return instancePath
    .slice(root.length)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
