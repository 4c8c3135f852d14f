import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend';
import { withChoices } from '../../src/http/choices.ts';
import { bySpecificity } from '../../src/http/operation-router.ts';
import { createAjv } from '../../src/http/validation.ts';
import { headerProblems } from './headers.ts';
import { ResponseSchemas } from './response-schemas.ts';
import { type SurfaceName, specDocument } from './spec-documents.ts';

export type { SurfaceName };

/** A published spec, ready to hold responses against. */
export interface Spec {
  /** In the order of the file. */
  operations: readonly Operation[];
  /** What is wrong with a response of an operation: an undeclared status, header or property. Empty where nothing is. */
  problems(operationId: string, response: AnyResponse): string[];
  /** The same for the answer to a request that is no operation, or no HTTP: an error of the surface. */
  errorProblems(response: AnyResponse): string[];
}

interface AnyResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const cache = new Map<SurfaceName, Promise<Spec>>();

export function loadSpec(name: SurfaceName): Promise<Spec> {
  const loaded = cache.get(name) ?? load(name);
  cache.set(name, loaded);
  return loaded;
}

async function load(name: SurfaceName): Promise<Spec> {
  const document = specDocument(name);
  const operations = inOrder(await operationsOf(document), document.paths);
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const schemas = new ResponseSchemas(document);
  const problems = (operationId: string, { status, headers, body }: AnyResponse): string[] => {
    const { path, method } = byId.get(operationId) as Operation;
    const declared = schemas.find(path, method, status);
    if (!declared) return [`${operationId} answered ${status}, which its spec does not declare`];
    const inHeaders = headerProblems(declared.headers, headers).map(
      (problem) => `${operationId} answered ${status} ${problem}`,
    );
    const wrong = declared.bodyProblems(body).map((problem) => `${operationId} ${status}: ${problem}`);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    const isDeclared = declared.types ? declared.types.includes(type) : type === '' && body === '';
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

async function operationsOf(definition: Document): Promise<Operation[]> {
  const backend = new OpenAPIBackend({
    definition: withChoices(definition),
    strict: true,
    quick: true,
    customizeAjv: (_original, _options, context) => createAjv(context),
  });
  await backend.init();
  return backend.getOperations();
}

/** openapi-backend has an order of its own for the methods of a path. */
function inOrder(operations: Operation[], paths: Record<string, object>): Operation[] {
  const order = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  const place = ({ method, path }: Operation) => order.indexOf(`${method} ${path}`);
  return operations.sort((a, b) => place(a) - place(b));
}

/** The operation of a method and path; of several paths that fit, that of the most specific one. */
export function findOperation(spec: Spec, method: string, path: string): Operation | undefined {
  const fitting = spec.operations.filter(
    (each) => each.method === method.toLowerCase() && patternOf(each.path).test(path),
  );
  return bySpecificity(fitting)[0];
}

const patterns = new Map<string, RegExp>();

/** What paths of a template look like. */
function patternOf(template: string): RegExp {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(template, pattern);
  return pattern;
}
