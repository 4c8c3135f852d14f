import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventJobDocument, profileDocument, profileJobDocument } from '../compat/documents.ts';
import { errorsOf, expectRefusal, followJob, runJob } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { refuseRows } from '../support/obstacles.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const email = 'ada@example.com';

/** So many values that no list has yet. */
const values = (count: number) => Array.from({ length: count }, (_, i) => i);
const appending = (list: unknown) => ({ meta: { patch_properties: { append: { list } } } });

describe('Bulk jobs of one store, next to another store', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  it('with 10,000 refused items of one profile end soon', async () => {
    await client.post('/compat/v1/profiles', profileDocument({ email, ...appending(values(4_000)) }), { expect: 201 });
    const items = Array.from({ length: 10_000 }, (_, i) => ({ email, ...appending(`more ${i}`) }));
    const job = await runJob(client, profileJobDocument(items));
    expect(job.attributes).to.include({ completed_count: 0, failed_count: 10_000 });
    const [error] = await errorsOf(client, job);
    expect(error.attributes.detail).to.contain('more than 4000 values');
  });

  it('with refused items of new customers end soon, and create none of them', async () => {
    const items = Array.from({ length: 200 }, (_, i) => ({
      email: `new${i % 100}@example.com`,
      ...appending(values(4_001)),
    }));
    const job = await runJob(client, profileJobDocument([...items, { email }]));
    expect(job.attributes).to.include({ completed_count: 1, failed_count: 200 });
    const { body } = await client.get('/v1/profiles', { expect: 200 });
    expect(body.profiles).to.have.length(1);
  });

  it('with 10,000 items that change one profile end soon', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({
      email,
      properties: { last: i },
      meta: { patch_properties: { append: { list: i % 4_000 }, unappend: { list: (i + 1) % 4_000 } } },
    }));
    const job = await runJob(client, profileJobDocument(items));
    expect(job.attributes).to.include({ completed_count: 10_000, failed_count: 0 });
  });
});

/** 4.7 MB: a thousand events of one profile, which append to it what is about all that it may have. */
const heavyJob = () =>
  eventJobDocument([
    {
      profile: { email, beside: appending(values(3_990).map((i) => `${i} ${'x'.repeat(1_150)}`)) },
      events: Array.from({ length: 1_000 }, () => ({ metric: 'Visit' })),
    },
  ]);
/** The same in a thousand groups, each with a patch of its own. */
const manyPatches = () =>
  eventJobDocument(
    values(1_000).map((n) => ({
      profile: {
        email: 'grace@example.com',
        beside: appending(values(4).map((i) => `${n} ${i} ${'x'.repeat(1_000)}`)),
      },
      events: [{ metric: 'Visit' }],
    })),
  );

