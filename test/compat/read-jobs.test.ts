import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventJobDocument, profileJobDocument } from './documents.ts';
import { runJob, saveProfile } from './steps.ts';

const PATH = '/compat/v1/profile-bulk-import-jobs';

describe('Reading import jobs on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  /** Everything that a list has, by its links. */
  async function readAll(path: string): Promise<any[]> {
    const all: any[] = [];
    for (let next: string | null = path; next; ) {
      const { body }: { body: any } = await client.get(next, { expect: 200 });
      expect(body.links.prev).to.equal(null);
      all.push(...body.data);
      next = body.links.next?.slice(service.url.length);
    }
    return all;
  }

  const pathOf = (job: { id: string }) => `${PATH}/${job.id}`;
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ external_id: `c${n}` }));

  describe('GET /compat/v1/profile-bulk-import-jobs', () => {
    it('lists the jobs that import profiles, as each is shown alone, in either order', async () => {
      const jobs: any[] = [];
      for (const external_id of ['a', 'b', 'c']) {
        jobs.push(await runJob(client, profileJobDocument([{ external_id }])));
        await runJob(client, eventJobDocument([]));
      }
      expect(await readAll(`${PATH}?page[size]=2`)).to.deep.equal(jobs);
      expect(await readAll(`${PATH}?page[size]=2&sort=created_at`)).to.deep.equal(jobs);
      expect(await readAll(`${PATH}?page[size]=1&sort=-created_at`)).to.deep.equal(jobs.toReversed());
      const [sparse] = await readAll(`${PATH}?fields[profile-bulk-import-job]=status,total_count`);
      expect(sparse.attributes).to.deep.equal({ status: 'complete', total_count: 1 });
      const stranger = await service.client();
      const { body } = await stranger.get(PATH, { expect: 200 });
      expect(body.data).to.deep.equal([]);
    });

    it('finds jobs by their status', async () => {
      const [job, waiting, under] = [
        await runJob(client, profileJobDocument([{ external_id: 'a' }])),
        await runJob(client, profileJobDocument([])),
        await runJob(client, profileJobDocument([])),
      ];
      const set = (status: string, { id }: { id: string }) =>
        service.database.query(`update import_job set status = '${status}' where id = '${id}'`);
      await set('queued', waiting);
      await set('processing', under);
      for (const [filter, expected] of [
        ['equals(status,"complete")', [job]],
        ["equals(status,'queued')", [waiting]],
        ['any(status,["queued","processing"])', [waiting, under]],
        ['any(status,["complete","processing"])', [job, under]],
        ['equals(status,"cancelled")', []],
        ['equals(status,"queued"),equals(status,"complete")', []],
        ['', [job, waiting, under]],
      ] as const) {
        const found = await readAll(`${PATH}?page[size]=1&filter=${filter}`);
        expect(
          found.map(({ id }) => id),
          filter,
        ).to.deep.equal(expected.map(({ id }) => id));
      }
      await set('complete', waiting);
      await set('complete', under);
    });

    it('lists no job that has expired', async () => {
      const { id } = await runJob(client, profileJobDocument([]));
      await service.database.query(`update import_job set expires_at = now() - interval '1 second' where id = '${id}'`);
      expect(await readAll(PATH)).to.deep.equal([]);
      await client.get(`${PATH}/${id}/profiles`, { expect: 404 });
    });

    it('refuses what it does not offer, by the name of the parameter', async () => {
      for (const [query, parameter] of [
        ['filter=equals(created_at,2026-01-01)', 'filter'],
        ['filter=greater-than(status,"complete")', 'filter'],
        ['filter=complete', 'filter'],
        ['sort=status', 'sort'],
        ['page[size]=101', 'page[size]'],
        ['page[cursor]=x', 'page[cursor]'],
      ] as const) {
        const { body } = await client.get(`${PATH}?${query}`, { expect: 400 });
        expect(body.errors[0].source, query).to.deep.equal({ parameter });
      }
    });
  });

  describe('GET /compat/v1/profile-bulk-import-jobs/{id}/profiles', () => {
    it('lists the profiles that a job created and updated, each once, and none that failed', async () => {
      const known = await saveProfile(client, { external_id: 'known', email: 'ada@example.com' });
      const other = await saveProfile(client, { external_id: 'other' });
      const job = await runJob(
        client,
        profileJobDocument([
          { external_id: 'new' },
          { external_id: 'known', first_name: 'Ada' },
          { external_id: 'new', first_name: 'Grace' },
          { external_id: 'other', email: 'ada@example.com' },
        ]),
      );
      expect(job.attributes).to.include({ completed_count: 3, failed_count: 1 });
      const profiles = await readAll(`${pathOf(job)}/profiles`);
      expect(profiles.map(({ attributes }) => [attributes.external_id, attributes.first_name])).to.deep.equal([
        ['known', 'Ada'],
        ['new', 'Grace'],
      ]);
      expect(profiles.map(({ id }) => id))
        .to.include(known.id)
        .and.not.to.include(other.id);
      const { body } = await client.get(`/compat/v1/profiles/${known.id}`);
      expect(profiles[0]).to.deep.equal(body.data);
      const [sparse] = await readAll(`${pathOf(job)}/profiles?fields[profile]=first_name`);
      expect(sparse.attributes).to.deep.equal({ first_name: 'Ada' });
    });

    it('lists all profiles of a job of several parts, and their ids at GET /compat/v1/profile-bulk-import-jobs/{id}/relationships/profiles', async () => {
      // In three transactions, the last of which has the first profile again.
      const job = await runJob(client, profileJobDocument([...numbered(1200), { external_id: 'c0', title: 'x' }]));
      const ids = await readAll(`${pathOf(job)}/relationships/profiles?page[size]=100`);
      const profiles = await readAll(`${pathOf(job)}/profiles?page[size]=100&fields[profile]=external_id`);
      expect(ids).to.deep.equal(profiles.map(({ type, id }) => ({ type, id })));
      expect(new Set(profiles.map(({ attributes }) => attributes.external_id))).to.have.property('size', 1200);
      expect(profiles).to.have.length(1200);
    });

    it('ends a page early if it would be huge', async () => {
      const texts = () =>
        Array.from({ length: 10 }, () => crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64'));
      const job = { id: '' };
      const created = numbered(4).map((profile) => ({ ...profile, properties: { texts: texts() } }));
      job.id = (await runJob(client, profileJobDocument(created))).id;
      const { body } = await client.get(`${pathOf(job)}/profiles`, { expect: 200 });
      expect(body.data.length).to.be.within(1, 3);
      expect(await readAll(`${pathOf(job)}/profiles`)).to.have.length(4);
    });

    it('refuses a cursor that is none', async () => {
      const job = await runJob(client, profileJobDocument([]));
      for (const path of ['profiles', 'relationships/profiles']) {
        expect(await readAll(`${pathOf(job)}/${path}`)).to.deep.equal([]);
        const { body } = await client.get(`${pathOf(job)}/${path}?page[cursor]=x`, { expect: 400 });
        expect(body.errors[0].source).to.deep.equal({ parameter: 'page[cursor]' });
      }
    });
  });

  it('GET /compat/v1/profile-bulk-import-jobs/{id}/lists and GET /compat/v1/profile-bulk-import-jobs/{id}/relationships/lists are empty', async () => {
    const lists = { lists: { data: [{ type: 'list', id: 'Y6nRLr' }] } };
    const job = await runJob(client, profileJobDocument([{ external_id: 'c1' }], lists));
    for (const path of ['lists', 'relationships/lists']) {
      const { body } = await client.get(`${pathOf(job)}/${path}`, { expect: 200 });
      expect(body).to.deep.equal({ data: [], links: { self: `${service.url}${pathOf(job)}/${path}` } });
    }
  });
});
