import { expect } from 'chai';
import type { Client } from './client.ts';

export interface NewEvent {
  event_type: string;
  profile: Record<string, string>;
  properties?: Record<string, unknown>;
  occurred_at?: string;
  idempotency_key?: string;
}

/** Records events; answers their ids, in their order. */
export async function record(client: Client, ...events: NewEvent[]): Promise<string[]> {
  const { body } = await client.post('/v1/events/bulk', { events }, { expect: 201 });
  return body.events.map(({ id }: { id: string }) => id);
}

/** What a list has on all its pages, the items of each page under `name`. `between` runs after each page. */
export async function readAll(
  client: Client,
  path: string,
  name: string,
  between: (page: any) => unknown = () => {},
): Promise<any[]> {
  const items: any[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = new URL(path, 'http://localhost');
    if (cursor) url.searchParams.set('cursor', cursor);
    const { body } = await client.get(url.pathname + url.search, { expect: 200 });
    items.push(...body[name]);
    await between(body);
    cursor = body.next_cursor;
  }
  return items;
}

/** The field of a `validation_error` that a request is answered with. */
export async function refusedField(client: Client, path: string): Promise<string | null> {
  const { error } = (await client.get(path, { expect: 400 })).body;
  expect(error.code).to.equal('validation_error');
  return error.field;
}
