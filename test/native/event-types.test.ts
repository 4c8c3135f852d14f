import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const DAYS = 'from=2026-03-01&to=2026-03-31';
const at = (day: number, hour = 12) => `2026-03-${String(day).padStart(2, '0')}T${hour}:00:00Z`;

describe('Reports on types of events', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
    const order = (n: number, value: unknown, currency: string) => ({
      event_type: 'placed_order',
      profile: { external_id: `c${n}` },
      occurred_at: at(n),
      properties: { value, currency, note: `for ${n}`, gift: n === 1 },
    });
    const events = [
      ...[1, 2, 3, 4, 5].map((n) => order(n, n === 5 ? '0.2' : 0.1, 'EUR')),
      order(6, 'much', 'USD'),
      order(1, 1e30, 'EUR'),
      { event_type: 'visit', profile: { external_id: 'c1' }, occurred_at: at(1, 23), properties: {} },
      { event_type: 'left', profile: { external_id: 'c1' }, occurred_at: '2026-05-01T12:00:00Z', properties: {} },
    ];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
  });
  after(() => service?.stop());

  describe('GET /v1/event-types', () => {
    const list = async (query: string) => (await client.get<any>(`/v1/event-types?${query}`, { expect: 200 })).body;

    it('lists what happened in a range, by name, with customers', async () => {
      const body = await list(DAYS);
      expect(body).to.deep.equal({
        from: '2026-03-01',
        to: '2026-03-31',
        time_zone: 'UTC',
        event_types: [
          { event_type: 'placed_order', event_count: 7, profile_count: 6, last_seen_at: '2026-03-06T12:00:00.000Z' },
          { event_type: 'visit', event_count: 1, profile_count: 1, last_seen_at: '2026-03-01T23:00:00.000Z' },
        ],
        next_cursor: null,
      });
    });

    it('goes on with the next page', async () => {
      const { event_types, next_cursor } = await list(`${DAYS}&limit=1`);
      expect(event_types.map((one: any) => one.event_type)).to.deep.equal(['placed_order']);
      const next = await list(`${DAYS}&limit=1&cursor=${next_cursor}`);
      expect(next.event_types.map((one: any) => one.event_type)).to.deep.equal(['visit']);
      expect(next.next_cursor).to.equal(null);
      await client.get('/v1/event-types?cursor=%21', { expect: 400 });
    });

    it('counts days of the time zone of the store', async () => {
      const own = await service.client();
      await own.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'Asia/Tokyo' }), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });
      const event = { event_type: 'visit', profile: { external_id: 'a' }, occurred_at: at(1, 23) };
      await own.post('/v1/events', event, { expect: 201 });
      const countOn = async (day: string) =>
        (await own.get<any>(`/v1/event-types?from=${day}&to=${day}`, { expect: 200 })).body.event_types.length;
      expect([await countOn('2026-03-01'), await countOn('2026-03-02')]).to.deep.equal([0, 1]);
    });
  });

  describe('GET /v1/event-types/{event_type}', () => {
    const report = async (query: string, type = 'placed_order') =>
      (await client.get<any>(`/v1/event-types/${type}?${query}`, { expect: 200 })).body;

    it('counts by day, and says what properties are', async () => {
      const body = await report(DAYS);
      expect(body).to.include({ event_count: 7, profile_count: 6, sum: null, time_zone: 'UTC' });
      expect(body.days.length).to.equal(31);
      expect(body.days[0]).to.deep.equal({ date: '2026-03-01', event_count: 2 });
      expect(body.sample).to.deep.equal({ event_count: 7, from: '2026-03-01T12:00:00.000Z', is_complete: true });
      const value = body.properties.find(({ name }: any) => name === 'value');
      expect(value).to.include({ share: 1 });
      expect(value.types).to.deep.equal(['number', 'string']);
    });

    it('counts days as calendars have them, also where a time zone has left one out', async () => {
      const own = await service.client();
      await own.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'Pacific/Apia' }), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });
      const event = { event_type: 'visit', profile: { external_id: 'a' }, occurred_at: '2011-12-30T12:00:00Z' };
      await own.post('/v1/events', event, { expect: 201 });
      const { body } = await own.get<any>('/v1/event-types/visit?from=2011-12-29&to=2011-12-31', { expect: 200 });
      expect(body.days).to.deep.equal([
        { date: '2011-12-29', event_count: 0 },
        { date: '2011-12-30', event_count: 0 },
        { date: '2011-12-31', event_count: 1 },
      ]);
    });

    it('leaves customers out who were erased', async () => {
      const own = await service.client();
      for (const name of ['a', 'b'])
        await own.post('/v1/events', { event_type: 'visit', profile: { external_id: name }, occurred_at: at(1) });
      const { body } = await own.post<any>('/v1/erasures', { external_id: 'a', events: 'anonymise' }, { expect: 202 });
      await until(
        async () => (await own.get<any>(`/v1/erasures/${body.id}`)).body.status === 'complete',
        'the customer is erased',
      );
      const { body: found } = await own.get<any>(`/v1/event-types/visit?${DAYS}`, { expect: 200 });
      expect(found).to.include({ event_count: 2, profile_count: 1 });
      expect(found.top_profiles.length).to.equal(1);
    });

    it('returns no value that fewer than five customers share', async () => {
      const { properties } = await report(DAYS);
      const values = Object.fromEntries(properties.map((one: any) => [one.name, one.values]));
      expect(values.currency).to.deep.equal([{ value: 'EUR', event_count: 6, profile_count: 5, sum: null }]);
      expect(values.note).to.deep.equal([]);
      expect(values.gift.map((one: any) => one.value)).to.deep.equal(['false']);
    });

    it('adds numbers up, exactly, also those that are texts', async () => {
      const { sum, properties, top_profiles } = await report(`${DAYS}&property=value`);
      expect(sum).to.deep.equal({ event_count: 5, sum: '0.6' });
      const currency = properties.find(({ name }: any) => name === 'currency');
      expect(currency.values[0].sum).to.equal('0.6');
      expect(top_profiles.length).to.equal(6);
      expect(top_profiles[0]).to.include({ event_count: 1, sum: '0.2' });
    });

    it('looks at the latest events alone where there are many', async () => {
      const own = await service.client();
      const profile = { external_id: 'a' };
      const text = () => randomBytes(45_000).toString('base64');
      const event = (n: number) => ({
        ...{ event_type: 'large', profile, occurred_at: at(1 + (n % 28)), properties: { text: text() } },
      });
      for (let n = 0; n < 4; n += 1) {
        const events = Array.from({ length: 60 }, (_, i) => event(i));
        await own.post('/v1/events/bulk', { events }, { expect: 201 });
      }
      const { body } = await own.get<any>(`/v1/event-types/large?${DAYS}`, { expect: 200 });
      expect(body.event_count).to.equal(240);
      expect(body.sample.event_count).to.be.within(1, 150);
      expect(body.sample.is_complete).to.equal(false);
    });

    it('is a 404 for a type that the store does not have, and knows one that did not happen lately', async () => {
      await client.get(`/v1/event-types/unheard_of?${DAYS}`, { expect: 404 });
      const other = await service.client();
      await other.get(`/v1/event-types/placed_order?${DAYS}`, { expect: 404 });
      expect(await report(DAYS, 'left')).to.include({ event_count: 0, last_seen_at: '2026-05-01T12:00:00.000Z' });
    });
  });
});
