import { expect } from 'chai';
import { eventJobDocument } from '../compat/documents.ts';
import { recordEvent, runJob } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const profile = { external_id: 'c1' };

describe('Backfilled events', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    ({ key, storeId } = await service.newKey());
    client = new Client(service.url, key);
  });
  after(() => service.stop());

  const send = async (more: object = {}) =>
    (await client.post('/v1/events', { event_type: 'visit', profile, ...more }, { expect: 201 })).body;
  const flags = async (): Promise<boolean[]> =>
    (await client.get('/v1/events', { expect: 200 })).body.events.map(({ backfill }: any) => backfill);
  const sources = async () =>
    (
      await service.database.query<{ source: object | null }>(
        `select source from event where store_id = '${storeId}' order by id`,
      )
    ).map(({ source }) => source);

  it('show it, wherever an event is read', async () => {
    const stream = await EventStream.open(service.url, key);
    try {
      for (const backfill of [true, false, undefined]) {
        const sent = await send({ backfill });
        expect(sent.backfill).to.equal(backfill ?? false);
        const { body } = await client.get(`/v1/events/${sent.id}`, { expect: 200 });
        expect(body).to.deep.equal(sent);
      }
      const { body: page } = await client.get('/v1/events', { expect: 200 });
      const [{ profile_id }] = page.events;
      const { body: timeline } = await client.get(`/v1/profiles/${profile_id}/events`, { expect: 200 });
      expect(timeline.events).to.deep.equal(page.events);
      await until(() => stream.messages.length === 3, 'all have come');
      expect(stream.messages.map(({ data }) => data)).to.have.deep.members(page.events);
      expect(await flags()).to.deep.equal([false, false, true]);
    } finally {
      stream.close();
    }
    expect(await sources()).to.deep.equal([{ backfill: true }, null, null]);
  });

  it('can be sent in bulk, each by itself', async () => {
    const events = [true, undefined, true, false].map((backfill, n) => ({
      ...{ event_type: 'visit', profile, backfill, occurred_at: `2026-01-0${n + 1}T00:00:00Z` },
    }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    expect(await flags()).to.deep.equal([false, true, false, true]);
    // Larger bodies are handled in a thread.
    const large = events.map((event) => ({ ...event, properties: { text: 'x'.repeat(30_000) } }));
    await client.post('/v1/events/bulk', { events: large }, { expect: 201 });
    expect((await flags()).filter((flag) => flag)).to.have.length(4);
  });

  it('stay what they were first sent as', async () => {
    const first = await send({ backfill: true, idempotency_key: 'a' });
    expect(await send({ idempotency_key: 'a' })).to.deep.equal(first);
    const live = await send({ idempotency_key: 'b' });
    expect(await send({ idempotency_key: 'b', backfill: true })).to.deep.equal(live);
    const events = [{ event_type: 'visit', profile, idempotency_key: 'b', backfill: true }];
    const { body } = await client.post('/v1/events/bulk', { events }, { expect: 201 });
    expect(body).to.include({ created: 0, duplicates: 1 });
    expect(await flags()).to.deep.equal([false, true]);
  });

  it('are refused if it is anything but a boolean', async () => {
    for (const backfill of ['true', 1, null, {}]) {
      const event = { event_type: 'visit', profile, backfill };
      expect((await client.post('/v1/events', event, { expect: 400 })).body.error.field).to.equal('backfill');
      const { body } = await client.post('/v1/events/bulk', { events: [event] }, { expect: 400 });
      expect(body.error.field).to.equal('events[0].backfill');
    }
  });

  it('are those of the compatibility surface too', async () => {
    const misleading = {
      metric: '{"backfill":true',
      properties: { backfill: true, value: { backfill: true } },
      value: 1,
    };
    await recordEvent(client, { ...misleading, profile, backfill: false });
    expect(await flags()).to.deep.equal([false]);
    for (const metric of ['Visit', 'A "quoted\\" \u2028 name', { name: 'Visit', service: 'shop "1"' }]) {
      const { id } = await recordEvent(client, {
        metric,
        profile,
        backfill: true,
        value: 5,
        properties: { value: 'x' },
      });
      const { body } = await client.get(`/v1/events/${id}`, { expect: 200 });
      expect(body.backfill, JSON.stringify(metric)).to.equal(true);
    }
    await runJob(client, eventJobDocument([{ profile, backfill: true, events: [{ metric: 'Imported' }] }]));
    const { body } = await client.get('/v1/events?event_type=imported', { expect: 200 });
    expect(body.events[0].backfill).to.equal(true);
  });

  it('of pages and apps show both', async () => {
    const page = new Client(service.url, (await service.newKey({ storeId, scopes: ['client:write'] })).key);
    const attributes = {
      metric: { data: { type: 'metric', attributes: { name: 'Visit' } } },
      profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } },
      backfill: true,
    };
    await page.post('/compat/v1/client/events', { data: { type: 'event', attributes } }, { expect: 202 });
    const { body } = await client.get('/v1/events', { expect: 200 });
    expect(body.events[0]).to.include({ backfill: true, from_client: true });
  });

  for (const [whose, source] of Object.entries({
    'sent on the native surface': { backfill: true },
    'made by automations': { automation: { run_id: '01936b2e-9f00-7b11-8d02-6a7c55e0c401', depth: 2 } },
  })) {
    it(`${whose} are read on the compatibility surface like any other of the native one`, async () => {
      const properties = { value: 5, currency: 'EUR', order_id: 'o1' };
      const [plain, other] = [await send({ properties }), await send({ properties })];
      await service.database.query(`update event set source = '${JSON.stringify(source)}' where id = '${other.id}'`);
      const shown = async (id: string) => {
        const { body } = await client.get(`/compat/v1/events/${id}`, { expect: 200 });
        const { body: metric } = await client.get(`/compat/v1/events/${id}/metric`, { expect: 200 });
        return [body.data.attributes.event_properties, metric.data.attributes];
      };
      const [properties1, metric1] = await shown(plain.id);
      const [properties2, metric2] = await shown(other.id);
      expect(metric2).to.deep.equal(metric1);
      expect({ ...properties2, $event_id: '' }).to.deep.equal({ ...properties1, $event_id: '' });
      expect(properties2).to.include({ $value: 5, $currency_code: 'EUR', value: 5 });
      expect((await client.get(`/v1/events/${other.id}`, { expect: 200 })).body).to.deep.equal({
        ...other,
        backfill: 'backfill' in source,
      });
    });
  }
});
