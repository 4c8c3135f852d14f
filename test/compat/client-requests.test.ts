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
  relationships?: object;
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
  'profile-bulk-import-jobs': 202,
};

function toDocument(request: ClientRequest): [operation: string, body: object] {
  const { event, events, profile, profiles, operation, body } = request;
  if (event) return ['events', eventDocument(event)];
  if (events) return ['event-bulk-create-jobs', eventJobDocument(events)];
  if (profile) return ['profiles', profileDocument(profile)];
  if (profiles) return ['profile-bulk-import-jobs', profileJobDocument(profiles, request.relationships)];
  if (operation && body) return [operation, body];
  throw new Error(`"${request.name}" has no body`);
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

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
  });
  after(() => service.stop());

  async function send(client: IntegrationClient, request: ClientRequest, operation: string, body: object) {
    const headers = { 'content-type': 'application/json', ...(request.headers ?? client.headers) };
    const path = (request.path ?? client.path).replace('{}', operation);
    return new Client(service.url).send('POST', `/compat/v1${path}`, fill(body), {
      headers: { ...headers, Authorization: `${request.scheme ?? 'Compat-API-Key'} ${key}` },
    });
  }

  for (const client of CLIENTS) {
    describe(client.client, () => {
      for (const request of client.requests) {
        const { name, answer = 'accept' } = request;
        const [operation, body] = toDocument(request);

        it(`${answer === 'either' ? 'survives' : `${answer}s`} ${name}`, async () => {
          const response = await send(client, request, operation, body);
          const refused = response.status >= 400;
          if (refused) expect(response.body.errors, JSON.stringify(response.body)).to.be.an('array').that.is.not.empty;
          if (refused) expect(response.status).to.be.below(500);
          else expect(response.status).to.equal(ACCEPTED[operation]);
          if (answer !== 'either') expect(refused, JSON.stringify(response.body)).to.equal(answer === 'reject');
        });
      }
    });
  }
});
