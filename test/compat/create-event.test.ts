import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventDocument } from './documents.ts';
import { expectRefusal, recordEvent } from './steps.ts';

describe('POST /compat/v1/events', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const ada = { email: 'ada@example.com' };

  it('returns 202 with the event as it was sent', async () => {
    const properties = { order_id: 'o1', items: [{ sku: 'é 東京 🎉', price: 1.5 }], 'a.b': null, empty: {} };
    const event = await recordEvent(client, {
      metric: { name: 'Placed Order', service: 'shopify' },
      profile: ada,
      properties,
      time: '2026-11-20T09:15:27.5+02:00',
      value: 59.9,
      value_currency: 'EUR',
      unique_id: 'o1',
      backfill: true,
    });
    expect(event.type).to.equal('event');
    expect(event.attributes).to.deep.equal({
      metric: { data: { type: 'metric', attributes: { name: 'Placed Order', service: 'shopify' } } },
      properties,
      time: '2026-11-20T07:15:27.500Z',
      value: 59.9,
      value_currency: 'EUR',
      unique_id: 'o1',
      backfill: true,
    });
  });

  it('sets the time of receipt, and null for everything not sent', async () => {
    const before = Date.now();
    const { attributes } = await recordEvent(client, { metric: 'Visit', profile: ada });
    expect(Date.parse(attributes.time)).to.be.within(before, Date.now());
    expect(attributes).to.deep.include({
      metric: { data: { type: 'metric', attributes: { name: 'Visit', service: null } } },
      properties: {},
      value: null,
      value_currency: null,
      unique_id: null,
      backfill: false,
    });
  });

  it('returns properties named value and currency next to the attributes that are stored under these names', async () => {
    const fields = {
      metric: 'Placed Order',
      profile: ada,
      properties: { currency: 'points', value: 'much', coupon: null },
      value: 10,
      value_currency: 'USD',
      unique_id: 'o1',
    };
    await recordEvent(client, fields);
    const { id, attributes } = await recordEvent(client, fields);
    expect(JSON.stringify(attributes.properties)).to.equal(JSON.stringify(fields.properties));
    expect(attributes).to.include({ value: 10, value_currency: 'USD' });
    const [stored] = await service.database.query<{ properties: object }>(
      `select properties from event where id = '${id}'`,
    );
    expect(stored?.properties).to.deep.equal({ currency: 'USD', value: 10, coupon: null });
  });

  it('keeps a value and a currency in the properties apart from the attributes', async () => {
    const properties = { value: 233.69, currency: 'USD' };
    const { attributes } = await recordEvent(client, { metric: 'Order Completed', profile: ada, properties });
    expect(attributes).to.deep.include({ properties, value: null, value_currency: null });
  });

  for (const [metric, eventType] of [
    ['Placed Order', 'placed_order'],
    ['PlacedOrder', 'placed_order'],
    ['$viewed-product', 'viewed_product'],
    ['Compte pro validé', 'compte_pro_validé'],
    ['🎉', '🎉'],
  ] as const) {
    it(`records the metric ${metric} as the event type ${eventType}, and returns it as sent`, async () => {
      const { id, attributes } = await recordEvent(client, { metric, profile: ada });
      expect(attributes.metric.data.attributes.name).to.equal(metric);
      const rows = await service.database.query(`select event_type from event where id = '${id}'`);
      expect(rows).to.deep.equal([{ event_type: eventType }]);
    });
  }

  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
  const limits: [what: string, within: object, beyond: object, path: string][] = [
    ['400 properties', { properties: many(400) }, { properties: many(401) }, 'properties'],
    ['10 levels', { properties: nested(10) }, { properties: nested(11) }, `properties${'/a'.repeat(10)}`],
    [
      '100 KB of text',
      { properties: { p: 'é'.repeat(51_200) } },
      { properties: { p: `${'é'.repeat(51_200)}e` } },
      'properties/p',
    ],
    [
      '128 characters of metric',
      { metric: 'm'.repeat(128) },
      { metric: 'm'.repeat(129) },
      'metric/data/attributes/name',
    ],
    ['255 characters of unique_id', { unique_id: 'u'.repeat(255) }, { unique_id: 'u'.repeat(256) }, 'unique_id'],
    ['times from 1990 on', { time: '1990-01-01T00:00:00Z' }, { time: '1989-12-31T23:59:59Z' }, 'time'],
    ['times up to a year ahead', { time: daysAhead(364) }, { time: daysAhead(368) }, 'time'],
  ];
  for (const [what, within, beyond, path] of limits) {
    it(`accepts ${what}, and refuses more`, async () => {
      const fields = { metric: 'Visit', profile: ada };
      await recordEvent(client, { ...fields, ...within });
      const refused = await client.post('/compat/v1/events', eventDocument({ ...fields, ...beyond }));
      expectRefusal(refused, `/data/attributes/${path}`);
    });
  }
});

function daysAhead(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
}
