import type { Client, Response } from '../../support/client.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The smallest definition that can be published. */
export const DRAFT = {
  name: 'Call back',
  trigger: { type: 'manual' },
  start: 'end',
  steps: [{ id: 'end', type: 'exit' }],
};

export function put(client: Client, path: string, body: unknown, expect?: number): Promise<Response<any>> {
  const options = expect === undefined ? {} : { expect };
  return client.send('PUT', path, JSON.stringify(body), { headers: JSON_TYPE, ...options });
}

/** Creates an automation; what is given differs from the smallest draft. Returns its id. */
export async function create(client: Client, fields: object = {}): Promise<string> {
  const { body } = await client.post('/v1/automations', { definition: { ...DRAFT, ...fields } }, { expect: 201 });
  return body.id;
}

/** Publishes the first draft of an automation, or the one with a later revision. */
export function publish(
  client: Client,
  id: string,
  body: object = { revision: 1 },
  expect = 200,
): Promise<Response<any>> {
  return client.post(`/v1/automations/${id}/publish`, body, { expect });
}

export async function createPublished(client: Client, fields: object = {}): Promise<string> {
  const id = await create(client, fields);
  await publish(client, id);
  return id;
}

export function setStatus(client: Client, id: string, body: object, expect = 200): Promise<Response<any>> {
  return put(client, `/v1/automations/${id}/status`, body, expect);
}
