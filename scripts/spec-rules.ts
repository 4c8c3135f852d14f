/** What Footfall asks of its specs besides Redocly's own rules: a plugin for `redocly lint`, named in redocly.yaml. */

interface Location {
  child(path: (string | number)[]): Location;
}

interface Context {
  location: Location;
  key: string | number;
  /** The node that holds this one. */
  parent: unknown;
  report(problem: { message: string; location?: Location }): void;
  resolve(node: unknown): { node?: unknown; location?: Location };
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: unknown[];
  responses?: Record<string, unknown>;
}

const ALWAYS_POSSIBLE = ['400', '401', '403', '429', '500'];
const ALWAYS_SENT = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** The answers after which a client should wait. */
const WAIT = ['429', '502', '503'];
/** The formats whose values have a length of their own. */
const BOUNDED_FORMATS = ['uuid', 'date-time', 'date', 'ipv4', 'ipv6'];
/** A capital, and not the ending of "Records", "Recording" or "Recorded". */
const IMPERATIVE = /^(?!\w+(?:[^s]s|ing|ed)\b)(?!(?:The|An?)\b)[A-Z][^.]*$/;

/** Every request and response that has a body shows one. */
const example = () => ({
  MediaType(media: { example?: unknown; examples?: object }, ctx: Context) {
    if (media.example === undefined && Object.keys(media.examples ?? {}).length === 0) {
      ctx.report({ message: 'A body needs an example' });
    }
  },
});

/** An operation names each status that is possible with every one of its kind. */
const statuses = () => ({
  PathItem: {
    Operation(operation: Operation, ctx: Context) {
      const parameters = [...(operation.parameters ?? []), ...((ctx.parent as Operation).parameters ?? [])];
      const inPath = parameters.some((one) => (ctx.resolve(one).node as { in?: string } | undefined)?.in === 'path');
      const missing = [...ALWAYS_POSSIBLE, ...(inPath ? ['404'] : [])].filter(
        (status) => !(status in (operation.responses ?? {})),
      );
      if (missing.length > 0) {
        ctx.report({ message: `Can also answer ${missing.join(', ')}`, location: ctx.location.child(['responses']) });
      }
    },
  },
});

const summary = () => ({
  Operation({ summary: text = '' }: Operation, ctx: Context) {
    if (IMPERATIVE.test(text)) return;
    const message = 'A summary begins with an imperative ("Record an event") and has no full stop';
    ctx.report({ message, location: ctx.location.child(['summary']) });
  },
});

/** The description says which scope `security` asks for: there only tools see it. */
const scope = () => ({
  Operation({ description = '', security = [] }: Operation, ctx: Context) {
    const scopes = new Set(security.flatMap((alternative) => Object.values(alternative).flat()));
    const [only] = scopes;
    if (scopes.size !== 1) {
      ctx.report({ message: 'An operation asks for one scope', location: ctx.location.child(['security']) });
    } else if (!description.includes(`**Required scope:** \`${only}\``)) {
      const message = `The description needs "**Required scope:** \`${only}\`"`;
      ctx.report({ message, location: ctx.location.child(['description']) });
    }
  },
});

/** Nothing that a client sends or gets can be of any size. */
const bounded = () => ({
  Schema(schema: Schema, ctx: Context) {
    if (schema.enum !== undefined || schema.const !== undefined) return;
    const types = [schema.type ?? []].flat();
    for (const missing of types.flatMap((type) => missingBounds(type, schema))) {
      ctx.report({ message: `Has no bound: give it ${missing}` });
    }
    // The items of a list that must be empty need no type.
    const ofEmptyList = ctx.key === 'items' && (ctx.parent as Schema).maxItems === 0;
    if (types.length === 0 && !(schema.allOf || schema.anyOf || schema.oneOf || ofEmptyList)) {
      ctx.report({ message: 'Has no bound: give it a type' });
    }
  },
});

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

/** Whether an object has names of the client's own; others that are undeclared it ignores. */
const isMap = ({ properties, additionalProperties }: Schema) =>
  properties === undefined || (additionalProperties !== undefined && additionalProperties !== false);

/** A response has no property that its spec does not know, but for maps that say that they are. */
const closed = () => {
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
    const rest = schema.additionalProperties ?? schema.unevaluatedProperties;
    const isObject = [schema.type].flat().includes('object');
    if (isObject && rest !== false && (rest === undefined || schema.properties !== undefined)) {
      ctx.report({ message: 'A response is closed: give it additionalProperties: false', location });
    }
    for (const key of ['items', 'additionalProperties', 'unevaluatedProperties'] as const) {
      check(schema[key], location.child([key]), ctx);
    }
    for (const key of ['properties', 'allOf', 'anyOf', 'oneOf'] as const) {
      for (const [name, value] of Object.entries(schema[key] ?? {})) check(value, location.child([key, name]), ctx);
    }
  }
  return {
    Response({ content = {} }: { content?: Record<string, { schema?: Schema }> }, ctx: Context) {
      for (const [type, media] of Object.entries(content)) {
        check(media.schema, ctx.location.child(['content', type, 'schema']), ctx);
      }
    },
  };
};

/** A response declares the headers that all have, and the time to wait where a client should. */
const headers = () => ({
  Operation({ responses = {} }: Operation, ctx: Context) {
    for (const [status, response] of Object.entries(responses)) {
      const { node } = ctx.resolve(response) as { node?: { headers?: object } };
      const needed = [...ALWAYS_SENT, ...(WAIT.includes(status) ? ['Retry-After'] : [])];
      const missing = needed.filter((header) => !(header in (node?.headers ?? {})));
      if (missing.length > 0) {
        const location = ctx.location.child(['responses', status]);
        ctx.report({ message: `Has undeclared headers: ${missing.join(', ')}`, location });
      }
    }
  },
});

export default () => ({
  id: 'footfall',
  rules: { oas3: { example, statuses, summary, scope, bounded, closed, headers } },
});
