import type { Operation } from 'openapi-backend';

export interface Example {
  name: string;
  value: unknown;
  /** Of an answer. */
  status?: number;
}

/** What came back, and for which example of a request, where the spec shows any. */
export interface Answer {
  to?: string;
  status: number;
  body: unknown;
}

type Media = Record<string, { examples?: Record<string, { value: unknown }> }>;

function examplesOf(content: Media = {}): Example[] {
  const [media] = Object.values(content);
  return Object.entries(media?.examples ?? {}).map(([name, { value }]) => ({ name, value }));
}

/** The request bodies that the spec of an operation shows, in its order. */
export function requestExamples({ requestBody }: Operation): Example[] {
  return examplesOf((requestBody as { content?: Media } | undefined)?.content);
}

/** The bodies that the spec of an operation shows for a status. */
export function examplesOfStatus({ responses = {} }: Operation, status: number): Example[] {
  const { content } = responses[status] as { content?: Media };
  return examplesOf(content).map((example) => ({ ...example, status }));
}

/** The query parameters that have an example, with that. */
export function queryExamples({ parameters = [] }: Operation): [string, string][] {
  const all = parameters as { in: string; name: string; example?: unknown }[];
  return all
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example }) => [name, String(example)]);
}

/** The statuses that an operation declares, of those that begin with one of these digits. */
export function statusesOf({ responses = {} }: Operation, first: string): number[] {
  return Object.keys(responses)
    .filter((status) => first.includes(status.charAt(0)))
    .map(Number);
}

/** Whether an example is what came back. One with the name of the request is its answer alone, and shows no more. */
export function isAnswer(example: Example, { to, status, body }: Answer): boolean {
  return example.status === status && fits(body, example.value) && (example.name !== to || fits(example.value, body));
}

/** Whether a body has the same fields as an example, with values of the same kinds; of lists, each item that is there. */
function fits(body: unknown, example: unknown): boolean {
  if (Array.isArray(body) && Array.isArray(example)) {
    return body.every((item) => example.some((shown) => fits(item, shown)));
  }
  if (isObject(body) && isObject(example)) {
    const names = new Set([...Object.keys(body), ...Object.keys(example)]);
    return [...names].every((name) => name in body && name in example && fits(body[name], example[name]));
  }
  return kindOf(body) === kindOf(example);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The type of a value; of a text also its form, where it is an id, a timestamp or an address. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return Array.isArray(value) ? 'array' : typeof value;
  if (value.replace(UUID, '') === '') return 'id';
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.replaceAll(/\d/g, '0');
  return URL.canParse(value) && value.includes('://') ? 'address' : 'text';
}

/** Which ids of the service stand for those of the examples: the service gives new ones. */
export class Ids {
  readonly #ids = new Map<string, string>();

  /** Learns them from an answer that fits an example. */
  learn(body: unknown, example: unknown): void {
    const real = idsIn(body);
    for (const [index, id] of idsIn(example).entries()) this.#ids.set(id, real[index] ?? id);
  }

  /** Those that are known of the ids in an example. */
  of(example: unknown): string[] {
    return idsIn(example).flatMap((id) => this.#ids.get(id) ?? []);
  }

  /** A text with every id replaced that is known. */
  replace(text: string): string {
    return text.replaceAll(UUID, (id) => this.#ids.get(id) ?? id);
  }
}

function idsIn(value: unknown): string[] {
  if (isObject(value) || Array.isArray(value)) {
    // By name: the service may write its fields in another order.
    const sorted = Array.isArray(value)
      ? value
      : Object.keys(value)
          .sort()
          .map((name) => value[name]);
    return sorted.flatMap(idsIn);
  }
  return typeof value === 'string' ? (value.match(UUID) ?? []) : [];
}
