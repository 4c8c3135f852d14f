import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend';
import { parse } from 'yaml';
import { withChoices } from '../../src/http/choices.ts';
import { bySpecificity } from '../../src/http/operation-router.ts';
import { createAjv } from '../../src/http/validation.ts';
import { type DeclaredHeader, headerProblems } from './headers.ts';
import { withoutStandstills } from './standstills.ts';

export type SurfaceName = 'native' | 'compat';

/** A published spec, ready to hold responses against. */
export interface Spec {
  /** In the order of the file. */
  operations: readonly Operation[];
  /** What is wrong with a response of an operation: an undeclared status, header or property. Empty where nothing is. */
  problems(operationId: string, response: AnyResponse): string[];
  /** The same for the answer to a request that is no operation, or no HTTP: an error of the surface. */
  errorProblems(response: AnyResponse): string[];
}

/** A response of an operation, as its spec declares it. */
interface Declared {
  headers?: Record<string, DeclaredHeader>;
  content?: object;
}

interface AnyResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const cache = new Map<SurfaceName, Promise<Spec>>();

export function loadSpec(name: SurfaceName): Promise<Spec> {
  // No work of the service's.
  const loaded = cache.get(name) ?? withoutStandstills(() => load(name));
  cache.set(name, loaded);
  return loaded;
}

async function load(name: SurfaceName): Promise<Spec> {
  const file = join(import.meta.dirname, '../../openapi', `${name}.yaml`);
  const definition = parse(readFileSync(file, 'utf8'));
  const published = await open(definition);
  const operations = inOrder(published.getOperations(), definition.paths);
  const backend = await open(closed(definition));
  const problems = (operationId: string, { status, headers, body }: AnyResponse): string[] => {
    const operation = backend.getOperation(operationId);
    const declared = operation?.responses?.[status] as Declared | undefined;
    if (!declared) return [`${operationId} answered ${status}, which its spec does not declare`];
    const { errors } = backend.validateResponse(body, operationId, status);
    const inHeaders = headerProblems(declared.headers ?? {}, headers).map(
      (problem) => `${operationId} answered ${status} ${problem}`,
    );
    const wrong = (errors ?? []).map((error) => `${operationId} ${status}: ${error.instancePath} ${error.message}`);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    const isDeclared = declared.content ? type in declared.content : type === '' && body === '';
    const wrongType = isDeclared ? [] : [`${operationId} answered ${status} as ${type}`];
    return [...inHeaders, ...wrongType, ...wrong];
  };
  return {
    operations,
    problems,
    // Of a status that no operation declares, such as a 404 at most paths, the body is that of a 400.
    errorProblems: (response) => {
      const [{ operationId = '', responses = {} }] = operations as [Operation];
      const status = response.status in responses ? response.status : 400;
      return problems(operationId, { ...response, status });
    },
  };
}

/**
 * A spec whose objects have the properties that it knows, and no others: published responses leave room for more, but
 * what a service of this version answers is in it.
 */
function closed<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(closed) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, closed(value)]);
  const isSchema = 'type' in node && [node.type].flat().includes('object') && 'properties' in node;
  return Object.fromEntries([...(isSchema ? [['additionalProperties', false]] : []), ...entries]);
}

async function open(definition: Document): Promise<OpenAPIBackend> {
  const backend = new OpenAPIBackend({
    definition: withChoices(definition),
    strict: true,
    quick: true,
    customizeAjv: (_original, _options, context) => createAjv(context),
  });
  await backend.init();
  return backend;
}

/** openapi-backend has an order of its own for the methods of a path. */
function inOrder(operations: Operation[], paths: Record<string, object>): Operation[] {
  const order = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  const place = ({ method, path }: Operation) => order.indexOf(`${method} ${path}`);
  return operations.sort((a, b) => place(a) - place(b));
}

/** The operation of a method and path; of several paths that fit, that of the most specific one. */
export function findOperation(spec: Spec, method: string, path: string): Operation | undefined {
  const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const fitting = spec.operations.filter((each) => each.method === method.toLowerCase() && fits(each.path));
  return bySpecificity(fitting)[0];
}
