import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorObject } from 'ajv';
import { OpenAPIBackend, type Operation } from 'openapi-backend';
import type { Caller } from '../domain/caller.ts';
import { invalid, invalidAll, ServiceError, type Violation } from '../domain/service-error.ts';
import { MAX_BODY_BYTES } from '../process/limits.ts';
import { type Auditing, attemptOf, callAudited, endingOf, type RequestFacts, uncheckedAttemptOf } from './audited.ts';
import { MAX_ERRORS } from './bounded-items.ts';
import { withChoices } from './choices.ts';
import type { Deadline } from './deadline.ts';
import { dropEmptyKey, KEY_HEADER, takeKeyOfHeader } from './idempotency-key.ts';
import { mayHavePlusSigns, type PlusFormat, withPlusSigns } from './plus-signs.ts';
import { createAjv, toViolations, type Vocabulary } from './validation.ts';

/** The parts of a request to validate; the names are openapi-backend's. */
export interface Parameters {
  path: Record<string, string>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  requestBody?: unknown;
}

export interface AnyReply {
  status: number;
  body?: unknown;
  /** Replaces the body; its media type is in the headers. */
  stream?: Readable;
  headers?: Record<string, string>;
  isRepeatable?: boolean;
}

/** An operation of a spec, bound to its handler. */
export interface BoundOperation {
  id: string;
  method: string;
  /** With parameters in the router's syntax: `/v1/profiles/:id`. */
  path: string;
  /** The scopes that a caller needs, all of them; empty if any key will do. */
  scopes: readonly string[];
  hasBody: boolean;
  /** Maximum bytes of a body, after decompression. */
  maxBodyBytes: number;
  /** Whether the audit log has an entry of each request that is performed. */
  isAudited: boolean;
  /** Writes the entry of a request that was refused as the caller may not make it. */
  auditRefusal(parameters: Parameters, caller: Caller, facts: RequestFacts, refusal: unknown): Promise<void>;
  /** Validates the request and calls the handler, for which an audited operation has to have `facts`. Throws `validation_error` with every violation. */
  call(
    parameters: Parameters,
    caller: Caller,
    deadline: Pick<Deadline, 'signal' | 'except'>,
    base: () => string,
    facts: RequestFacts | undefined,
  ): Promise<AnyReply>;
}

type AnyHandler = (call: {
  request: { body: unknown; path: unknown; query: unknown; headers: unknown };
  caller: Caller;
  deadline: Pick<Deadline, 'signal' | 'except'>;
  base(): string;
  rejected: ReadonlyMap<number, Violation>;
}) => Promise<AnyReply>;

export interface ContractOptions {
  /** The spec's own formats and keywords. */
  vocabulary?: Vocabulary;
  /** Whether undeclared query parameters are ignored rather than refused. */
  ignoreUnknownQuery?: boolean;
}

/** What a spec says of requests, with the validators that have been compiled. */
export interface Contract {
  backend: OpenAPIBackend;
  options: ContractOptions;
}

/** Reads what a spec says of requests, as JSON. */
export async function openContract(file: string, options: ContractOptions = {}): Promise<Contract> {
  const backend = new OpenAPIBackend({
    definition: withChoices(JSON.parse(readFileSync(file, 'utf8'))),
    strict: true,
    // Compiles no response validators (the tests check responses against the spec) and request validators only on
    // demand; nor does it check the document, as it knows only OpenAPI 3.0: the linter checks our 3.1.
    quick: true,
    customizeAjv: (_original, _options, context) => createAjv(context, options.vocabulary),
  });
  await backend.init();
  return { backend, options };
}

/** A contract that all services of a process share: it is read when the first of them starts. */
export function sharedContract(file: string, options?: ContractOptions): () => Promise<Contract> {
  let contract: Promise<Contract> | undefined;
  return () => {
    contract ??= openContract(file, options);
    return contract;
  };
}

