import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/events';

describe('POST /v1/events', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  const refusedField = async (body: unknown) => {
    const { error } = (await client.post(PATH, body, { expect: 400 })).body;
    expect(error.code).to.equal('validation_error');
    return error.field;
  };

  it('records an event and returns it', async () => {
    const before = Date.now();
    const profile = { email: 'ada@example.com', phone: '+44 20 7946 0958', external_id: 'cust_1001' };
    const properties = { order_id: 'o1', value: 59.9, currency: 'EUR' };
    const { body } = await client.post(PATH, { event_type: 'placed_order', profile, properties }, { expect: 201 });
    expect(body).to.have.all.keys(
      ...['id', 'event_type', 'profile_id', 'properties', 'idempotency_key', 'occurred_at', 'received_at', 'backfill'],
    );
    expect(body).to.deep.include({ event_type: 'placed_order', idempotency_key: null, properties });
    expect(Date.parse(body.received_at)).to.be.within(before, Date.now());
    expect(body.occurred_at).to.equal(body.received_at);
    expect(await service.database.query(`select profile_id from event where id = '${body.id}'`)).to.deep.equal([
      { profile_id: body.profile_id },
    ]);
  });

  for (const [kind, value] of Object.entries({ email: 'b@example.com', phone: '12345', external_id: 'x' })) {
    it(`requires only ${kind} as an identifier, and no properties`, async () => {
      const { body } = await client.post(PATH, { event_type: 'visit', profile: { [kind]: value } }, { expect: 201 });
      expect(body.properties).to.deep.equal({});
    });
  }

  it('records a past event at its own time', async () => {
    const event = {
      event_type: 'visit',
      profile: { external_id: 'x' },
      occurred_at: '2025-03-01T14:30:00.123456+01:00',
    };
    const { body } = await client.post(PATH, event, { expect: 201 });
    expect(body.occurred_at).to.equal('2025-03-01T13:30:00.123Z');
    expect(body.received_at).not.to.equal(body.occurred_at);
  });

  it('accepts any name of 1 to 128 characters as event_type', async () => {
    for (const event_type of ['x', '🛒'.repeat(128), 'Placed Order!']) {
      const { body } = await client.post(PATH, { event_type, profile: { external_id: 'x' } }, { expect: 201 });
      expect(body.event_type).to.equal(event_type);
    }
    for (const event_type of ['', 'x'.repeat(129), 5, null]) {
      expect(await refusedField({ event_type, profile: { external_id: 'x' } })).to.equal('event_type');
    }
  });

  it('names the field that is missing, invalid or unknown', async () => {
    const event = { event_type: 'visit', profile: { external_id: 'x' } };
    expect(await refusedField({ profile: event.profile })).to.equal('event_type');
    expect(await refusedField({ event_type: 'visit' })).to.equal('profile');
    expect(await refusedField({ ...event, profile: {} })).to.equal('profile');
    expect(await refusedField({ ...event, profile: null })).to.equal('profile');
    expect(await refusedField({ ...event, profile: { email: 'nobody' } })).to.equal('profile.email');
    expect(await refusedField({ ...event, profile: { phone: 'none' } })).to.equal('profile.phone');
    expect(await refusedField({ ...event, profile: { external_id: '' } })).to.equal('profile.external_id');
    expect(await refusedField({ ...event, profile: { external_id: 'x'.repeat(256) } })).to.equal('profile.external_id');
    expect(await refusedField({ ...event, profile: { external_id: 7 } })).to.equal('profile.external_id');
    expect(await refusedField({ ...event, profile: { e_mail: 'a@example.com' } })).to.equal('profile.e_mail');
    expect(await refusedField({ ...event, profle: {} })).to.equal('profle');
    expect(await refusedField({ ...event, properties: [] })).to.equal('properties');
    expect(await refusedField({ ...event, idempotency_key: '' })).to.equal('idempotency_key');
    expect(await refusedField({ ...event, idempotency_key: 'x'.repeat(256) })).to.equal('idempotency_key');
    expect(await refusedField({ ...event, occurred_at: 'yesterday' })).to.equal('occurred_at');
    expect(await refusedField([])).to.equal(null);
  });

  it('requires an identifier of the profile', async () => {
    const { body } = await client.post(PATH, { event_type: 'visit', profile: {} }, { expect: 400 });
    expect(body.error.message).to.equal('profile needs at least one of email, phone, external_id, source_id');
  });
});
