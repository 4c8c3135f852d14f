import { expect } from 'chai';
import { profileJobDocument } from '../compat/documents.ts';
import { Client } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada.secret@example.com' } };
const JOBS = '/compat/v1/profile-bulk-import-jobs';
const TOKEN = 'a-token-of-prometheus';

describe('/metrics', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=3,partner=100000' });
  });
  afterEach(() => service.stop());

  it('counts requests by operation and status, and measures their duration', async () => {
    const client = await service.client();
    await client.post('/v1/events', EVENT, { expect: 201 });
    await client.post('/v1/events', EVENT, { expect: 201 });
    await client.post('/v1/events', {}, { expect: 400 });
    const metrics = await Metrics.of(service.url);
    const requests = (status: string) => metrics.sum('footfall_requests_total', { operation: 'createEvent', status });
    expect([requests('201'), requests('400')]).to.deep.equal([2, 1]);
    expect(metrics.sum('footfall_errors_total', { code: 'validation_error' })).to.equal(1);
    expect(metrics.sum('footfall_errors_total', { code: 'database_error' })).to.equal(0);

    const duration = (part: string, labels = {}) =>
      metrics.sum(`footfall_request_duration_seconds_${part}`, { operation: 'createEvent', ...labels });
    expect([duration('count'), duration('bucket', { le: '+Inf' })]).to.deep.equal([3, 3]);
    expect(duration('sum')).to.be.within(0.0001, 15);
  });

  it('counts what the rate limit refused, by tier', async () => {
    const standard = await service.client({ tier: 'standard' });
    for (const status of [201, 201, 201, 429, 429]) await standard.post('/v1/events', EVENT, { expect: status });
    const nobody = new Client(service.url);
    for (const status of [401, 401, 401, 429]) await nobody.post('/v1/events', EVENT, { expect: status });
    const metrics = await Metrics.of(service.url);
    const refused = ['standard', 'no_key', 'partner'].map((tier) =>
      metrics.sum('footfall_rate_limit_refusals_total', { tier }),
    );
    expect(refused).to.deep.equal([2, 1, 0]);
  });

  it('measures the sizes and durations of batches', async () => {
    const client = await service.client();
    await client.post('/v1/events', EVENT, { expect: 201 });
    await client.post('/v1/events/bulk', { events: [EVENT, EVENT, EVENT] }, { expect: 201 });
    await client.post(JOBS, profileJobDocument([{ external_id: 'a' }, { external_id: 'b' }]), { expect: 202 });
    const written = async () => {
      const metrics = await Metrics.of(service.url);
      return ['group', 'bulk', 'import'].map((source) => metrics.sum('footfall_ingest_batch_items_sum', { source }));
    };
    await until(async () => (await written())[2] === 2, 'the job is done');
    expect(await written()).to.deep.equal([1, 3, 2]);
    const metrics = await Metrics.of(service.url);
    expect(metrics.sum('footfall_ingest_batch_duration_seconds_count', { source: 'bulk' })).to.equal(1);
    const jobs = async () => (await Metrics.of(service.url)).sum('footfall_import_jobs_waiting');
    await until(async () => (await jobs()) === 0, 'it waits no more');
  });

  it('measures the requests waiting for the database, for how long, and the use of its connections', async () => {
    const client = await service.client();
    await client.post('/v1/events', EVENT, { expect: 201 });
    const release = await holdTable(service.database, 'event');
    const requests: Promise<unknown>[] = [];
    try {
      await until(async () => {
        requests.push(client.post('/v1/events', EVENT, { expect: 201 }));
        const metrics = await Metrics.of(service.url);
        const waiting = metrics.sum('footfall_recorder_waiting') as number;
        const lag = metrics.sum('footfall_recorder_lag_seconds') as number;
        const inUse = metrics.sum('footfall_database_connections', { state: 'in_use' }) as number;
        return waiting > 2 && lag > 0.01 && inUse > 0;
      }, 'requests wait');
    } finally {
      await release();
    }
    await Promise.all(requests);
    const metrics = await Metrics.of(service.url);
    for (const name of ['footfall_recorder_waiting', 'footfall_recorder_lag_seconds', 'footfall_database_waiting']) {
      expect(metrics.sum(name), name).to.equal(0);
    }
    expect(metrics.sum('footfall_database_up')).to.equal(1);
    expect(metrics.sum('footfall_database_nodes_down')).to.equal(0);
  });

  it('measures the backlog of bulk jobs: jobs, items and age', async () => {
    await service.stopService();
    service = await TestService.start({ WORKER_CONCURRENCY: '0' }, service.database);
    const client = await service.client();
    await client.post(JOBS, profileJobDocument([{ external_id: 'a' }, { external_id: 'b' }]), { expect: 202 });
    await until(async () => {
      const metrics = await Metrics.of(service.url);
      expect(metrics.sum('footfall_import_jobs_waiting')).to.equal(1);
      expect(metrics.sum('footfall_import_items_waiting')).to.equal(2);
      return (metrics.sum('footfall_import_lag_seconds') as number) > 0.1;
    }, 'the job grows old');
  });

  it('measures the process: CPU, memory, event-loop delay', async () => {
    const metrics = await Metrics.of(service.url);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_max_seconds',
    ]) {
      expect(metrics.sum(name), name).to.be.above(0);
    }
  });

  it('has no more lines, and no client data, whatever is sent', async () => {
    const { key } = await service.newKey();
    const client = new Client(service.url, key);
    const send = async (round: number) => {
      const secret = `secret-${round}`;
      await client.post('/v1/events', { ...EVENT, event_type: secret }, { expect: 201 });
      await client.post('/v1/events', { ...EVENT, [secret]: 1 }, { expect: 400 });
      await client.post(`/v1/${secret}`, {}, { expect: 404 });
      await client.get(`/compat/v1/profile-bulk-import-jobs/${secret}`);
      await client.get(`/${secret}/ada@example.com?email=ada@example.com`, { expect: 404 });
      await client.send('PROPFIND', '/v1/events', undefined, { expect: 404 });
      await new Client(service.url, `ffk_${secret}`).post('/v1/events', EVENT);
      await new Client(service.url, (await service.newKey({ tier: secret })).key).post('/v1/events', EVENT);
    };
    // Up to what there is once for each: the first refusal to an address, the first answer of /metrics.
    for (let round = 0; round < 5; round += 1) await send(round);
    await Metrics.of(service.url);
    const before = await Metrics.of(service.url);
    for (let round = 5; round < 40; round += 1) await send(round);
    const after = await Metrics.of(service.url);
    expect(ours(after)).to.deep.equal(ours(before));
    expect(after.text).not.to.match(/secret|ada|@|ffk_/i);
    expect(after.text).not.to.contain(key);
  });
});

describe('/metrics with a token', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ METRICS_TOKEN: TOKEN });
  });
  after(() => service.stop());

  for (const [what, authorization] of [
    ['none', undefined],
    ['another', `Bearer ${TOKEN}s`],
    ['its beginning', `Bearer ${TOKEN.slice(0, -1)}`],
    ['another scheme', `Basic ${TOKEN}`],
  ] as const) {
    it(`refuses a request with ${what}`, async () => {
      const headers: Record<string, string> = authorization ? { Authorization: authorization } : {};
      const response = await fetch(`${service.url}/metrics`, { headers });
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer');
      expect(await response.text()).not.to.contain('footfall_');
    });
  }

  it('refuses an API key', async () => {
    const { body } = await (await service.client()).get('/metrics', { expect: 401 });
    expect(body.error.code).to.equal('unauthorized');
  });

  it('accepts the token', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${service.url}/metrics`, { headers });
    expect(response.status).to.equal(200);
    expect(await response.text()).to.contain('footfall_requests_total');
  });
});

/** Those of the service; Node's own depend on what it is doing. */
function ours({ series }: Metrics): string[] {
  return series.filter((name) => name.startsWith('footfall_')).sort();
}
