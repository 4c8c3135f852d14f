import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { type EventFields, eventDocument, eventJobDocument, profileDocument } from './documents.ts';
import { recordEvent, runJob, saveProfile } from './steps.ts';

/** One event, in the words of each surface. */
const NATIVE = {
  event_type: 'placed_order',
  profile: { email: 'Ada@Example.com', phone: '+49 30 123456', external_id: 'c1' },
  properties: { order_id: 'o1', items: [{ sku: 'é', n: 1.5 }], value: 59.9, currency: 'EUR' },
  occurred_at: '2026-11-20T09:15:27+01:00',
  idempotency_key: 'o1',
};
const COMPAT: EventFields = {
  metric: 'Placed Order',
  profile: { email: 'Ada@Example.com', phone_number: '+49 30 123456', external_id: 'c1' },
  properties: { order_id: 'o1', items: [{ sku: 'é', n: 1.5 }] },
  value: 59.9,
  value_currency: 'EUR',
  time: '2026-11-20T09:15:27+01:00',
  unique_id: 'o1',
};

describe('The two surfaces', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  async function newStore(): Promise<{ storeId: string; client: Client }> {
    const storeId = await service.newStore();
    return { storeId, client: await service.client({ storeId }) };
  }

  /** All that is stored of a store's customers; without what differs from request to request. */
  async function stored(storeId: string) {
    const rows = (statement: string) => service.database.query(statement.replace('$store', `'${storeId}'`));
    return {
      events: await rows(`
        select e.event_type, e.properties::text, e.idempotency_key, e.occurred_at, p.external_id as profile
        from event e join profile p on p.store_id = e.store_id and p.id = e.profile_id
        where e.store_id = $store order by e.id`),
      profiles: await rows(`
        select external_id, email, phone, anonymous_id, attributes from profile where store_id = $store order by id`),
      identifiers: await rows(`
        select kind, value from profile_identifier where store_id = $store order by kind, value`),
      keys: await rows(`select key from idempotency_key where store_id = $store`),
    };
  }

  it('store the same rows for an event', async () => {
    const stores = await Promise.all([newStore(), newStore(), newStore(), newStore()]);
    const [native, bulk, compat, job] = stores;
    await native.client.post('/v1/events', NATIVE, { expect: 201 });
    await bulk.client.post('/v1/events/bulk', { events: [NATIVE] }, { expect: 201 });
    await recordEvent(compat.client, COMPAT);
    const { profile = {}, ...event } = COMPAT;
    await runJob(job.client, eventJobDocument([{ profile, events: [event] }]));

    const [expected, ...others] = await Promise.all(stores.map(({ storeId }) => stored(storeId)));
    expect(expected?.events).to.have.length(1);
    for (const other of others) expect(other).to.deep.equal(expected);
  });

  it('store the same rows for a profile', async () => {
    const [native, compat] = await Promise.all([newStore(), newStore()]);
    const attributes = { first_name: 'Ada', location: { city: 'London', latitude: 51.5 }, loyalty_tier: 'gold' };
    const identifiers = { email: 'ada@example.com', phone: '+4930123456', external_id: 'c1' };
    await native.client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 201 });
    const { phone: phone_number, ...others } = identifiers;
    const { loyalty_tier, ...standard } = attributes;
    await saveProfile(compat.client, { ...others, phone_number, ...standard, properties: { loyalty_tier } });
    expect(await stored(compat.storeId)).to.deep.equal(await stored(native.storeId));
  });

  it('share profiles', async () => {
    const { client } = await newStore();
    const { body } = await client.post('/v1/events', NATIVE, { expect: 201 });
    const event = await recordEvent(client, COMPAT);
    expect(event.relationships.profile.data.id).to.equal(body.profile_id);
    const upsert = { identifiers: { external_id: 'c1' }, attributes: { title: 'Dr', loyalty_tier: 'gold' } };
    const upserted = await client.post('/v1/profiles/upsert', upsert, { expect: 200 });
    expect(upserted.body.id).to.equal(body.profile_id);
    const shown = await saveProfile(client, { external_id: 'c1', properties: { loyalty_tier: 'platinum' } });
    expect(shown.id).to.equal(body.profile_id);
    expect(shown.attributes).to.deep.include({ title: 'Dr', properties: { loyalty_tier: 'platinum' } });
    const again = await client.post('/v1/profiles/upsert', { identifiers: upsert.identifiers }, { expect: 200 });
    expect(again.body.attributes).to.deep.equal({ title: 'Dr', loyalty_tier: 'platinum' });
  });

  it('show what the native surface stores under a standard name, even if it has the wrong type', async () => {
    const { client } = await newStore();
    const attributes = { first_name: 7, location: 'London', title: 'Dr' };
    await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'c1' }, attributes }, { expect: 201 });
    const shown = await saveProfile(client, { external_id: 'c1' });
    expect(shown.attributes).to.deep.include({ first_name: null, title: 'Dr' });
    expect(shown.attributes.properties).to.deep.equal({ first_name: 7, location: 'London' });
  });

  it("recognise each other's repeats", async () => {
    const { client, storeId } = await newStore();
    const native = await client.post('/v1/events', NATIVE, { expect: 201 });
    const compat = await recordEvent(client, COMPAT);
    const nativeAgain = await client.post('/v1/events', NATIVE, { expect: 201 });
    expect(nativeAgain.body).to.deep.equal(native.body);
    expect(nativeAgain.headers['idempotency-replayed']).to.equal('true');
    expect(await recordEvent(client, COMPAT)).to.deep.equal(compat);
    expect((await stored(storeId)).events).to.have.length(2);
  });

  it('count requests in one window', async () => {
    const { client } = await newStore();
    const remaining = async (path: string, document: object) =>
      Number((await client.post(path, document)).headers['ratelimit-remaining']);
    const first = await remaining('/v1/events', NATIVE);
    expect(await remaining('/compat/v1/events', eventDocument(COMPAT))).to.equal(first - 1);
    expect(await remaining('/compat/v1/api/profiles/', profileDocument({ email: 'ada@example.com' }))).to.equal(
      first - 2,
    );
    const group = { profile: COMPAT.profile ?? {}, events: Array.from({ length: 100 }, () => ({ metric: 'Visit' })) };
    expect(await remaining('/compat/v1/event-bulk-create-jobs', eventJobDocument([group]))).to.equal(first - 3);
    expect(await remaining('/v1/events', NATIVE)).to.equal(first - 4);
  });
});
