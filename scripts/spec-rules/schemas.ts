import type { Body, Context, Location, Parameter, Schema } from './openapi.ts';

/** Formats whose values have a fixed length. */
const BOUNDED_FORMATS = ['uuid', 'date-time', 'date', 'ipv4', 'ipv6'];

/** A schema within `if`, `then` or `else`: what it concerns is bounded and described next to it. */
const isCondition = ({ location }: Context) => /(?<!\/properties)\/(?:if|then|else)(?:\/|$)/.test(location.pointer);

/** Nothing that a client sends or receives may be of unlimited size; exceptions give a reason in `x-unbounded`. */
export const bounded = () => ({
  Schema(schema: Schema, ctx: Context) {
    if (schema.enum !== undefined || schema.const !== undefined || schema['x-unbounded']) return;
    // An integer has bounds everywhere: some tools look at each schema by itself.
    const types = [schema.type ?? []].flat().filter((type) => !isCondition(ctx) || type === 'integer');
    for (const missing of types.flatMap((type) => missingBounds(type, schema))) {
      ctx.report({ message: `Has no bound: give it ${missing}` });
    }
    if (
      types.length === 0 &&
      !isCondition(ctx) &&
      !(schema.allOf || schema.anyOf || schema.oneOf || isOfEmptyList(ctx))
    ) {
      ctx.report({ message: 'Has no bound: give it a type' });
    }
  },
});

/** The items of a list that must be empty need no type. */
const isOfEmptyList = ({ key, parent }: Context) => key === 'items' && (parent as Schema).maxItems === 0;

function missingBounds(type: string, schema: Schema): string[] {
  switch (type) {
    case 'string': {
      const sized = schema.maxLength !== undefined || schema.pattern !== undefined;
      return sized || BOUNDED_FORMATS.includes(schema.format ?? '') ? [] : ['maxLength'];
    }
    case 'integer':
    case 'number':
      return (['minimum', 'maximum'] as const).filter((bound) => schema[bound] === undefined);
    case 'array':
      return schema.maxItems === undefined ? ['maxItems'] : [];
    case 'object': {
      const sized = schema.maxProperties !== undefined || schema.propertyNames !== undefined;
      return sized || !isMap(schema) ? [] : ['maxProperties'];
    }
    default:
      return [];
  }
}

/** Whether an object has names of the client's own; undeclared names of other objects are ignored. */
const isMap = ({ properties, additionalProperties }: Schema) =>
  properties === undefined || (additionalProperties !== undefined && additionalProperties !== false);

/** Generators choose the type of a number by its format, and many use a double if there is none. */
export const sized = () => ({
  Schema({ type, format }: Schema, ctx: Context) {
    if (isCondition(ctx) || ![type].flat().includes('integer') || format === 'int32' || format === 'int64') return;
    ctx.report({ message: 'An integer needs the format int32 or int64' });
  },
});

/** Every property has a description, its own or its schema's. */
export const described = () => ({
  Schema({ properties = {} }: Schema, ctx: Context) {
    if (isCondition(ctx)) return;
    for (const [name, property] of Object.entries(properties)) {
      if ((ctx.resolve(property).node as Schema | undefined)?.description) continue;
      ctx.report({ message: 'A property needs a description', location: ctx.location.child(['properties', name]) });
    }
  },
  ...Object.fromEntries(
    ['Parameter', 'Header', 'Tag', 'SecurityScheme', 'RequestBody'].map((type) => [
      type,
      ({ description }: { description?: string }, ctx: Context) => {
        if (!description) ctx.report({ message: `A ${type} needs a description` });
      },
    ]),
  ),
});

/** Every property and parameter has an example, its own or its schema's; what is made of parts, those of its parts. */
export const exemplified = () => ({
  Schema({ properties = {} }: Schema, ctx: Context) {
    if (isCondition(ctx)) return;
    for (const [name, property] of Object.entries(properties)) {
      if (isShown(property, ctx)) continue;
      ctx.report({ message: 'A property needs examples', location: ctx.location.child(['properties', name]) });
    }
  },
  Parameter({ example, examples, schema }: Parameter, ctx: Context) {
    if (example === undefined && examples === undefined && !isShown(schema, ctx)) {
      ctx.report({ message: 'A parameter needs an example, or its schema examples' });
    }
  },
});

function isShown(node: unknown, ctx: Context): boolean {
  const schema = (ctx.resolve(node).node ?? {}) as Schema;
  const { type, examples, enum: values, const: value, properties, maxItems, items, allOf, anyOf, oneOf } = schema;
  if (examples?.length || values || value !== undefined || type === 'null' || properties || maxItems === 0) return true;
  if (items) return isShown(items, ctx);
  if (allOf) return allOf.some((part) => isShown(part, ctx));
  return (anyOf ?? oneOf)?.every((part) => isShown(part, ctx)) ?? false;
}

/** A response allows fields of later versions, so that clients that validate keep working. */
export const open = () => {
  const seen = new Set<unknown>();
  function check(node: unknown, location: Location, ctx: Context): void {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Schema;
    if ($ref !== undefined) {
      const target = ctx.resolve(node);
      if (target.location) check(target.node, target.location, ctx);
      return;
    }
    if (seen.has(node)) return;
    seen.add(node);
    const schema = node as Schema;
    if (schema.additionalProperties === false || schema.unevaluatedProperties === false) {
      ctx.report({ message: 'A response is open: take its additionalProperties away', location });
    }
    for (const key of ['items', 'additionalProperties', 'unevaluatedProperties'] as const) {
      check(schema[key], location.child([key]), ctx);
    }
    for (const key of ['properties', 'allOf', 'anyOf', 'oneOf'] as const) {
      for (const [name, value] of Object.entries(schema[key] ?? {})) check(value, location.child([key, name]), ctx);
    }
  }
  return {
    Response({ content = {} }: Body, ctx: Context) {
      for (const [type, media] of Object.entries(content)) {
        check(media.schema, ctx.location.child(['content', type, 'schema']), ctx);
      }
    },
  };
};