/** Binds every operation to its handler. */
export function bindContract(contract: Contract, handlers: object, auditing: Auditing): BoundOperation[] {
  return contract.backend
    .getOperations()
    .map((operation) => bindOperation(contract, operation, handlers as Record<string, AnyHandler>, auditing));
}

function bindOperation(
  { backend, options: { ignoreUnknownQuery = false } }: Contract,
  operation: Operation,
  handlers: Record<string, AnyHandler>,
  auditing: Auditing,
): BoundOperation {
  const id = operation.operationId as string;
  const handler = handlers[id];
  if (!handler) throw new Error(`Operation ${id} has no handler`);
  // Compiled on the first call, so that a start does not wait for all of them.
  let validators: ReturnType<typeof compile> | undefined;
  const compile = () => backend.validator.getRequestValidatorsForOperation(id);
  const skippable = skippableItems(operation);
  const declared = parameterNames(operation, 'query');
  const lists = listNames(operation);
  const withPlus = formatsWithPlus(operation);
  const headerNames = parameterNames(operation, 'header');
  const knowsKey = headerNames.includes(KEY_HEADER);
  const isAudited = 'x-audited' in operation && operation['x-audited'] === true;
  const takesKey = knowsKey && !refusesKey(operation);

  return {
    id,
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    scopes: scopesOf(operation),
    hasBody: operation.requestBody !== undefined,
    maxBodyBytes: maxBytesOf(operation),
    isAudited,
    auditRefusal: (parameters, caller, facts, refusal) =>
      auditing.log.refused(uncheckedAttemptOf(id, parameters, caller, facts), endingOf(refusal, auditing.statusOf)),
    async call(parameters, caller, deadline, base, facts) {
      if (ignoreUnknownQuery) parameters.query = pickValues(parameters.query, declared);
      for (const name of lists) splitList(parameters.query, name);
      if (knowsKey) dropEmptyKey(parameters);
      if (takesKey) takeKeyOfHeader(parameters);
      for (const [name, format] of withPlus) restorePlusSigns(parameters.query, name, format);
      validators ??= await inOwnTurn(compile);
      const errors = validators.flatMap((validate) => (validate(parameters) ? [] : (validate.errors as ErrorObject[])));
      const rejected = new Map<number, Violation>();
      if (errors.length > 0) {
        // With that many errors, not every item was validated: then none is skipped.
        const mayBeSkipped = errors.length > MAX_ERRORS ? undefined : skippable;
        const violations = violationsOf(errors.slice(0, MAX_ERRORS));
        const others = separateSkippable(violations, parameters.requestBody, mayBeSkipped, rejected);
        if (others.length > 0) throw invalidAll(others);
      }
      const { path, query, header, requestBody: body } = parameters;
      checkText(query);
      const headers = Object.fromEntries(headerNames.map((name) => [name, header[name.toLowerCase()]]));
      const handle = () => handler({ request: { body, path, query, headers }, caller, deadline, base, rejected });
      if (!isAudited) return handle();
      return callAudited(auditing, attemptOf(id, parameters, caller, facts as RequestFacts), handle);
    },
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs some work in its own turn of the event loop: the first calls of all operations may coincide. */
function inOwnTurn<Result>(work: () => Result): Promise<Result> {
  const turn = lastTurn.then(() => nextTurn()).then(work);
  lastTurn = turn.catch(() => {});
  return turn;
}

/** Postgres texts can't contain NUL, so no search for one can match. */
function checkText(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (String(value).includes('\0')) throw invalid({ path: [name], problem: 'contains a NUL character' });
  }
}

function parameterNames({ parameters = [] }: Operation, location: 'query' | 'header'): string[] {
  return parameters.flatMap((parameter) => ('in' in parameter && parameter.in === location ? [parameter.name] : []));
}

/** Whether the header is declared to say that it is refused. */
function refusesKey({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => 'in' in parameter && 'x-refused' in (parameter.schema ?? {}));
}

/** Returns the query parameters that are comma-separated lists. */
function listNames({ parameters = [] }: Operation): string[] {
  return parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' && isList(parameter.schema) ? [parameter.name] : [],
  );
}

