/** Valid documents of a request schema, and ways to spoil one in a single place. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from 'openapi-backend';
import { isVisible } from '../../src/domain/canonical/text.ts';
import { isNestedAtMost } from '../../src/http/validation.ts';
import { free, time } from '../compat/arbitraries.ts';
import { type Place, withValue } from './places.ts';

/** The part of JSON Schema that the request schemas of the specs use. */
export interface Schema {
  type?: string | string[];
  /** Branches of different types. */
  anyOf?: Schema[];
  /** A single schema that it extends; or, as src/http/choices.ts makes them, branches each of which is an `else`. */
  allOf?: Schema[];
  else?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  'x-event-time'?: boolean;
  'x-visible'?: boolean;
  'x-free-form'?: boolean;
  'x-max-nesting'?: number;
}

export function requestSchema({ requestBody }: Operation): Schema {
  return (requestBody as { content: Record<string, { schema: Schema }> }).content['application/json']?.schema as Schema;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const webUrls = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, size: 'small' });
const FORMATS: Record<string, Arbitrary<string>> = {
  'idn-email': fc.emailAddress().filter((address) => address.length <= 254),
  phone: fc.stringMatching(/^\+?[1-9][ .-]?\d{3}[ ()-]\d{3,9}$/),
  iri: webUrls,
  'web-url': webUrls,
  uuid: fc.uuid({ version: 7 }),
  'date-time': fc.integer({ min: 1, max: 3_000 }).map((days) => new Date(Date.now() + days * DAY_MS).toISOString()),
};

/** Choices within one another, from which on those are taken that end. */
const MAX_CHOICES = 3;

/** Those of a schema, by how many choices they are within: conditions have conditions in many places. */
const known = new WeakMap<Schema, Map<number, Arbitrary<unknown>>>();

/** Every document that a schema allows, more or less. */
export function documentsOf(given: Schema, choices = 0): Arbitrary<unknown> {
  const ofSchema = known.get(given) ?? new Map<number, Arbitrary<unknown>>();
  known.set(given, ofSchema);
  const documents = ofSchema.get(choices) ?? newDocumentsOf(given, choices);
  ofSchema.set(choices, documents);
  return documents;
}

function newDocumentsOf(given: Schema, choices: number): Arbitrary<unknown> {
  const schema = extended(given);
  if (schema['x-free-form']) return free;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => documentsOf(branch, choices)));
  const branches = branchesOf(schema);
  if (branches) {
    const ending = branches.filter((branch) => choices < MAX_CHOICES || !requiresChoice(branch));
    const { 'x-max-nesting': levels = Number.POSITIVE_INFINITY } = schema;
    return fc
      .oneof(...ending.map((branch) => documentsOf(branch, choices + 1)))
      .filter((document) => isNestedAtMost(levels, document));
  }
  const types = typesOf(schema).map((type) => (type === 'null' ? fc.constant(null) : valuesOf(type, schema, choices)));
  return fc.oneof(...types);
}

/** A schema with what it adds to the one that it extends. */
function extended(schema: Schema): Schema {
  const [base, ...others] = schema.allOf ?? [];
  if (!base || isBranch(base) || others.length > 0) return schema;
  const { allOf: _, ...own } = schema;
  return { ...extended(base), ...own };
}

/** A schema that has nothing but a condition, unlike a choice that is looked at under a condition. */
function isBranch(schema: Schema): boolean {
  return schema.else !== undefined && schema.type === undefined;
}

/** The branches of a choice; undefined for a schema that is none. */
function branchesOf(schema: Schema): Schema[] | undefined {
  if (schema.else) return branchesOf(schema.else);
  if (!schema.allOf?.every(isBranch)) return undefined;
  return schema.allOf.map((branch) => extended(branch.else as Schema));
}

/** Perhaps within what it requires. */
function requiresChoice({ properties = {}, required = [] }: Schema): boolean {
  return required.some((name) => {
    const schema = properties[name];
    return schema !== undefined && (isChoice(schema) || requiresChoice(extended(schema)));
  });
}

