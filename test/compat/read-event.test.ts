import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';
import { recordEvent } from './steps.ts';

const PATH = '/compat/v1/events';

describe('Reading an event on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  describe('GET /compat/v1/events/{id}', () => {
    it('returns the event as the third party shows it', async () => {
      const sent = await recordEvent(client, {
        metric: 'Placed Order',
        profile: { external_id: 'c1' },
        properties: { order_id: 'o1', value: { gross: 2 }, list: [1.5, '}'] },
        time: '2026-03-01T12:00:05.678Z',
        value: 59.9,
        value_currency: 'EUR',
        unique_id: 'u1',
      });
      const { body } = await client.get(`${PATH}/${sent.id}`, { expect: 200 });
      expect(body).to.deep.equal({
        data: {
          type: 'event',
          id: sent.id,
          attributes: {
            timestamp: Date.UTC(2026, 2, 1, 12, 0, 5) / 1000,
            event_properties: {
              order_id: 'o1',
              value: { gross: 2 },
              list: [1.5, '}'],
              $value: 59.9,
              $currency_code: 'EUR',
              $event_id: 'u1',
            },
            datetime: '2026-03-01T12:00:05.678000+00:00',
            uuid: sent.id,
          },
          relationships: {
            profile: { data: { type: 'profile', id: sent.relationships.profile.data.id } },
            metric: { data: { type: 'metric', id: 'placed_order' } },
            attributions: { data: [] },
          },
          links: { self: `${service.url}${PATH}/${sent.id}` },
        },
      });
      const listed = await client.get(PATH, { expect: 200 });
      expect(listed.body.data).to.deep.equal([body.data]);
    });

    it('shows the second of an event without a unique id, unless its properties have an id', async () => {
      const profile = { external_id: 'c1' };
      const properties = { 'a "key"': '"value":1}', nested: { $event_id: 'x', $value: 1, value: 2 } };
      const second = String(Date.UTC(2026, 2, 1, 12, 0, 5) / 1000);
      for (const [own, expected] of [
        [{}, { $event_id: second }],
        [{ $event_id: 'mine' }, { $event_id: 'mine' }],
        [
          { $value: 7, value: 8 },
          { $value: 7, value: 8, $event_id: second },
        ],
      ] as const) {
        const sent = { ...properties, ...own };
        const { id } = await recordEvent(client, {
          metric: 'Visit',
          profile,
          properties: sent,
          time: '2026-03-01T12:00:05.900Z',
        });
        const { body } = await client.get(`${PATH}/${id}`, { expect: 200 });
        expect(body.data.attributes.event_properties).to.deep.equal({ ...properties, ...expected });
      }
    });

    it('shows an event of the native surface', async () => {
      const properties = { value: 12.5, currency: 'EUR', note: 'x' };
      const profile = { external_id: 'c1' };
      const [id] = await record(client, { event_type: 'Chäck out', profile, properties, idempotency_key: 'k1' });
      const { body } = await client.get(`${PATH}/${id}?include=metric`, { expect: 200 });
      const expected = { ...properties, $value: 12.5, $currency_code: 'EUR', $event_id: 'k1' };
      expect(body.data.attributes.event_properties).to.deep.equal(expected);
      const metricId = body.data.relationships.metric.data.id;
      expect(metricId).to.match(/^~[\w-]+$/);
      expect(body.included).to.have.length(1);
      expect(body.included[0]).to.deep.include({ id: metricId });
      expect(body.included[0].attributes.name).to.equal('Chäck out');
      const { body: page } = await client.get(`${PATH}?filter=equals(metric_id,"${metricId}")`, { expect: 200 });
      expect(page.data).to.deep.equal([body.data]);
    });

    it('returns numbers digit for digit', async () => {
      const { id } = await recordEvent(client, { metric: 'Visit', profile: { external_id: 'c1' }, value: 3 });
      const text = '{"exact":12345678901234567890.12345678901234567890,"tiny":1.50e-400}';
      await service.database.query(`update event set properties = '${text}' where id = '${id}'`);
      const { key } = await service.newKey({ storeId: (await client.get('/compat/v1/accounts')).body.data[0].id });
      const answer = await fetch(`${service.url}${PATH}/${id}`, { headers: { Authorization: `Bearer ${key}` } });
      expect(await answer.text()).to.include(text.slice(1, -1));
    });

    it("returns 404 for another store's event", async () => {
      const { id } = await recordEvent(await service.client(), { metric: 'Visit', profile: { external_id: 'c1' } });
      await client.get(`${PATH}/${id}`, { expect: 404 });
    });
  });

  it('GET /compat/v1/events/{id}/metric and GET /compat/v1/events/{id}/profile return what is included', async () => {
    const profile = { external_id: 'c1', first_name: 'Ada' };
    const { id } = await recordEvent(client, { metric: { name: 'Placed Order', service: 'shop' }, profile });
    const { body } = await client.get(`${PATH}/${id}?include=profile,metric,attributions`, { expect: 200 });
    const metric = await client.get(`${PATH}/${id}/metric`, { expect: 200 });
    const owner = await client.get(`${PATH}/${id}/profile`, { expect: 200 });
    expect(body.included).to.deep.equal([metric.body.data, owner.body.data]);
    expect(metric.body.data.attributes).to.deep.equal({
      name: 'Placed Order',
      created: null,
      updated: null,
      integration: null,
    });
    expect(owner.body.data).to.deep.equal((await client.get('/compat/v1/profiles')).body.data[0]);
    const sparse = 'fields[event]=timestamp&fields[metric]=name&fields[profile]=first_name';
    const { body: less } = await client.get(`${PATH}?include=metric,profile&${sparse}`, { expect: 200 });
    expect(Object.keys(less.data[0].attributes)).to.deep.equal(['timestamp']);
    expect(less.included.map(({ attributes }: any) => attributes)).to.deep.equal([
      { name: 'Placed Order' },
      { first_name: 'Ada' },
    ]);
  });

  it('shows no profile to a key that may not read profiles', async () => {
    const { key, storeId } = await service.newKey();
    const { id } = await recordEvent(client.as(key), { metric: 'Visit', profile: { external_id: 'c1' } });
    const reader = client.as((await service.newKey({ storeId, scopes: ['events:read'] })).key);
    await reader.get(`${PATH}/${id}?include=metric`, { expect: 200 });
    for (const path of [`${PATH}/${id}/profile`, `${PATH}/${id}?include=profile`, `${PATH}?include=metric,profile`]) {
      const { body } = await reader.get(path, { expect: 403 });
      expect(body.errors[0].detail, path).to.equal('The API key lacks the scope profiles:read');
    }
  });
});
