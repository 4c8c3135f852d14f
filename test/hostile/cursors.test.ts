import { expect } from 'chai';
import { profileJobDocument } from '../compat/documents.ts';
import { runJob } from '../compat/steps.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { record } from '../support/reading.ts';
import { spread } from '../support/sample.ts';
import { TestService } from '../support/service.ts';

const UNKNOWN = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';
/** What stands in the place of each character, of the cursor and of what it encodes. */
const CHARACTERS = ['A', '9', '_', '%', ''];
const DECODED = ['9', '0', '-', ' ', 'f', '\0', '\u{10FFFF}'];
const AT_A_TIME = 10;

describe('Forged cursors', () => {
  let service: TestService;
  let client: Client;
  let ada: string;

  before(async () => {
    service = await TestService.startInThread({
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
      COMPAT_LISTS: 'true',
    });
    client = await service.client();
    const events = Array.from({ length: 3 }, (_, i) => ({
      event_type: 'visit',
      profile: { email: `ada${i}@example.com` },
    }));
    await record(client, ...events);
    for (const { profile } of events) {
      await client.post('/v1/profiles/upsert', { identifiers: profile, attributes: { first_name: 'Ada' } });
    }
    ada = (await client.get('/v1/profiles?email=ada0@example.com', { expect: 200 })).body.profiles[0].id;
    for (let i = 0; i < 3; i += 1) await client.post('/v1/events', { event_type: '' }, { expect: 400 });
    for (const name of ['a', 'b']) {
      await client.post('/v1/lists', { name }, { expect: 201 });
      await client.post('/v1/segments', { name, definition: { identifier: 'email' } }, { expect: 201 });
      await client.post('/v1/api-keys', { name, scopes: ['events:read'] }, { expect: 201 });
    }
  });
  after(() => service.stop());

  /** Some of the cursors with one of their characters replaced. */
  const tampered = (cursor: string) => spread([...allTampered(cursor)], 101);

  function* allTampered(cursor: string): Generator<string> {
    for (let i = 0; i < cursor.length; i += 1) {
      for (const character of CHARACTERS) yield cursor.slice(0, i) + character + cursor.slice(i + 1);
    }
    const text = Buffer.from(cursor, 'base64url').toString();
    for (let i = 0; i <= text.length; i += 1) {
      for (const character of DECODED) {
        for (const end of [i, i + 1])
          yield Buffer.from(text.slice(0, i) + character + text.slice(end)).toString('base64url');
      }
    }
    yield cursor.repeat(20);
  }

  /** Asks with each of the cursors; each is taken or refused by its name. */
  async function expectNamed(path: string, parameter: string, cursors: Iterable<string>): Promise<void> {
    const rest = cursors[Symbol.iterator]();
    const statuses = new Set<number>();
    const ask = async () => {
      for (let { value: cursor, done } = rest.next(); !done; { value: cursor, done } = rest.next()) {
        const url = new URL(path, 'http://localhost');
        url.searchParams.set(parameter, cursor);
        const { status, body } = await client.get(url.pathname + url.search);
        statuses.add(status);
        if (status === 200) continue;
        expect(status, `${path} with ${cursor}`).to.equal(400);
        expect(body.error?.field ?? body.errors[0].source.parameter, cursor).to.equal(parameter);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, ask));
    expect(statuses).to.include(400);
  }

  for (const template of [
    '/v1/events?limit=1',
    '/v1/events?limit=1&event_type=visit&property=a&property_value=b',
    '/v1/profiles?limit=1',
    '/v1/profiles?limit=1&email_prefix=ada',
    '/v1/profiles?limit=1&name_prefix=ada',
    '/v1/rejections?limit=1',
    '/v1/api-keys?limit=1',
    '/v1/lists?limit=1',
    '/v1/profiles/ADA/segments?limit=1',
  ]) {
    it(`of ${template} are accepted, or refused by name`, async () => {
      const path = template.replace('ADA', ada);
      let cursor: string | null = null;
      const from = path.includes('property') ? '/v1/events?limit=1' : path;
      await until(async () => {
        cursor = (await client.get(from, { expect: 200 })).body.next_cursor;
        return cursor !== null;
      }, 'there are two pages');
      await expectNamed(path, 'cursor', tampered(cursor as unknown as string));
    });
  }

  it('are refused by name if their time is one that no event has', async () => {
    const times = [-999999999999999, 999999999999999, -62135596800001, 253370764800000, '-0', '00'];
    const cursors = times.map((time) => Buffer.from(`${time} ${UNKNOWN}`).toString('base64url'));
    await expectNamed('/v1/events', 'cursor', cursors);
  });

  it('are accepted, or refused by name, at the limits of times', async () => {
    for (const time of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59']) {
      for (const name of ['from', 'to']) {
        for (const path of ['/v1/events', '/v1/events/stats']) {
          const { status, body } = await client.get(`${path}?${new URLSearchParams({ [name]: time })}`);
          expect([200, 400], `${path} ${name} ${time}`).to.include(status);
          if (status === 400) expect(['from', 'to'], time).to.include(body.error.field);
        }
      }
    }
  });

  for (const path of [
    '/compat/v1/events?page[size]=1',
    '/compat/v1/events?page[size]=1&sort=datetime',
    '/compat/v1/events?page[size]=1&filter=equals(metric_id,"visit")',
    '/compat/v1/profiles?page[size]=1',
    '/compat/v1/profile-bulk-import-jobs?page[size]=1',
    '/compat/v1/lists?page[size]=1',
  ]) {
    it(`of ${path} are accepted, or refused by name`, async () => {
      if (path.includes('jobs')) for (let n = 0; n < 2; n += 1) await runJob(client, profileJobDocument([]));
      const { body } = await client.get(path, { expect: 200 });
      const cursor = new URL(body.links.next).searchParams.get('page[cursor]') as string;
      await expectNamed(path, 'page[cursor]', tampered(cursor));
    });
  }

  it("of a job's profiles are accepted, or refused by name", async () => {
    const items = Array.from({ length: 3 }, (_, n) => ({ external_id: `imported ${n}` }));
    const job = await runJob(client, profileJobDocument(items));
    for (const end of ['profiles', 'relationships/profiles']) {
      const path = `${new URL(job.links.self).pathname}/${end}?page[size]=1`;
      const { body } = await client.get(path, { expect: 200 });
      const cursor = new URL(body.links.next).searchParams.get('page[cursor]') as string;
      await expectNamed(path, 'page[cursor]', tampered(cursor));
    }
  });

  it("of a job's errors are accepted, or refused by name", async () => {
    const items = Array.from({ length: 3 }, () => ({ beside: { id: UNKNOWN } }));
    const job = await runJob(client, profileJobDocument(items));
    const path = `${new URL(job.links.self).pathname}/import-errors?page[size]=1`;
    await expectNamed(path, 'page[cursor]', [...DECODED, '-1', '1e9', '999999999', '99999999999', ...tampered('10')]);
  });
});
