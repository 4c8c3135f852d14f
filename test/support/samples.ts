import { randomUUID } from 'node:crypto';
import type { Operation } from 'openapi-backend';
import type { Client, Response } from './client.ts';
import { BY_OWNER } from './people.ts';
import { loadSpec, type SurfaceName } from './spec.ts';

export const SURFACES: readonly SurfaceName[] = ['native', 'compat'];
/** An id that nothing has. */
export const UNKNOWN_ID = '01936b2e-9f00-7b11-8d02-6a7c55e0c401';

/** Every operation of both surfaces, now and later. */
export async function allOperations(): Promise<Operation[]> {
  const specs = await Promise.all(SURFACES.map(loadSpec));
  return specs.flatMap(({ operations }) => [...operations]);
}

export const methodOf = ({ method }: Operation): string => method.toUpperCase();

/**
 * The path of an operation, with one id in the place of each of its parameters, and the first of what is numbered; if
 * another one is given, with that in the place of a profile's.
 */
export function pathWith({ path }: Operation, id: string, profileId = id): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'number' ? '1' : name === 'profile_id' ? profileId : id));
}

export const hasPathId = ({ path }: Operation): boolean => path.includes('{');

/** The request body that an operation's spec gives as its first example; undefined where the operation takes none. */
export function exampleBody({ operationId, requestBody }: Operation): unknown {
  if (requestBody === undefined) return undefined;
  const [example] = exampleBodies({ requestBody } as Operation);
  if (example === undefined) throw new Error(`${operationId} needs an example of its request body`);
  return example;
}

/** All request bodies that an operation's spec gives as examples; undefined alone where the operation takes none. */
export function exampleBodies({ requestBody }: Operation): unknown[] {
  if (requestBody === undefined) return [undefined];
  const { content } = requestBody as { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  return Object.values(content['application/json']?.examples ?? {}).map(({ value }) => value);
}

/** The names of the query parameters that an operation declares. */
export function queryNames({ parameters = [] }: Operation): string[] {
  return parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'query' ? [parameter.name] : []));
}

/** Whether an operation answers with a stream, which does not end by itself. */
export function isStream({ responses = {} }: Operation): boolean {
  return Object.values(responses).some((response) => 'text/event-stream' in ((response as Answer).content ?? {}));
}

interface Answer {
  content?: Record<string, unknown>;
}

interface QueryParameter {
  name: string;
  in: string;
  required?: boolean;
  examples?: Record<string, { value: string }>;
}

/** Of operations where one parameter needs another. */
const COMPLETE_QUERIES: Record<string, string> = { listRecommendations: '?kind=best_sellers' };

/** What an operation must be asked with, as its spec shows it. */
export function requiredQuery({ operationId = '', parameters = [] }: Operation): string {
  const complete = COMPLETE_QUERIES[operationId];
  if (complete !== undefined) return complete;
  const required = (parameters as QueryParameter[]).filter((one) => one.in === 'query' && one.required);
  const values = required.map(({ name, examples = {} }) => [name, Object.values(examples)[0]?.value ?? '']);
  return values.length > 0 ? `?${new URLSearchParams(values)}` : '';
}

/** Sends the example of an operation to one of its paths, or a body in its place. */
export async function perform(
  client: Client,
  operation: Operation,
  path: string,
  body = exampleBody(operation),
): Promise<Response<any>> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers: Record<string, string> = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return client.send(methodOf(operation), path.includes('?') ? path : path + requiredQuery(operation), text, {
    headers,
  });
}

/** Those whose example names a category. */
const OF_CATEGORIES: readonly string[] = ['upsertCatalogItem', 'upsertCatalogItemsBulk'];
/** Those whose example names a customer and an item. */
const OF_ITEMS: readonly string[] = ['createCatalogSubscription'];

/** Those whose example names the id of something that has been created before. */
export const OF_OTHERS: readonly string[] = [
  'sendMessage',
  'mergeCompatProfiles',
  'getIdentityProvider',
  ...OF_CATEGORIES,
  ...OF_ITEMS,
];

