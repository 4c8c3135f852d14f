import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Metrics of segments', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    // Keeps no members up to date by itself.
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' }, await createUndividedDatabase());
    ({ storeId } = await service.newKey());
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  /** What is measured is shown for a while. */
  const untilIt = (name: string, labels: Record<string, string>, [least, most]: [number, number]) =>
    until(
      async () => {
        const value = (await Metrics.of(service.url)).sum(name, labels) ?? Number.NaN;
        return value >= least && value <= most;
      },
      `${name} ${JSON.stringify(labels)} is ${least} to ${most}`,
    );
  const untilCount = (state: string, count: number) => untilIt('footfall_segments', { state }, [count, count]);

  it('count segments by their state, and tell how far they are behind', async () => {
    for (const state of ['live', 'building', 'failed']) {
      await untilCount(state, 0);
    }
    const definition = { event: { type: 'placed_order' } };
    const { body } = await client.post<any>('/v1/segments', { name: 'Buyers', definition }, { expect: 201 });
    await untilCount('building', 1);
    const query = (statement: string) => service.database.query(statement);
    await query('update segment_build set finished_at = now()');
    await untilCount('live', 1);
    await query(`update segment set failure = 'It failed' where id = '${body.id}'`);
    await untilCount('failed', 1);
    await untilCount('live', 0);

    await untilIt('footfall_segment_due_lag_seconds', {}, [0, 0]);
    await query(`
      insert into segment_due (store_id, profile_id, due_at)
      values ('${storeId}', '${body.id}', now() - interval '1 hour')`);
    await untilIt('footfall_segment_due_lag_seconds', {}, [3_600, 3_700]);
    await untilIt('footfall_segment_reader_lag_seconds', {}, [0, 0]);
    await client.post('/v1/events', { event_type: 'placed_order', profile: { email: 'ada@example.com' } });
    await query(`update addition set added_at = now() - interval '1 hour'`);
    await untilIt('footfall_segment_reader_lag_seconds', {}, [3_600, 3_700]);
  });
});

describe('Metrics of the work on segments', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({}, await createUndividedDatabase());
    client = await service.client();
  });
  after(() => service.stop());

  it('count customers who were looked at, who came and went, and builds', async () => {
    const metrics = await Metrics.of(service.url);
    expect(metrics.sum('footfall_segment_changes_total', { cause: 'event' })).to.equal(0);
    const definition = { event: { type: 'placed_order' } };
    await client.post('/v1/segments', { name: 'Buyers', definition }, { expect: 201 });
    await until(async () => {
      const { body } = await client.get<any>('/v1/segments');
      return body.segments[0].status === 'live';
    }, 'the segment is built');
    for (const email of ['ada@example.com', 'grace@example.com']) {
      await client.post('/v1/events', { event_type: 'placed_order', profile: { email } }, { expect: 201 });
    }
    await until(async () => {
      const now = await Metrics.of(service.url);
      return (
        now.sum('footfall_segment_changes_total', { cause: 'event' }) === 2 &&
        (now.sum('footfall_segment_profiles_evaluated_total', {}) ?? 0) >= 2 &&
        now.sum('footfall_segment_build_duration_seconds_count', {}) === 1
      );
    }, 'all is counted');
  });
});
