import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventJobDocument, profileJobDocument } from './documents.ts';
import { errorsOf, runJob, saveProfile } from './steps.ts';

const UNKNOWN = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';

describe('Following a bulk job', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  /** A job of `count` profiles, each of which fails. */
  const failingJob = (count: number) =>
    runJob(client, profileJobDocument(Array.from({ length: count }, () => ({ beside: { id: UNKNOWN } }))));

  it('lists the errors page by page, in the order of the request', async () => {
    const job = await failingJob(45);
    const all = await errorsOf(client, job);
    expect(all.map(({ id }: { id: string }) => id)).to.deep.equal(Array.from({ length: 45 }, (_, i) => String(i)));

    const pages: string[][] = [];
    let next: string | null = `${job.links.self}/import-errors`;
    while (next) {
      const { pathname, search }: URL = new URL(next);
      const { body }: { body: any } = await client.get(`${pathname}${search}`, { expect: 200 });
      pages.push(body.data.map(({ id }: { id: string }) => id));
      next = body.links.next;
    }
    expect(pages.map((page) => page.length)).to.deep.equal([20, 20, 5]);
    expect(pages.flat()).to.deep.equal(all.map(({ id }: { id: string }) => id));
  });

  it('returns pages of the requested size, without a next link on the last one', async () => {
    const job = await failingJob(4);
    const path = `${new URL(job.links.self).pathname}/import-errors`;
    const first = await client.get(`${path}?page[size]=3`, { expect: 200 });
    expect(first.body.data).to.have.length(3);
    expect(new URL(first.body.links.next).searchParams.get('page[size]')).to.equal('3');
    const whole = await client.get(`${path}?page[size]=4`, { expect: 200 });
    expect(whole.body.data).to.have.length(4);
    expect(whole.body.links.next).to.equal(null);
  });

  for (const [what, cursorOf] of [
    ['as a whole', (link: URL) => link.href],
    ['from the name of the parameter on', (link: URL) => link.href.split('page%5Bcursor%5D')[1] ?? ''],
    ['from the value of the parameter on', (link: URL) => link.href.split('page%5Bcursor%5D=')[1] ?? ''],
  ] as const) {
    it(`accepts the link to the next page as a cursor, ${what}`, async () => {
      const job = await failingJob(3);
      const path = `${new URL(job.links.self).pathname}/import-errors`;
      const { body } = await client.get(`${path}?page[size]=2`, { expect: 200 });
      const cursor = encodeURIComponent(cursorOf(new URL(body.links.next)));
      const rest = await client.get(`${path}?page[cursor]=${cursor}`, { expect: 200 });
      expect(rest.body.data).to.have.length(1);
      expect(rest.body.links.next).to.equal(null);
    });
  }

  for (const query of [
    'page[size]=1&page[size]=2',
    'page[cursor]=1&page[cursor]=2',
    'page[cursor]=',
    'page[size]=0',
    'page[size]=101',
    'page[size]=many',
    'page[cursor]=elsewhere',
  ]) {
    it(`refuses ${query}, and names the parameter`, async () => {
      const job = await failingJob(1);
      const { pathname } = new URL(job.links.self);
      const { body } = await client.get(`${pathname}/import-errors?${query}`, { expect: 400 });
      expect(body.errors).to.have.length(1);
      expect(body.errors[0].source).to.deep.equal({ parameter: query.split('=')[0] });
    });
  }

  for (const [operation, own, other] of [
    ['GET /compat/v1/event-bulk-create-jobs/{id}', eventJobDocument([]), profileJobDocument([])],
    ['GET /compat/v1/event-bulk-create-jobs/{id}/import-errors', eventJobDocument([]), profileJobDocument([])],
    ['GET /compat/v1/profile-bulk-import-jobs/{id}', profileJobDocument([]), eventJobDocument([])],
    ['GET /compat/v1/profile-bulk-import-jobs/{id}/import-errors', profileJobDocument([]), eventJobDocument([])],
  ] as const) {
    it(`${operation} returns 404 for an id that is unknown, malformed, of another type, or of another store`, async () => {
      await saveProfile(client, { email: 'ada@example.com' });
      const { id } = await runJob(client, own);
      const { id: ofOtherKind } = await runJob(client, other);
      const path = (of: string) => operation.slice('GET '.length).replace('{id}', of);
      const answers = [await (await service.client()).get(path(id), { expect: 404 })];
      for (const wrong of [UNKNOWN, 'job-1', '%E0%A4', '%00', 'x'.repeat(255), ofOtherKind]) {
        answers.push(await client.get(path(wrong), { expect: 404 }));
      }
      for (const { body } of answers) expect(body.errors[0].code).to.equal('not_found');
      await client.get(path(id), { expect: 200 });
    });
  }

  it('works for the key that created the job, even without a scope to read', async () => {
    const storeId = await service.newStore();
    const writer = await service.client({ storeId, scopes: ['events:write'] });
    const job = await runJob(writer, eventJobDocument([]));
    expect(await errorsOf(writer, job)).to.deep.equal([]);
  });
});