function isList(schema: object | undefined): boolean {
  return schema !== undefined && 'type' in schema && schema.type === 'array';
}

function splitList(query: Record<string, unknown>, name: string): void {
  const value = query[name];
  if (typeof value === 'string') query[name] = value.split(',');
}

/** Returns the query parameters that may have a `+`, with their formats. */
function formatsWithPlus({ parameters = [] }: Operation): [name: string, format: PlusFormat][] {
  return parameters.flatMap((parameter): [string, PlusFormat][] => {
    if (!('in' in parameter) || parameter.in !== 'query') return [];
    const { format } = (parameter.schema ?? {}) as { format?: unknown };
    return mayHavePlusSigns(format) ? [[parameter.name, format]] : [];
  });
}

function restorePlusSigns(query: Record<string, unknown>, name: string, format: PlusFormat): void {
  const value = query[name];
  if (typeof value === 'string') query[name] = withPlusSigns(format, value);
}

function pickValues(values: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));
}

/** Throws unless the operation requires an API key, and for the same scopes whatever the scheme. */
function scopesOf({ operationId, security = [] }: Operation): string[] {
  const [scopes, ...others] = security.map((alternative) => Object.values(alternative).flat());
  if (!scopes || others.some((other) => other.join() !== scopes.join()))
    throw new Error(`Operation ${operationId} must name its scopes, or none`);
  return scopes;
}

function violationsOf(errors: ErrorObject[]): Violation[] {
  const inBody = errors.filter(({ instancePath }) => instancePath.startsWith('/requestBody'));
  if (inBody.length > 0) return toViolations(inBody, '/requestBody');
  return toViolations(
    errors.map((error) => ({ ...error, instancePath: error.instancePath.replace(/^\/\w+/, '') })),
    '',
  );
}

/** Returns the spec's `x-max-bytes`, otherwise the limit for any body. */
function maxBytesOf({ requestBody }: Operation): number {
  return (requestBody as { 'x-max-bytes'?: number } | undefined)?.['x-max-bytes'] ?? MAX_BODY_BYTES;
}

/** Returns the array of the body whose invalid items may be skipped, from the spec's `x-skippable-items`. */
function skippableItems(operation: Operation): string | undefined {
  const { requestBody } = operation as { requestBody?: { content?: Record<string, { schema?: object }> } };
  const schema = requestBody?.content?.['application/json']?.schema as { 'x-skippable-items'?: string } | undefined;
  return schema?.['x-skippable-items'];
}

/**
 * Moves the first violation of each skippable item to `rejected`, if the request asks for that, and returns the others.
 */
function separateSkippable(
  violations: Violation[],
  body: unknown,
  items: string | undefined,
  rejected: Map<number, Violation>,
): Violation[] {
  if (items === undefined || (body as { on_invalid?: unknown } | null)?.on_invalid !== 'skip') return violations;
  return violations.filter((violation) => {
    const [array, index] = violation.path;
    if (array !== items || typeof index !== 'number') return true;
    if (!rejected.has(index)) rejected.set(index, violation);
    return false;
  });
}

/** Throws `forbidden` unless the caller has all scopes of the operation. Called for every operation, at one place. */
export function authorise(operation: BoundOperation, caller: Caller): void {
  for (const scope of operation.scopes) requireScope(caller, scope);
}

/** Throws `forbidden` unless the caller has a scope; for handlers of operations that need another in some cases. */
export function requireScope(caller: Caller, scope: string): void {
  if (caller.scopes.has(scope)) return;
  if (caller.actor.kind === 'person' && caller.actor.lacksSecondFactor) {
    throw new ServiceError('forbidden', 'This store asks for a second factor; set one up under Your account');
  }
  throw new ServiceError(
    'forbidden',
    `${caller.actor.kind === 'key' ? 'The API key' : 'Your role'} lacks the scope ${scope}`,
  );
}
