import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { saveMessageSettings, USUAL_SETTINGS } from '../support/message-settings.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
let client: Client;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await service.client();
});
after(() => service.stop());

const get = (query: string, expected: number) =>
  client.get<any>(`/v1/attribution${query}`, { expect: expected }).then(({ body }) => body);

describe('GET /v1/attribution', () => {
  it('sums up the last 30 days by source, unless it is asked for something else', async () => {
    const body = await get('', 200);
    const days = (Date.parse(body.to) - Date.parse(body.from)) / 86_400_000;
    expect(days).to.equal(29);
    expect(body).to.include({ group_by: 'source', order_count: 0, is_cut: false });
    const day = await get('?from=2025-03-01&to=2025-03-01&group_by=day', 200);
    expect(day).to.include({ from: '2025-03-01', to: '2025-03-01', group_by: 'day' });
  });

  it('counts days of a time zone, and compares them with those before or with the year before', async () => {
    const storeId = await service.newStore();
    client = client.as((await service.newKey({ storeId })).key);
    const order = (at: string, value: number, source: string) =>
      service.database.query(`
        insert into attribution (store_id, event_id, profile_id, message_id, source_id, ordered_at, click_window_ms, is_placed,
          source, value, currency)
        values ('${storeId}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '${at}', 1, true,
          '${source}', ${value}, 'EUR')`);
    await order('2024-05-01T15:00Z', 1, 'campaign');
    await order('2024-05-01T14:59:59.999Z', 2, 'campaign');
    await order('2024-05-01T14:00Z', 4, 'automation');
    await order('2023-05-01T15:00Z', 8, 'campaign');
    const query = '?from=2024-05-02&to=2024-05-02&time_zone=Asia/Tokyo';
    const day = await get(`${query}&group_by=day&compare=previous_period`, 200);
    expect(day).to.deep.include({ time_zone: 'Asia/Tokyo', order_count: 1 });
    expect(day.groups.map(({ date }: any) => date)).to.deep.equal(['2024-05-02']);
    const revenue = (order_count: number, amount: string) => [
      { currency: 'EUR', order_count, amount, refunded_amount: '0' },
    ];
    const before = { from: '2024-05-01', to: '2024-05-01' };
    expect(day.comparison).to.deep.equal({ ...before, totals: { order_count: 2, revenue: revenue(2, '6') } });
    const ofCampaigns = await get(`${query}&group_by=campaign&compare=previous_period`, 200);
    expect(ofCampaigns.comparison).to.deep.equal({ ...before, totals: { order_count: 1, revenue: revenue(1, '2') } });
    const year = await get(`${query}&compare=previous_year`, 200);
    expect(year.comparison.totals).to.deep.equal({ order_count: 1, revenue: revenue(1, '8') });
    expect((await get(query, 200)).comparison).to.equal(null);
    const offset = await get('?from=2024-05-01&to=2024-05-02&time_zone=%2B09:00&group_by=day', 200);
    const ofDays = offset.groups.map(({ date, order_count }: any) => [date, order_count]);
    expect(ofDays).to.deep.equal([
      ['2024-05-01', 2],
      ['2024-05-02', 1],
    ]);
  });

  it('waits for its turn as other reports of the store do, and is refused where too many wait', async () => {
    const release = await holdTable(service.database, 'attribution');
    const refused: number[] = [];
    const asked = Array.from({ length: 25 }, async () => {
      const { status, body } = await client.get<any>('/v1/attribution');
      if (body.error?.message.startsWith('Too many reports')) refused.push(status);
    });
    await until(async () => refused.length > 3, 'those are refused for whom there is no room to wait').finally(release);
    await Promise.all(asked);
    expect(new Set(refused)).to.deep.equal(new Set([502]));
  });

  it('refuses ranges that are none or too long, and what it can not group by', async () => {
    for (const [query, field] of [
      ['?from=2025-03-02&to=2025-03-01', 'from'],
      ['?from=2024-01-01&to=2025-03-01', 'from'],
      ['?from=2025-02-30', 'from'],
      ['?to=yesterday', 'to'],
      ['?group_by=customer', 'group_by'],
      ['?compare=never', 'compare'],
      ['?time_zone=Mars/Base', 'time_zone'],
      ['?source_id=7', 'source_id'],
    ]) {
      expect((await get(query as string, 400)).error.field, query).to.equal(field);
    }
  });
});

describe('The rule of attribution', () => {
  const save = (attribution: object, expected: number) =>
    saveMessageSettings(client, { attribution: { ...USUAL_SETTINGS.attribution, ...attribution } }, expected);

  it('is kept as it is given', async () => {
    const attribution = {
      conversion_types: ['placed_order', 'Bestellung'],
      refund_types: [],
      click_window: 'P30D',
      open_window: 'PT24H',
    };
    expect((await save(attribution, 200)).body.attribution).to.deep.equal(attribution);
    expect((await client.get<any>('/v1/message-settings')).body.attribution).to.deep.equal(attribution);
  });

  it('is refused where it can not hold', async () => {
    for (const [fields, field] of [
      [{ conversion_types: [] }, 'conversion_types'],
      [{ conversion_types: ['a', 'a'] }, 'conversion_types'],
      [{ conversion_types: [''] }, 'conversion_types[0]'],
      [{ conversion_types: Array.from({ length: 11 }, (_, i) => `type_${i}`) }, 'conversion_types'],
      [{ refund_types: ['other', 'placed_order'] }, 'refund_types[1]'],
      [{ click_window: 'P31D' }, 'click_window'],
      [{ click_window: 'P1M' }, 'click_window'],
      [{ click_window: null }, 'click_window'],
      [{ open_window: 'PT24H1S' }, 'open_window'],
      [{ open_window: 'PT0S' }, 'open_window'],
    ] as const) {
      const { body } = await save(fields, 400);
      expect(body.error.field, JSON.stringify(fields)).to.equal(`attribution.${field}`);
    }
  });
});
