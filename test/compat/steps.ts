import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client, Response } from '../support/client.ts';
import { type EventFields, eventDocument, type ProfileFields, profileDocument } from './documents.ts';

const BASE = '/compat/v1';

/** Records an event; the resource that comes back. */
export async function recordEvent(client: Client, fields: EventFields) {
  const { body } = await client.post(`${BASE}/events`, eventDocument(fields), { expect: 202 });
  return body.data;
}

/** Creates or updates a profile; the resource that comes back. Identifiers alone show the profile as it is. */
export async function saveProfile(client: Client, fields: ProfileFields) {
  const { body } = await client.post(`${BASE}/profiles`, profileDocument(fields), { expect: 201 });
  return body.data;
}

/** The profile of an event, as it is now. */
export async function profileOf(client: Client, event: { relationships: { profile: { data: { id: string } } } }) {
  return saveProfile(client, { beside: { id: event.relationships.profile.data.id } });
}

/** Creates a bulk job of either kind, and follows it to its end. */
export async function runJob(client: Client, document: { data: { type: string } }) {
  const accepted = await client.post(`${BASE}/${document.data.type}s`, document, { expect: 202 });
  return followJob(client, accepted.body.data.links.self);
}

/** Waits until a job is complete; `link` is its address. */
export async function followJob(client: Client, link: string) {
  const { pathname } = new URL(link);
  for (;;) {
    const { body } = await client.get(pathname, { expect: 200 });
    if (body.data.attributes.status === 'complete') return body.data;
    await sleep(20);
  }
}

/** Every error of a job. */
export async function errorsOf(client: Client, job: { links: { self: string } }) {
  const { body } = await client.get(`${new URL(job.links.self).pathname}/import-errors?page[size]=100`, {
    expect: 200,
  });
  return body.data;
}

/** The pointers of an error document, all of the expected status. */
export function pointersOf({ body }: Response<any>): string[] {
  return body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer);
}

/** Fails unless a request was refused for what `pointer` points at, and for nothing else. */
export function expectRefusal(response: Response<any>, pointer: string): void {
  expect(response.status, JSON.stringify(response.body)).to.equal(400);
  expect(pointersOf(response)).to.deep.equal([pointer]);
}
