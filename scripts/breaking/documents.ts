import { type Schema, schemaChanges } from './schemas.ts';

type Content = Record<string, { schema?: Schema }>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface Response {
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
  content?: Content;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Record<string, Response>;
  security?: Record<string, string[]>[];
}

type Document = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Returns what breaks a client written for the spec `before`: one line per change, as the changelog has it. */
export function breakingChanges(before: Document, after: Document): string[] {
  const now = operationsOf(after);
  return [...operationsOf(before)].flatMap(([title, operation]) => {
    const other = now.get(title);
    const changes = other ? operationChanges(operation, other) : ['the operation is gone'];
    return changes.map((change) => `${title}: ${change}`);
  });
}

function operationsOf(document: Document): Map<string, Operation> {
  const { paths = {} } = resolveReferences(document, document) as { paths?: Record<string, Record<string, Operation>> };
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(paths)) {
    const shared = (item.parameters ?? []) as Parameter[];
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const parameters = [...shared, ...(operation.parameters ?? [])];
      const security = operation.security ?? (document.security as Operation['security']) ?? [];
      operations.set(`${method.toUpperCase()} ${path}`, { ...operation, parameters, security });
    }
  }
  return operations;
}

/** Resolves the references of a node; recursive ones are left unresolved. */
function resolveReferences(node: unknown, document: Document, within: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((item) => resolveReferences(item, document, within));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') {
    if (within.includes($ref)) return {};
    const steps = $ref.replace('#/', '').split('/');
    const target = steps.reduce<unknown>(
      (at, step) => (at as Document | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
    return resolveReferences(target, document, [...within, $ref]);
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, resolveReferences(value, document, within)]),
  );
}

function operationChanges(before: Operation, after: Operation): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`it is no longer called ${before.operationId}`]),
    ...securityChanges(before.security ?? [], after.security ?? []),
    ...parameterChanges(before.parameters ?? [], after.parameters ?? []),
    ...bodyChanges(before.requestBody, after.requestBody),
    ...Object.entries(before.responses ?? {}).flatMap(([status, response]) => {
      const other = after.responses?.[status];
      const changes = other ? responseChanges(response, other) : ['is gone'];
      return changes.map((change) => `response ${status}: ${change}`);
    }),
  ];
}

/** Each way to be authorised must remain sufficient. */
function securityChanges(before: Record<string, string[]>[], after: Record<string, string[]>[]): string[] {
  const suffices = (held: Record<string, string[]>) =>
    after.some((asked) =>
      Object.entries(asked).every(
        ([scheme, scopes]) => scopes.every((scope) => held[scheme]?.includes(scope)) && scheme in held,
      ),
    );
  return before
    .filter((held) => after.length > 0 && !suffices(held))
    .map(
      (held) => `${Object.entries(held).map(([scheme, scopes]) => [scheme, ...scopes].join(' '))} no longer suffices`,
    );
}

function parameterChanges(before: Parameter[], after: Parameter[]): string[] {
  const find = (list: Parameter[], one: Parameter) => list.find((p) => p.name === one.name && p.in === one.in);
  const changes = before.flatMap((parameter) => {
    const now = find(after, parameter);
    if (!now) return [`parameter ${parameter.name} is gone`];
    const named = `parameter ${parameter.name}`;
    return schemaChanges(parameter.schema ?? {}, now.schema ?? {}, 'client', named);
  });
  const demanded = after
    .filter((parameter) => parameter.required && !find(before, parameter)?.required)
    .map(({ name }) => `parameter ${name} is required`);
  return [...changes, ...demanded];
}

function bodyChanges(before: Operation['requestBody'], after: Operation['requestBody']): string[] {
  const changes = contentChanges(before?.content, after?.content, 'client');
  return after?.required && !before?.required ? ['a body is required', ...changes] : changes;
}

function responseChanges(before: Response, after: Response): string[] {
  const headers = Object.entries(before.headers ?? {}).flatMap(([name, header]) => {
    const now = after.headers?.[name];
    if (!now) return [`header ${name} is gone`];
    if (header.required && !now.required) return [`header ${name} may be absent`];
    return schemaChanges(header.schema ?? {}, now.schema ?? {}, 'service', `header ${name}`);
  });
  return [...headers, ...contentChanges(before.content, after.content, 'service')];
}

/** The same change in several media types counts once. */
function contentChanges(before: Content = {}, after: Content = {}, writer: 'client' | 'service'): string[] {
  const changes = Object.entries(before).flatMap(([type, media]) => {
    const now = after[type];
    return now ? schemaChanges(media.schema ?? {}, now.schema ?? {}, writer) : [`${type} is gone`];
  });
  return [...new Set(changes)];
}