function isChoice(schema: Schema | undefined): boolean {
  return schema !== undefined && branchesOf(extended(schema)) !== undefined;
}

function typesOf(given: Schema): string[] {
  const { type = [], anyOf = [] } = extended(given);
  return [type, ...anyOf.map(typesOf)].flat();
}

function valuesOf(type: string, schema: Schema, choices: number): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectsOf(schema, choices);
    case 'array': {
      const { items, minItems = 0, maxItems = 5, uniqueItems } = schema;
      if (choices >= MAX_CHOICES && isChoice(items)) return fc.constant([]);
      const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) };
      const item = documentsOf(items as Schema, choices);
      return uniqueItems ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
    }
    case 'string':
      if (schema['x-event-time']) return time;
      return (schema.format && FORMATS[schema.format]) || textsOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum as number, max: schema.maximum as number });
    case 'number':
      return numbersOf(schema);
    default:
      throw new Error(`Nothing generates a ${type}`);
  }
}

/** Without -0, which no JSON has. */
function numbersOf({ minimum = -1e300, maximum = 1e300 }: Schema): Arbitrary<number> {
  return fc.double({ min: minimum, max: maximum, noNaN: true }).map((number) => number + 0);
}

function objectsOf({ properties = {}, required = [], minProperties = 0 }: Schema, choices: number): Arbitrary<unknown> {
  const members = Object.entries(properties)
    .filter(([name, schema]) => choices < MAX_CHOICES || required.includes(name) || !isChoice(schema))
    .map(([name, schema]) => [name, documentsOf(schema, choices)]);
  const record: Arbitrary<object> = fc.record(Object.fromEntries(members), { requiredKeys: required as never[] });
  return record.filter((value) => Object.keys(value).length >= minProperties);
}