/** The niceness of a thread: the seventeenth field after its name, which is in brackets. */
async function niceOf(pid: number, thread: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

describe('A process with heavy bulk jobs', () => {
  let keys: TestService;
  let service: ServiceProcess;
  let attacker: string;
  let victim: string;

  const start = () => new ServiceProcess({ DATABASE_URL: keys.database.url, LOG_LEVEL: 'warn' });
  before(async () => {
    keys = await TestService.start({ WORKER_CONCURRENCY: '0' });
    attacker = (await keys.newKey()).key;
    victim = (await keys.newKey()).key;
    service = start();
  });
  after(async () => {
    await service.stop();
    await keys.stop();
  });

  const submit = async (key: string, document: object): Promise<string> => {
    const client = new Client(await service.url(), key);
    const { body } = await client.post('/compat/v1/event-bulk-create-jobs', document, { expect: 202 });
    return body.data.links.self;
  };
  const attributesOf = async (job: string) => {
    const client = new Client(await service.url(), attacker);
    return (await client.get(new URL(job).pathname, { expect: 200 })).body.data.attributes;
  };

  it('serves all other stores meanwhile, and processes their jobs', async () => {
    const jobs = [await submit(attacker, heavyJob()), await submit(attacker, manyPatches())];
    const url = await service.url();
    const other = new Client(url, victim);
    const event = { event_type: 'seen', profile: { email } };
    const own = await submit(victim, eventJobDocument([{ profile: { email }, events: [{ metric: 'Visit' }] }]));
    let answers = 0;
    await until(async () => {
      expect((await fetch(`${url}/health/live`)).status).to.equal(200);
      expect((await fetch(`${url}/health/ready`)).status).to.equal(200);
      await other.post('/v1/events', event, { expect: 201 });
      answers += 1;
      const all = await Promise.all(jobs.map(attributesOf));
      return all.every(({ status }) => status === 'complete');
    }, 'the heavy jobs are complete');
    expect(answers).to.be.above(3);
    await followJob(other, own);
    for (const job of jobs) expect(await attributesOf(job)).to.include({ completed_count: 1_000, failed_count: 0 });
  });

  it('processes them in threads with a lower priority than requests', async function () {
    // Elsewhere threads have no priority of their own.
    if (process.platform !== 'linux') this.skip();
    await service.url();
    const nices = await Promise.all(
      (await readdir(`/proc/${service.pid}/task`)).map((thread) => niceOf(service.pid, thread)),
    );
    expect(await niceOf(service.pid, String(service.pid))).to.equal(0);
    expect(nices).to.include(10);
  });

  it('exits on SIGTERM with 0, and resumes after the next start', async () => {
    const job = await submit(attacker, heavyJob());
    await sleep(300);
    const ended = await service.stop();
    expect(ended).to.include({ code: 0, stderr: '' });
    service = start();
    await until(async () => (await attributesOf(job)).status === 'complete', 'the job is complete');
    expect(await attributesOf(job)).to.include({ completed_count: 1_000, failed_count: 0 });
  });
});

describe('A job that keeps failing', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    // Nothing that is known to be the fault of the data.
    await refuseRows(service.database, 'profile', `new.external_id like 'bad%'`, 'internal_error');
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const submit = async (ids: string[]): Promise<string> => {
    const document = profileJobDocument(ids.map((external_id) => ({ external_id })));
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', document, { expect: 202 });
    return body.data.links.self;
  };
  const attempts = async () => {
    const [row] = await service.database.query<{ attempts: number }>(
      `select attempts from import_job where store_id = '${storeId}' order by id limit 1`,
    );
    return row?.attempts ?? 0;
  };
  /** Has it tried again at once, until it has been tried so often, or is complete. */
  const retryUntilAttempted = (tried: number) =>
    until(async () => {
      await service.database.query(
        `update import_job set retry_at = null where store_id = '${storeId}' and status <> 'complete' and retry_at > now()`,
      );
      const [open] = await service.database.query(
        `select 1 from import_job where store_id = '${storeId}' and status <> 'complete'`,
      );
      return !open || (await attempts()) >= tried;
    }, 'it was tried often enough');

  it('is retried with growing pauses, next to jobs of its own store and of others', async () => {
    await submit(['bad']);
    await until(async () => (await attempts()) >= 2, 'it has failed twice');
    await followJob(client, await submit(['good']));
    const other = await service.client();
    await runJob(other, profileJobDocument([{ external_id: 'other' }]));
    const [job] = await service.database.query<{ attempts: number; pause: number }>(`
      select attempts, extract(epoch from retry_at - touched_at)::int as pause from import_job
      where store_id = '${storeId}' and status <> 'complete'`);
    expect(job?.pause).to.be.at.least(2 ** ((job?.attempts ?? 0) - 1));
  });

  it('gives up the failing item, and completes all others', async () => {
    const job = await submit(['a', 'b', 'bad', 'c', 'd']);
    await retryUntilAttempted(Number.POSITIVE_INFINITY);
    const { attributes } = await followJob(client, job);
    expect(attributes).to.include({ completed_count: 4, failed_count: 1 });
    const [error] = await errorsOf(client, { links: { self: job } });
    expect(error.attributes).to.deep.include({
      code: 'internal_error',
      detail: 'data[2] could not be stored in 10 attempts',
      source: { pointer: '/data/attributes/profiles/data/2' },
    });
  });

  it("gives up only the first item if its chunk can't even be split", async () => {
    const job = await submit(['bad', 'a', 'b']);
    await until(async () => (await attempts()) >= 1, 'it has failed');
    await service.database.query(`update import_job set attempts = 10 where store_id = '${storeId}'`);
    // The attempt that was under way may have put off the next one by what attempts there are.
    await retryUntilAttempted(Number.POSITIVE_INFINITY);
    const { attributes } = await followJob(client, job);
    expect(attributes).to.include({ completed_count: 2, failed_count: 1 });
  });

  it('is given up as a whole if nothing else helps', async () => {
    const job = await submit(['bad1', 'bad2', 'bad3', 'bad4']);
    await until(async () => (await attempts()) >= 1, 'it has failed');
    await service.database.query(`update import_job set attempts = 20 where store_id = '${storeId}'`);
    await retryUntilAttempted(Number.POSITIVE_INFINITY);
    const { attributes } = await followJob(client, job);
    expect(attributes).to.include({ completed_count: 0, failed_count: 4 });
    const errors = await errorsOf(client, { links: { self: job } });
    expect(errors[3].attributes.detail).to.equal(
      'data[3] was not tried any more, as its job made no progress in 20 attempts',
    );
  });
});