/**
 * Creates what the example of an operation names, and returns what puts the ids that the store gave to it in the place of
 * those in a body. Operations that name nothing need nothing.
 */
export async function prepareFor({ operationId = '' }: Operation, client: Client): Promise<(body: string) => string> {
  if (OF_CATEGORIES.includes(operationId))
    await client.post('/v1/catalog/categories/upsert', { id: 'tea', title: 'Tea' });
  if (OF_ITEMS.includes(operationId)) {
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } });
    const variants = [{ id: 'TEA-1-100', stock: 0 }];
    await client.post('/v1/catalog/items/upsert', { id: 'TEA-1', title: 'Tea', variants });
  }
  if (operationId === 'mergeCompatProfiles') return await prepareMerge(client);
  if (operationId !== 'sendMessage') return (body) => body;
  const profile = { email: 'ada@example.com' };
  const event = { event_type: 'order_delivered', profile };
  const { body: recorded } = await client.post('/v1/events', event, { expect: 201 });
  const templateId = await publishTemplate(client);
  return (body) => body.replaceAll(SENT_TEMPLATE, templateId).replaceAll(SENT_EVENT, recorded.id);
}

/** Creates two customers who may be merged, others each time: who is merged is one with the other. */
async function prepareMerge(client: Client): Promise<(body: string) => string> {
  const ids: string[] = [];
  for (const name of ['stays', 'goes']) {
    const identifiers = { external_id: `${name}-${randomUUID()}` };
    ids.push((await client.post('/v1/profiles/upsert', { identifiers })).body.id);
  }
  const [id = '', from = ''] = ids;
  return (body) => body.replaceAll(MERGED_INTO, id).replaceAll(MERGED, from);
}

/** What the example of `mergeCompatProfiles` names. */
const [MERGED_INTO, MERGED] = ['01a1f83b-f806-7e4e-a294-c062c525643d', '01a1f840-7f3a-7b21-9c55-4d1e8a06f2b3'];

/** What the example of `sendMessage` names. */
export const [SENT_TEMPLATE, SENT_EVENT] = [
  '01a1f853-9c18-7f02-b351-e07a46d29b84',
  '01a1f83d-4534-7f4a-a55b-717940eeac0a',
];

/** Operations whose examples name what no other example makes. */
const NAMING_OTHERS = ['sendMessage', 'mergeCompatProfiles'];

/** Does what the examples of both specs do, so that the store has something of everything. */
export async function performExamples(client: Client): Promise<void> {
  for (const operation of await allOperations()) {
    // Messages are sent to whom and with what the test has.
    if (
      operation.requestBody === undefined ||
      hasPathId(operation) ||
      NAMING_OTHERS.includes(operation.operationId ?? '') ||
      BY_OWNER.has(operation.operationId ?? '')
    )
      continue;
    await prepareFor(operation, client);
    const { status } = await perform(client, operation, operation.path);
    if (status >= 300) throw new Error(`${operation.operationId} answers ${status} to its own example`);
  }
  // An example holds all that the store sends.
  const headers = { 'Content-Type': 'application/json' };
  await client.send('PUT', '/v1/store/hold', JSON.stringify({ is_held: false }), { headers, expect: 200 });
  await startRun(client);
  await publishTemplate(client);
}

/** A template whose version others look for, and which the example of a change fits. */
async function publishTemplate(client: Client): Promise<string> {
  const template = { name: 'Hello', kind: 'html', class: 'transactional', subject: 'Hello', body: '<p>Hello</p>' };
  const { body } = await client.post('/v1/templates', template, { expect: 201 });
  await client.post(`/v1/templates/${body.id}/publish`, { revision: 1 }, { expect: 200 });
  return body.id;
}

/** A run needs an automation that is published, and a customer. */
async function startRun(client: Client): Promise<void> {
  const steps = [{ id: 'day', type: 'delay', for: 'P1D', next: null }];
  const definition = { name: 'Call back', trigger: { type: 'manual' }, start: 'day', steps };
  const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
  await client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
  await client.post(`/v1/automations/${body.id}/runs`, { profile: { external_id: 'cust_1001' } }, { expect: 201 });
}
