import type { Operation } from 'openapi-backend';

export interface Example {
  name: string;
  value: unknown;
}

/** A request that a spec shows, and the answer that it shows under the same name. */
export interface Scenario {
  name: string;
  /** Parameters by name; the path's among them. */
  parameters: Record<string, string>;
  /** Undefined where the operation takes none. */
  body: unknown;
  answer: { status: number; body: unknown };
}

type Media = Record<string, { examples?: Record<string, { value: unknown }> }>;

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/**
 * The requests that the spec of an operation shows, with their answers. A body and its answer have the same name; so have
 * the values of parameters, of which a plain request has none.
 */
export function scenariosOf(operation: Operation): Scenario[] {
  const requests = examplesOf((operation.requestBody as { content?: Media } | undefined)?.content);
  const answers = statusesOf(operation, '2').flatMap((status) => {
    // The answer to each request, where it has no body.
    const shown = hasContent(operation, status)
      ? examplesOfStatus(operation, status)
      : requests.map(({ name }) => ({ name, value: '' }));
    return shown.map(({ name, value }) => ({ name, answer: { status, body: value } }));
  });
  const bodyOf = (name: string) => requests.find((request) => request.name === name)?.value;
  const order = operation.requestBody ? requests.map(({ name }) => name) : answers.map(({ name }) => name);
  const unpaired = answers.filter(({ name }) => !order.includes(name)).map(({ name }) => name);
  return [...order, ...unpaired].map((name) => {
    const shown = answers.filter((one) => one.name === name);
    const [one] = shown;
    if (!one || shown.length > 1 || unpaired.includes(name)) {
      throw new Error(`${operation.operationId} needs one request and one answer called ${name}`);
    }
    return { ...one, parameters: parametersOf(operation, name), body: bodyOf(name) };
  });
}

function parametersOf({ parameters = [] }: Operation, scenario: string): Record<string, string> {
  const given = (parameters as Parameter[]).flatMap(({ name, example, examples }) => {
    const value = examples?.[scenario]?.value ?? example;
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(given);
}

function examplesOf(content: Media = {}): Example[] {
  const [media] = Object.values(content);
  return Object.entries(media?.examples ?? {}).map(([name, { value }]) => ({ name, value }));
}

function hasContent({ responses = {} }: Operation, status: number): boolean {
  return (responses[status] as { content?: Media }).content !== undefined;
}

/** The bodies that the spec of an operation shows for a status. */
export function examplesOfStatus({ responses = {} }: Operation, status: number): Example[] {
  return examplesOf((responses[status] as { content?: Media }).content);
}

/** The statuses that an operation declares, of those that begin with one of these digits. */
export function statusesOf({ responses = {} }: Operation, first: string): number[] {
  return Object.keys(responses)
    .filter((status) => first.includes(status.charAt(0)))
    .map(Number);
}
