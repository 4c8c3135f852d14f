import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import {
  type EventFields,
  type EventGroup,
  eventDocument,
  eventJobDocument,
  type ProfileFields,
  profileDocument,
  profileJobDocument,
} from './documents.ts';
import { recordEvent, saveProfile } from './steps.ts';

/** See `client-requests.yaml`. */
interface ClientRequest {
  name: string;
  answer?: 'accept' | 'reject' | 'either';
  path?: string;
  headers?: Record<string, string>;
  scheme?: string;
  event?: EventFields;
  events?: EventGroup[];
  profile?: ProfileFields;
  profiles?: ProfileFields[];
  import?: ProfileFields;
  update?: ProfileFields;
  relationships?: object;
  subscribe?: ProfileFields[];
  unsubscribe?: ProfileFields[];
  suppress?: ProfileFields[];
  source?: string;
  times?: number;
  get?: string;
  finds?: number;
  next?: keyof typeof NEXT;
  operation?: string;
  body?: object;
}

interface IntegrationClient {
  client: string;
  path: string;
  headers?: Record<string, string>;
  requests: ClientRequest[];
}

const CLIENTS: IntegrationClient[] = parse(readFileSync(join(import.meta.dirname, 'client-requests.yaml'), 'utf8'));

/** Statuses that clients insist on. */
const ACCEPTED: Record<string, number> = {
  events: 202,
  'event-bulk-create-jobs': 202,
  profiles: 201,
  'profile-import': 201,
  'profile-bulk-import-jobs': 202,
  'profile-subscription-bulk-create-jobs': 202,
  'profile-subscription-bulk-delete-jobs': 202,
  'profile-suppression-bulk-create-jobs': 202,
  'client/events': 202,
  'client/profiles': 202,
  'client/subscriptions': 202,
  'client/event-bulk-create': 202,
};

/** How clients get from a link, and the address that they asked before, to the address of the next page. */
const NEXT = {
  whole: (link: string) => link,
  query: (link: string, asked: string) => `${asked.split('?')[0]}?${link.split('?')[1]}`,
  cursor: (link: string, asked: string) => withCursor(asked, new URL(link).searchParams.get('page[cursor]') as string),
  pattern: (link: string, asked: string) =>
    withCursor(asked, decodeURIComponent(/page%5Bcursor%5D=([^&]+)/.exec(link)?.[1] as string)),
  link: (link: string, asked: string) => withCursor(asked, link),
};

function withCursor(asked: string, cursor: string): string {
  return `${asked}&page[cursor]=${encodeURIComponent(cursor)}`;
}

function toDocument(request: ClientRequest): [operation: string, body: object] {
  const { event, events, profile, profiles, operation, body } = request;
  if (event) return ['events', eventDocument(event)];
  if (events) return ['event-bulk-create-jobs', eventJobDocument(events)];
  if (profile) return ['profiles', profileDocument(profile)];
  if (profiles) return ['profile-bulk-import-jobs', profileJobDocument(profiles, request.relationships)];
  const { subscribe, unsubscribe, suppress } = request;
  if (subscribe) return consentJob('profile-subscription-bulk-create-job', subscribe, request);
  if (unsubscribe) return consentJob('profile-subscription-bulk-delete-job', unsubscribe, request);
  if (suppress) return consentJob('profile-suppression-bulk-create-job', suppress, request);
  if (request.import) return ['profile-import', profileDocument(request.import)];
  if (operation && body) return [operation, body];
  throw new Error(`"${request.name}" has no body`);
}

function consentJob(
  type: string,
  profiles: ProfileFields[],
  { source, relationships }: Pick<ClientRequest, 'source' | 'relationships'>,
): [string, object] {
  const document = profileJobDocument(profiles, relationships);
  const attributes = { ...document.data.attributes, ...(source && { custom_source: source }) };
  return [`${type}s`, { data: { ...document.data, type, attributes } }];
}

/** The body as text, with its tokens filled in. */
function fill(body: object): string {
  const unique = randomUUID().slice(0, 8);
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');
  return JSON.stringify(body)
    .replaceAll('"{{int}}"', () => String(randomInt(1e9)))
    .replaceAll('{{u}}', unique)
    .replaceAll('{{phone}}', () => `+1415${digits(7)}`)
    .replaceAll(/\{\{digits:(\d+)\}\}/g, (_token, count) => digits(Number(count)))
    .replaceAll(/\{\{pad(\d+)\}\}/g, (_token, length) => unique.padEnd(Number(length), 'x'));
}

