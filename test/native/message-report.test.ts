import { expect } from 'chai';
import { newId } from '../../src/ids/uuid-v7.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('GET /v1/reports/messages', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = (await service.client()).as((await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const report = async (query: string, expected = 200) =>
    (await client.get<any>(`/v1/reports/messages${query}`, { expect: expected })).body;
  const totals = (email_count: number, sms_count: number) => ({
    sent_count: email_count + sms_count,
    email_count,
    sms_count,
  });

  /** Messages that were made then, in milliseconds. */
  async function messages(count: number, at: number, status = 'sent', channel = 'email'): Promise<void> {
    const start = at.toString(16).padStart(12, '0');
    await service.database.query(`
      insert into message (store_id, id, profile_id, sender_id, template_version, channel, class, source, status, created_at)
      select '${storeId}', ('${start}' || substr(replace(uuidv7()::text, '-', ''), 13))::uuid, uuidv7(), uuidv7(), 1, '${channel}',
        'marketing', 'request', '${status}', now()
      from generate_series(1, ${count}) n`);
  }

  it('counts what was handed over on the days of the store, and nothing else', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const zone = JSON.stringify({ time_zone: 'Asia/Tokyo' });
    await client.send('PATCH', '/v1/store', zone, { headers, expect: 200 });
    const start = Date.parse('2026-03-01T00:00+09:00');
    for (const status of ['sent', 'delivered', 'bounced', 'complained']) await messages(1, start, status);
    for (const status of ['waiting', 'skipped', 'failed', 'cancelled', 'unknown']) await messages(1, start, status);
    await messages(3, start + DAY_MS - 1, 'sent', 'sms');
    await messages(7, start - 1);
    await messages(7, start + DAY_MS);
    const other = await service.newStore();
    await service.database.query(`
      insert into message (store_id, id, profile_id, sender_id, template_version, channel, class, source, status, created_at)
      select '${other}', id, profile_id, sender_id, 1, channel, class, source, status, created_at from message
      where store_id = '${storeId}'`);
    expect(await report('?from=2026-03-01&to=2026-03-01')).to.deep.equal({
      ...{ from: '2026-03-01', to: '2026-03-01', time_zone: 'Asia/Tokyo', is_cut: false },
      ...{ totals: totals(4, 3), comparison: null },
    });
    const { comparison } = await report('?from=2026-03-01&to=2026-03-01&compare=previous_period');
    expect(comparison).to.deep.equal({ from: '2026-02-28', to: '2026-02-28', totals: totals(7, 0) });
  });

  it('takes large campaigns as they were counted last, on the day on which they began', async () => {
    const at = Date.parse('2026-03-01T09:00Z');
    const campaign = async (begun: number, channel: string, counts: string) => {
      const id = newId();
      await service.database.query(`
        insert into campaign (store_id, id, name, channel, status, revision, recipients, started_at, created_at, updated_at)
        values ('${storeId}', '${id}', 'One', '${channel}', 'sent', 1, 6000, to_timestamp(${begun / 1000}), now(), now())`);
      await service.database.query(`
        insert into campaign_count (store_id, campaign_id, counts) values ('${storeId}', '${id}', ${counts})`);
    };
    await campaign(
      at,
      'email',
      `'{"counts": [{"status": "sent", "count": 5000}, {"status": "bounced", "count": 100},
      {"status": "skipped", "count": 900}]}'`,
    );
    await campaign(at + HOUR_MS, 'sms', `'{"counts": [{"status": "delivered", "count": 6000}]}'`);
    await campaign(at + 2 * HOUR_MS, 'email', 'null');
    await campaign(at + DAY_MS, 'email', `'{"counts": [{"status": "sent", "count": 9000}]}'`);
    // Its own messages are not counted once more; those between campaigns are.
    await messages(5, at);
    for (const hours of [-1, 0.5, 1.5, 3]) await messages(2, at + hours * HOUR_MS);
    expect(await report('?from=2026-03-01&to=2026-03-01')).to.deep.include({
      totals: totals(5108, 6000),
      is_cut: false,
    });
  });

  it('compares a day that is not over yet with that much of the day before', async () => {
    const before = Date.now() - DAY_MS;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    await messages(1, before);
    await messages(4, before + 20 * 60_000);
    const { from, comparison } = await report('?compare=previous_period');
    expect(Date.parse(comparison.to)).to.equal(Date.parse(from) - DAY_MS);
    const today = await report(`?from=${day(Date.now())}&compare=previous_period`);
    // Unless midnight comes between.
    if (today.comparison.from === day(before)) expect(today.comparison.totals).to.deep.equal(totals(1, 0));
  });

  it('says that there are more than it has looked at', async () => {
    await messages(100_001, Date.parse('2026-03-01T09:00Z'));
    expect(await report('?from=2026-03-01&to=2026-03-01')).to.deep.include({
      totals: totals(100_001, 0),
      is_cut: true,
    });
  });

  it('refuses ranges that are none or too long, and keys without the scope', async () => {
    for (const [query, field] of [
      ['?from=2025-03-02&to=2025-03-01', 'from'],
      ['?from=2024-01-01&to=2025-03-01', 'from'],
      ['?to=yesterday', 'to'],
      ['?compare=never', 'compare'],
    ]) {
      expect((await report(query as string, 400)).error.field, query).to.equal(field);
    }
    const { key } = await service.newKey({ storeId, scopes: ['reports:read'] });
    await client.as(key).get('/v1/reports/messages', { expect: 403 });
  });
});
