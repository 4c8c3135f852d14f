export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** Who writes what a schema describes: the client its requests, the service its responses. */
export type Writer = 'client' | 'service';

const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

/**
 * Returns what affects a client written for `before`, each change with its place in the schema. A request may only
 * become wider, because clients keep sending what they sent; a response only narrower, because they read what they
 * knew.
 */
export function schemaChanges(before: Schema, after: Schema, writer: Writer, place = ''): string[] {
  const at = place || 'the body';
  const inner = (name: string) => (place ? `${place}.${name}` : name);
  const changes = writer === 'client' ? narrowingChanges(before, after, at) : wideningChanges(before, after, at);

  const properties = after.properties ?? {};
  for (const [name, schema] of Object.entries(before.properties ?? {})) {
    const now = properties[name];
    if (now) changes.push(...schemaChanges(schema, now, writer, inner(name)));
    else if (writer === 'service' || after.additionalProperties === false) changes.push(`${inner(name)} is gone`);
  }
  const [needed, given] = [new Set(before.required), new Set(after.required)];
  if (writer === 'client') {
    for (const name of given) if (!needed.has(name)) changes.push(`${inner(name)} is required`);
  } else {
    for (const name of needed) if (!given.has(name) && name in properties) changes.push(`${inner(name)} may be absent`);
  }

  if (before.items && after.items) changes.push(...schemaChanges(before.items, after.items, writer, `${place}[]`));
  for (const key of ['anyOf', 'oneOf'] as const)
    changes.push(...alternativeChanges(before[key], after[key], writer, at));
  for (const [index, part] of (before.allOf ?? []).entries()) {
    changes.push(...schemaChanges(part, after.allOf?.[index] ?? {}, writer, place));
  }
  return changes;
}

/** Returns what a client may no longer send. */
function narrowingChanges(before: Schema, after: Schema, at: string): string[] {
  const changes: string[] = [];
  const lost = after.type ? typesOf(before).filter((type) => !allows(typesOf(after), type)) : [];
  if (lost.length > 0) changes.push(`${at} may no longer be ${lost.join(' or ')}`);
  const values = valuesOf(after);
  const refused = values && (valuesOf(before)?.filter((value) => !values.includes(value)) ?? ['any other value']);
  if (refused?.length) changes.push(`${at} may no longer be ${refused.join(' or ')}`);
  for (const [keywords, sign] of [
    [UPPER, 1],
    [LOWER, -1],
  ] as const) {
    for (const keyword of keywords) {
      const [old, now] = [before[keyword], after[keyword]] as (number | undefined)[];
      const isLoose = old === undefined || (now ?? old) * sign < old * sign;
      if (now !== undefined && isLoose) changes.push(`${at} has ${keyword} ${now}`);
    }
  }
  for (const keyword of ['pattern', 'format', 'uniqueItems', 'multipleOf']) {
    const now = after[keyword];
    if (now !== undefined && now !== false && now !== before[keyword]) changes.push(`${at} has ${keyword} ${now}`);
  }
  if (after.additionalProperties === false && before.additionalProperties !== false) {
    changes.push(`${at} may no longer have other properties`);
  }
  return changes;
}

/** Returns what a client may receive that it does not know. */
function wideningChanges(before: Schema, after: Schema, at: string): string[] {
  const changes: string[] = [];
  const types = typesOf(before);
  if (before.type && !after.type) changes.push(`${at} may be of any type`);
  const added = before.type ? typesOf(after).filter((type) => !allows(types, type)) : [];
  if (added.length > 0) changes.push(`${at} may be ${added.join(' or ')}`);
  const known = valuesOf(before);
  const unknown = known && (valuesOf(after)?.filter((value) => !known.includes(value)) ?? ['any other value']);
  if (unknown?.length) changes.push(`${at} may be ${unknown.join(' or ')}`);
  if (before.format !== undefined && after.format !== before.format) changes.push(`${at} is no ${before.format}`);
  return changes;
}

/** Each alternative of the old requests, or of the new responses, must match one on the other side. */
function alternativeChanges(before: Schema[] = [], after: Schema[] = [], writer: Writer, at: string): string[] {
  if (before.length === 0 && after.length === 0) return [];
  const fits = (old: Schema, now: Schema) => schemaChanges(old, now, writer).length === 0;
  const isFine =
    writer === 'client'
      ? before.every((old) => after.some((now) => fits(old, now)))
      : after.every((now) => before.some((old) => fits(old, now)));
  return isFine ? [] : [`${at} has other alternatives`];
}

const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

const allows = (types: string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

const valuesOf = (schema: Schema): unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum);
