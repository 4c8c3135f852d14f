import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Retention', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  /** Moves an event, with its key, to a month long past, as if it had been received then. */
  async function age(id: string): Promise<void> {
    const old = '015b0000-0000-7000-8000-000000000001';
    await service.database.query(
      `create table event_2017_03 partition of event
         for values from ('015a872a-9800-0000-0000-000000000000') to ('015b26cf-bc00-0000-0000-000000000000')`,
    );
    await service.database.query(`update event set id = '${old}' where id = '${id}'`);
    await service.database.query(`update idempotency_key set event_id = '${old}' where event_id = '${id}'`);
    const isCounted = () => service.database.query("select 1 from event_day where event_type = 'old'");
    await until(async () => (await isCounted()).length > 0, 'its count is summed up');
    await service.database.query("update event_day set month = '2017-03-01T00:00Z' where event_type = 'old'");
  }

  it('drops whole months that are older than EVENT_RETENTION_DAYS, with keys and counts, and nothing else', async () => {
    const client = await service.client();
    const event = (key: string) => ({ event_type: key, profile: { external_id: 'c1' }, idempotency_key: key });
    const old = await client.post('/v1/events', event('old'), { expect: 201 });
    const recent = await client.post('/v1/events', event('recent'), { expect: 201 });
    await age(old.body.id);

    const second = await TestService.start({ EVENT_RETENTION_DAYS: '30' }, service.database);
    await second.stopService();

    const left = await service.database.query<{ id: string }>('select id from event');
    expect(left).to.deep.equal([{ id: recent.body.id }]);
    const { series } = (await client.get('/v1/events/stats', { expect: 200 })).body;
    expect(series.map(({ event_type }: { event_type: string }) => event_type)).to.deep.equal(['recent']);
    const again = await client.post('/v1/events', event('old'), { expect: 201 });
    expect(again.headers).not.to.have.property('idempotency-replayed');
    const replay = await client.post('/v1/events', event('recent'), { expect: 201 });
    expect(replay.headers['idempotency-replayed']).to.equal('true');
  });
});