/** Text that can be stored, short or as long as it may be; what a length counts is code points. */
function textsOf({
  minLength = 0,
  maxLength = 1_000,
  pattern = '',
  'x-visible': mustBeVisible,
}: Schema): Arbitrary<string> {
  // Hardly any text is by chance what a pattern says, but for one that only excludes characters.
  if (/^\^(?!\[\^|\(\?:\[\^)/.test(pattern) && !pattern.includes('(?=')) {
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length >= minLength && length <= maxLength);
  }
  const units = ['grapheme-ascii', 'grapheme', 'binary'] as const;
  const texts = units.flatMap((unit) => [
    fc.string({ unit, minLength, maxLength: Math.min(maxLength, 40) }),
    longest(unit, maxLength),
  ]);
  const allowed = new RegExp(pattern, 'u');
  const isAllowed = (text: string) => !text.includes('\0') && [...text].length <= maxLength && allowed.test(text);
  return fc.oneof(...texts).filter((text) => isAllowed(text) && (!mustBeVisible || isVisible(text)));
}

/** Of what is drawn, a part is repeated: to draw and to simplify 200,000 characters one by one takes minutes. */
function longest(unit: 'grapheme-ascii' | 'grapheme' | 'binary', length: number): Arbitrary<string> {
  const drawn = Math.min(length, 1_000);
  return fc
    .string({ unit, minLength: drawn, maxLength: drawn })
    .map((text) => [...text.repeat(Math.ceil(length / drawn))].slice(0, length).join(''));
}

/** A document that is wrong in one place. */
export interface InvalidVariant {
  /** What was done to it. */
  how: string;
  /** Where it is wrong. */
  place: Place;
  document: any;
}

const WRONG_TYPES: [type: string, value: unknown][] = [
  ['null', null],
  ['boolean', true],
  ['number', 12.5],
  ['string', 'zz'],
  ['array', [7]],
  ['object', { zz: 7 }],
];

/** Every way to spoil a valid document in one place that its schema knows. */
export function invalidVariantsOf(schema: Schema, document: unknown): InvalidVariant[] {
  return waysToSpoil(schema, document, []).map(({ how, place, value }) => ({
    how: `${how} at ${place.join('.') || 'the root'}`,
    place,
    document: JSON.parse(JSON.stringify(withValue(document, place, value))),
  }));
}

interface Way {
  how: string;
  place: Place;
  value: unknown;
}

function waysToSpoil(given: Schema, value: unknown, place: Place): Way[] {
  const schema = extended(given);
  const branches = branchesOf(schema);
  if (branches) return waysToSpoilChoice(branches, value as object, place);
  const types = typesOf(schema);
  const ways: Way[] = WRONG_TYPES.filter(([type]) => !types.includes(type)).map(([type, other]) => ({
    how: `a ${type}`,
    place,
    value: other,
  }));
  const branch = schema.anyOf?.find((inner) => typesOf(inner).includes(typeOf(value)));
  return [...ways, ...waysToSpoilInType(branch ?? schema, value, place)];
}

/** Of the branch that was chosen: by its type, else by the member that it requires, without which it would be none. */
function waysToSpoilChoice(branches: Schema[], value: { type?: unknown }, place: Place): Way[] {
  const ofType = branches.find(({ properties }) => properties?.type?.enum?.includes(value.type));
  if (ofType) return waysToSpoil(ofType, value, place);
  const fitting = branches.filter(({ required = [] }) => Object.hasOwn(value, required[0] as string));
  const branch = (fitting.find((one) => isOfType(one, value)) ?? fitting[0]) as Schema;
  const chosenBy = [...place, branch.required?.[0]].join();
  return waysToSpoil(branch, value, place).filter((way) => way.how !== 'nothing' || way.place.join() !== chosenBy);
}

/** Two may require the same member, of different types. */
function isOfType({ required = [], properties = {} }: Schema, value: object): boolean {
  const [name = ''] = required;
  return typesOf(properties[name] ?? {}).includes(typeOf((value as Record<string, unknown>)[name]));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function waysToSpoilInType(schema: Schema, value: unknown, place: Place): Way[] {
  const ways: Way[] = [];
  const add = (how: string, other: unknown, isWay = true) => isWay && ways.push({ how, place, value: other });
  if (typeof value === 'string') {
    const { enum: values, const: constant, format, minLength = 0, maxLength } = schema;
    add('another text', 'zz', values !== undefined || constant !== undefined);
    add('another format', format === 'one-line' ? 'two\nlines' : 'neither this nor that', format !== undefined);
    add('no text', '', minLength > 0);
    add('nothing visible', '\u3164\u200b', schema['x-visible'] === true);
    if (maxLength !== undefined && maxLength <= 10_000) add('too long a text', 'x'.repeat(maxLength + 1));
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = 10_000, items } = schema;
    add('no items', [], minItems > 0);
    add('too many items', Array(maxItems + 1).fill(value[0]), value.length > 0 && maxItems <= 1_000);
    if (items && value.length > 0) ways.push(...waysToSpoil(items, value[0], [...place, 0]));
  } else if (typeof value === 'object' && value !== null) {
    ways.push(...waysToSpoilObject(schema, value as Record<string, unknown>, place));
  }
  return ways;
}

function waysToSpoilObject(schema: Schema, value: Record<string, unknown>, place: Place): Way[] {
  const { properties = {}, required = [], additionalProperties, minProperties = 0, maxProperties } = schema;
  const ways: Way[] = required.map((name) => ({ how: 'nothing', place: [...place, name], value: undefined }));
  if (additionalProperties === false) ways.push({ how: 'a stranger', place: [...place, 'zz'], value: 1 });
  if (minProperties > 0) ways.push({ how: 'no members', place, value: {} });
  if (maxProperties !== undefined) {
    const many = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, i]));
    ways.push({ how: 'too many members', place, value: many });
  }
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return [...ways, ...known.flatMap(([name, inner]) => waysToSpoil(inner, value[name], [...place, name]))];
}