describe('Requests of real integrations', () => {
  let service: TestService;
  let key: string;
  let profileId: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
    const client = new Client(service.url, key);
    for (const day of ['02', '03', '04']) {
      const profile = { external_id: 'reader' };
      const time = `2024-01-${day}T09:30:00Z`;
      const event = await recordEvent(client, { metric: 'Placed Order', profile, time, properties: { day } });
      profileId = event.relationships.profile.data.id;
    }
    const emails = [1, 2, 3].map((n) => `reader+${n}@example.com`);
    for (const [i, email] of emails.entries()) await saveProfile(client, { external_id: `reader-${i + 1}`, email });
    const optOuts = emails.slice(1).map((email) => ({ email }));
    const [operation, job] = consentJob('profile-subscription-bulk-delete-job', optOuts, {});
    await client.post(`/compat/v1/${operation}`, job, { expect: 202 });
  });
  after(() => service.stop());

  async function send(client: IntegrationClient, request: ClientRequest) {
    const { update } = request;
    const [operation, body] = update
      ? [`profiles/${profileId}`, profileDocument({ ...update, beside: { id: profileId } })]
      : toDocument(request);
    const headers = { 'content-type': 'application/json', ...(request.headers ?? client.headers) };
    const path = (request.path ?? client.path).replace('{}', operation);
    // A page sends its public key, which `Client` adds.
    const isPage = operation.startsWith('client/');
    const authorization = isPage ? {} : { Authorization: `${request.scheme ?? 'Compat-API-Key'} ${key}` };
    const sender = new Client(service.url, isPage ? key : undefined);
    const response = await sender.send(update ? 'PATCH' : 'POST', `/compat/v1${path}`, fill(body), {
      headers: { ...headers, ...authorization },
    });
    return { response, accepted: update ? 200 : ACCEPTED[operation] };
  }

  async function read(client: IntegrationClient, request: ClientRequest, address: string) {
    const headers = { ...(request.headers ?? client.headers), Authorization: `Compat-API-Key ${key}` };
    return new Client(service.url).get(address, { headers });
  }

  for (const client of CLIENTS) {
    describe(client.client, () => {
      for (const request of client.requests) {
        const { name, answer = 'accept', times = 1, get, finds, next } = request;
        if (get !== undefined) {
          it(`${answer}s the reading of ${name}`, async () => {
            const operation = get.replace('{{profile}}', profileId);
            const [path = '', query = ''] = operation.split('?');
            const address = `/compat/v1${client.path.replace('{}', path)}?${query}`;
            const { status, body } = await read(client, request, address);
            expect(status, JSON.stringify(body)).to.equal(answer === 'accept' ? 200 : 404);
            if (finds !== undefined) expect(body.data).to.have.length(finds);
            if (!next) return;
            const following = NEXT[next](body.links.next, address).replace(service.url, '');
            const { body: page } = await read(client, request, following);
            expect(page.data, JSON.stringify(page)).to.have.length(1);
            const [{ id: firstId, attributes: first }, { id, attributes }] = [body.data[0], page.data[0]];
            expect(id).not.to.equal(firstId);
            if (!first.datetime) return;
            expect(Date.parse(attributes.datetime) < Date.parse(first.datetime)).to.equal(
              !/sort=datetime/.test(address),
            );
          });
          continue;
        }
        it(`${answer === 'either' ? 'survives' : `${answer}s`} ${name}`, async () => {
          let { response, accepted } = await send(client, request);
          for (let n = 1; n < times; n += 1) ({ response, accepted } = await send(client, request));
          const refused = response.status >= 400;
          if (refused) expect(response.body.errors, JSON.stringify(response.body)).to.be.an('array').that.is.not.empty;
          if (refused) expect(response.status).to.be.below(500);
          else expect(response.status).to.equal(accepted);
          if (answer !== 'either') expect(refused, JSON.stringify(response.body)).to.equal(answer === 'reject');
        });
      }
    });
  }
});
