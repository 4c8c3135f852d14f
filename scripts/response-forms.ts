/**
 * Definitions are closed in requests, where a misspelt field is an error, and open in responses, where a later version may
 * have more: so a spec has two forms of each schema that they are made of. Only that of requests is written by hand.
 */
import { Document, isPair, parse, visit, type YAMLMap } from 'yaml';

interface Schema {
  $ref?: string;
  description?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  deprecated?: boolean;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  required?: string[];
  /** What is optional in requests, and never missing in responses. */
  'x-shown'?: string[];
  /** The schema for what later versions add to a choice. */
  'x-grows'?: string;
}
type Schemas = Record<string, Schema>;

const ROOTS = ['SegmentDefinitionInput', 'TemplateBlocksInput', 'AutomationDefinitionInput'];
const MARK =
  '    # Definitions in responses, written by `npm run generate` from those above whose names end in Input.\n';
const END = '  responses:\n';
const PREFIX = '#/components/schemas/';
const UNKNOWN_VALUE = 'UnknownValue';
/** The member that tells a schema from others: its value does not grow, as what is new has a schema of its own. */
const KIND = 'type';
/** What only requests have to be. */
const OF_REQUESTS = new Set([
  ...['additionalProperties', 'minItems', 'pattern', 'if', 'then', 'else', 'dependentRequired'],
  ...['x-checked-by-domain', 'x-max-nesting', 'x-visible', 'x-grows', 'x-shown'],
]);

/** Returns the text of a spec with the forms that responses have, in place of those that were there. */
export function withResponseForms(text: string): string {
  const start = text.indexOf(MARK);
  if (start < 0) return text;
  const end = text.indexOf(END, start);
  const schemas: Schemas = parse(text).components.schemas;
  const forms = familyOf(schemas).map((name) => [formName(name), formOf(schemas[name] as Schema, schemas)]);
  return text.slice(0, start) + MARK + indented(print(Object.fromEntries(forms))) + text.slice(end);
}

const formName = (name: string) => name.replace(/Input$/, '');
const nameOf = (ref = '') => ref.slice(PREFIX.length);
const refTo = (name: string) => ({ $ref: `${PREFIX}${name}` });

/** The names of all schemas that definitions are made of and that need another form, in the order of the spec. */
function familyOf(schemas: Schemas): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    if (!name.endsWith('Input') || found.has(name) || schemas[name]?.deprecated) return;
    found.add(name);
    for (const [, used = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(used);
  };
  ROOTS.forEach(add);
  return Object.keys(schemas).filter((name) => found.has(name));
}

function formOf(schema: Schema, schemas: Schemas): Schema {
  const { $ref, description, allOf } = schema;
  if ($ref !== undefined) return grown(schema, schemas) ?? refTo(formName(nameOf($ref)));
  const [only, another] = allOf ?? [];
  if (only && !another)
    return { ...described(description), ...(grown(only, schemas) ?? { allOf: [formOf(only, schemas)] }) };
  if (schema.enum !== undefined) {
    const { description: _, ...known } = schema;
    return { ...described(description), ...withRoom(known, UNKNOWN_VALUE) };
  }
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !OF_REQUESTS.has(keyword)));
  const { required = [], 'x-shown': shown = [] } = schema;
  const always = [...required, ...shown];
  return { ...kept, ...(always.length > 0 && { required: always }), ...partsOf(schema, schemas) };
}

function partsOf({ properties, items, oneOf, anyOf, discriminator }: Schema, schemas: Schemas): Schema {
  const ofProperty = (property: Schema, name: string) => (name === KIND ? property : formOf(property, schemas));
  return {
    ...(properties && { properties: mapValues(properties, ofProperty) }),
    ...(items && { items: formOf(items, schemas) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => formOf(branch, schemas)) }),
    ...(oneOf && { oneOf: shownOf(oneOf, schemas).map(({ $ref }) => refTo(formName(nameOf($ref)))) }),
    ...(discriminator && { discriminator: { ...discriminator, mapping: mapValues(discriminator.mapping, formName) } }),
  };
}

/** A form that is deprecated is accepted, and never shown. */
function shownOf(branches: readonly Schema[], schemas: Schemas): Schema[] {
  return branches.filter(({ $ref }) => !schemas[nameOf($ref)]?.deprecated);
}

/** A choice to which later versions may add. */
function grown({ $ref }: Schema, schemas: Schemas): object | undefined {
  const name = nameOf($ref);
  const unknown = schemas[name]?.['x-grows'];
  return unknown === undefined ? undefined : withRoom(refTo(formName(name)), unknown);
}

const withRoom = (known: Schema, unknown: string) => ({ anyOf: [known, refTo(unknown)] });
const described = (description: string | undefined) => (description === undefined ? {} : { description });

const mapValues = <From, To>(object: Record<string, From>, map: (value: From, name: string) => To) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));

/** In the style of the spec: on one line what has no parts of its own. Quotes what YAML 1.1 would take for a time. */
function print(schemas: Schemas): string {
  const document = new Document(schemas, { aliasDuplicateObjects: false, version: '1.1' });
  visit(document, {
    Collection(key, node, path) {
      (node as YAMLMap).flow = path.length > 2 && !hasParts(node as YAMLMap, key, path);
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true });
}

const PARTS = ['properties', 'oneOf', 'discriminator', 'mapping'];

function hasParts(node: YAMLMap, key: unknown, path: readonly unknown[]): boolean {
  const [parent] = path.slice(-1);
  const isPart = key === 'value' && isPair(parent) && PARTS.includes(String(parent.key));
  return isPart || /\\n|"(?:properties|oneOf)":/.test(JSON.stringify(node));
}

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '    ');
