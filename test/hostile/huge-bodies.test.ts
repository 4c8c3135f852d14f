import { expect } from 'chai';
import { followJob } from '../compat/steps.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { slowness } from '../support/slowness.ts';

/** `item` so often that it fills a body, as the content of a list. */
const fill = (item: string, times: number) => `${`${item},`.repeat(times)}1`;
const names = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const profile = (attributes: string) =>
  `{"data":{"type":"profile","attributes":{"email":"a@example.com",${attributes}}}}`;
const patch = (operation: string, values: string) =>
  profile(`"meta":{"patch_properties":{"${operation}":{"list":[${values}]}}}`);
const profiles = (items: string) =>
  `{"data":{"type":"profile-bulk-import-job","attributes":{"profiles":{"data":[${items}]}}}}`;
const groups = (items: string) =>
  `{"data":{"type":"event-bulk-create-job","attributes":{"events-bulk-create":{"data":[${items}]}}}}`;
const group = (events: string) =>
  `{"type":"event-bulk-create","attributes":{"profile":{"data":{"type":"profile","attributes":{"email":"a@example.com"}}},"events":{"data":[${events}]}}}`;

/** Milliseconds of CPU time that a request may take, in all threads together. */
const MAX_CPU_MS = 5_000;

/** Bodies of up to 5 MB that would keep a careless service busy for minutes: path, body, status. */
const BODIES: Record<string, [path: string, body: string, status: number]> = {
  'a batch of two million numbers': ['/v1/events/bulk', `{"events":[${fill('1', 2_000_000)}]}`, 400],
  'a batch of a million empty events to skip': [
    '/v1/events/bulk',
    `{"on_invalid":"skip","events":[${fill('{}', 1_500_000)}]}`,
    400,
  ],
  'an event with 300,000 unknown fields': [
    '/v1/events',
    `{"event_type":"x","profile":{"email":"a@example.com"},${names(300_000)}}`,
    400,
  ],
  'attributes nested 500,000 deep': [
    '/v1/profiles/upsert',
    `{"identifiers":{"email":"a@example.com"},"attributes":${nested('{"a":', '}', 500_000)}}`,
    400,
  ],
  'an import of two million numbers': ['/compat/v1/profile-bulk-import-jobs', profiles(fill('1', 2_000_000)), 400],
  'an import of 10,000 empty profiles': ['/compat/v1/profile-bulk-import-jobs', profiles(fill('{}', 9_999)), 400],
  'a million empty groups': ['/compat/v1/event-bulk-create-jobs', groups(fill('{}', 1_500_000)), 400],
  'a group of a million empty events': ['/compat/v1/event-bulk-create-jobs', groups(group(fill('{}', 1_500_000))), 400],
  'a thousand groups of a thousand numbers': [
    '/compat/v1/event-bulk-create-jobs',
    groups(Array.from({ length: 1_000 }, () => group(fill('1', 999))).join(',')),
    400,
  ],
  '10,000 profiles with 200 errors each': [
    '/compat/v1/profile-bulk-import-jobs',
    profiles(fill(`{"meta":{"patch_properties":{"unset":[${fill('1', 199)}]}}}`, 9_999)),
    400,
  ],
  'an unknown field nested two million deep': [
    '/compat/v1/profiles',
    profile(`"unknown":${nested('[', ']', 2_000_000)}`),
    201,
  ],
  '300,000 properties': ['/compat/v1/profiles', profile(`"properties":{${names(300_000)}}`), 400],
  'half a million equal values to append': ['/compat/v1/profiles', patch('append', fill('{"a":1}', 500_000)), 201],
  '4,000 values to append': [
    '/compat/v1/profiles',
    patch('append', Array.from({ length: 3_998 }, (_, i) => `{"b":${i}}`).join(',')),
    201,
  ],
  '300,000 values to take from 4,000': [
    '/compat/v1/profiles',
    patch('unappend', Array.from({ length: 300_000 }, (_, i) => `{"c":${i}}`).join(',')),
    201,
  ],
  'an e-mail address of two million labels': [
    '/v1/profiles/upsert',
    `{"identifiers":{"email":"a@${'b.'.repeat(2_000_000)}"}}`,
    400,
  ],
  'a value of three million digits': [
    '/v1/events',
    `{"event_type":"x","profile":{"email":"a@example.com"},"properties":{"value":${'1'.repeat(3_000_000)}}}`,
    400,
  ],
};

describe('Huge bodies', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread();
    client = await service.client();
  });
  after(() => service.stop());

  const headers = { 'Content-Type': 'application/json' };

  for (const [what, [path, body, status]] of Object.entries(BODIES)) {
    it(`with ${what} are handled with little work, and ${status}`, async () => {
      const before = process.cpuUsage();
      await client.send('POST', path, body, { headers, expect: status });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).to.be.below(MAX_CPU_MS * slowness());
    });
  }

  it('may have every invalid event of a batch skipped, even a huge one', async () => {
    const event = '"event_type":"x","profile":{"email":"a@example.com"}';
    const events = ['{}', `{${event},"properties":{${names(20_000)}}}`, `{${event},"unknown":1}`, `{${event}}`];
    const body = `{"on_invalid":"skip","events":[${events}]}`;
    const answer = await client.send<any>('POST', '/v1/events/bulk', body, { headers, expect: 201 });
    expect(answer.body).to.include({ created: 1, rejected: 3 });
  });

  it('may have a thousand events of a profile with megabytes of properties', async () => {
    const megabytes = Array.from({ length: 40 }, (_, i) => `"p${i}":"${'x'.repeat(100_000)}"`);
    const event = '{"type":"event","attributes":{"metric":{"data":{"type":"metric","attributes":{"name":"Visit"}}}}}';
    const events = Array.from({ length: 1_000 }, () => event).join(',');
    const body = groups(group(events).replace('"email"', `"properties":{${megabytes}},"email"`));
    const path = '/compat/v1/event-bulk-create-jobs';
    const accepted = await client.send<any>('POST', path, body, { headers, expect: 202 });
    const job = await followJob(client, accepted.body.data.links.self);
    expect(job.attributes).to.include({ completed_count: 1_000, failed_count: 0 });
  });
});