describe('A hundred jobs of one store', () => {
  let service: TestService;
  let worker: TestService;
  before(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
  });
  after(async () => {
    await worker.stopService();
    await service.stop();
  });

  it('do not delay the single job of another', async () => {
    const [many, one] = [await service.client(), await service.client()];
    const items = Array.from({ length: 500 }, (_, i) => ({ external_id: `c${i}` }));
    const path = '/compat/v1/profile-bulk-import-jobs';
    for (let i = 0; i < 100; i += 1) await many.post(path, profileJobDocument(items), { expect: 202 });
    const { body } = await one.post(path, profileJobDocument(items), { expect: 202 });
    // All of them are there before the first one starts, however fast the machine is.
    worker = await TestService.start({ WORKER_CONCURRENCY: '1' }, service.database);
    const count = async (condition: string) => {
      const query = `select count(*)::int as n from import_job j where ${condition}`;
      return (await service.database.query<{ n: number }>(query))[0]?.n;
    };
    await until(async () => (await count("status <> 'complete'")) === 0, 'all jobs are complete');
    const single = `(select completed_at from import_job where id = '${body.data.id}')`;
    expect(await count(`completed_at > ${single}`)).to.be.above(10);
  });
});

describe('A full profile', () => {
  let service: TestService;
  let client: Client;
  const identifiers = { email };
  const text = 'x'.repeat(99_000);
  const texts = (count: number) => Object.fromEntries(values(count).map((i) => [`text${i}`, text]));

  before(async () => {
    service = await TestService.start();
    client = await service.client();
    await client.post('/v1/profiles/upsert', { identifiers, attributes: texts(50) }, { expect: 201 });
  });
  after(() => service.stop());

  it('refuses further attributes, naming the field', async () => {
    const more = { more: text, most: text, last: text };
    const refused = await client.post('/v1/profiles/upsert', { identifiers, attributes: more }, { expect: 400 });
    expect(refused.body.error).to.include({
      code: 'validation_error',
      message: 'attributes would end up with more than 5 MB',
      field: 'attributes',
    });
    const there = await client.post('/compat/v1/profiles', profileDocument({ email, properties: more }));
    expectRefusal(there, '/data/attributes/properties');
  });

  it('counts numbers as they are stored', async () => {
    const numbers = Array.from({ length: 2_000 }, () => 1e300);
    await client.post('/v1/profiles/upsert', { identifiers, attributes: { numbers } }, { expect: 400 });
  });

  it('may shrink, and then accepts other attributes', async () => {
    const attributes = { text0: null, text1: null, text2: null, more: text, most: text, last: text };
    await client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 200 });
  });
});
