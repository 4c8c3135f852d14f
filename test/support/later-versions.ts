import { specDocument } from './spec-documents.ts';

interface Schema {
  [keyword: string]: any;
}

const PREFIX = '#/components/schemas/';
const document = specDocument('native');
const schemas: Record<string, Schema> = document.components.schemas;

const isUnknown = ({ $ref = '' }: Schema) => $ref.startsWith(`${PREFIX}Unknown`);
const resolve = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.slice(PREFIX.length)] : schema) ?? {};

/** The schemas of all that the native surface sends, by their names or places. */
export function responseSchemas(): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const pending: Schema[] = [];
  const add = (name: string, schema: Schema) => {
    if (found.has(name)) return;
    found.set(name, schema);
    pending.push(schema);
  };
  for (const { content } of Object.values<Schema>(document.components.responses)) pending.push(content ?? {});
  for (const item of Object.values({ ...document.paths, ...document.webhooks })) {
    for (const { responses } of Object.values<Schema>(item as Schema)) pending.push(responses);
  }
  for (const item of Object.values<Schema>(document.webhooks)) pending.push(...Object.values(item).map(bodyOf));
  while (pending.length > 0) {
    for (const [, name = ''] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      add(name, schemas[name] as Schema);
    }
  }
  return found;
}

const bodyOf = ({ requestBody }: Schema) => requestBody as Schema;

/** Where a schema has a choice that has no room for what a later version adds, such as `status` or `steps[].type`. */
export function closedChoices(schema: Schema): string[] {
  const found: string[] = [];
  const visit = (node: Schema, place: string, isOpen: boolean) => {
    const target = resolve(node);
    // What tells the parts of a choice from each other: a further part has another.
    const isKind = place === 'type' && target.enum?.length === 1;
    if ((target.enum || target.oneOf) && !isOpen && !isKind) found.push(place);
    if (node.$ref) return;
    const branches: Schema[] = [...(node.anyOf ?? []), ...(node.allOf ?? [])];
    for (const branch of branches) visit(branch, place, branches.some(isUnknown));
    for (const [name, property] of Object.entries<Schema>(node.properties ?? {})) {
      visit(property, place ? `${place}.${name}` : name, false);
    }
    if (node.items) visit(node.items, `${place}[]`, false);
  };
  // Where a schema is a choice itself, it is for those who refer to it to leave room.
  if (!schema.enum && !schema.oneOf) visit(schema, '', false);
  return found;
}

/** An answer of a later version: what fits a schema, with something new wherever there is room for that. */
export function answerOfLaterVersion(schema: Schema): unknown {
  const { $ref, allOf, anyOf, oneOf, type, properties, items, examples, format } = schema;
  if ($ref) return answerOfLaterVersion(resolve(schema));
  if (anyOf) return answerOfLaterVersion(anyOf.find(isUnknown) ?? anyOf[0]);
  if (allOf ?? oneOf) return answerOfLaterVersion((allOf ?? oneOf)[0]);
  if (schema.enum) return schema.enum[0];
  if (examples) return examples[0];
  switch ([type].flat()[0]) {
    case 'object': {
      const named = Object.entries<Schema>(properties ?? {}).map(([name, part]) => [name, answerOfLaterVersion(part)]);
      const isMap = typeof schema.additionalProperties === 'object';
      const more = isMap ? answerOfLaterVersion(schema.additionalProperties) : true;
      return { ...Object.fromEntries(named), of_later_version: more };
    }
    case 'array':
      return schema.maxItems === 0 ? [] : [answerOfLaterVersion(items)];
    case 'string':
      return TEXTS[format as string] ?? 'text';
    case 'boolean':
      return true;
    default:
      return schema.minimum ?? 0;
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  uuid: '01a1f83b-f806-7e4e-a294-c062c525643d',
  'date-time': '2026-11-20T09:15:27.000Z',
  date: '2026-11-20',
};
