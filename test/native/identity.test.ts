import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('Identity', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const visit = async (profile: object) =>
    (await client.post('/v1/events', { event_type: 'visit', profile }, { expect: 201 })).body.profile_id;
  const profile = async (identifiers: object) => (await client.post('/v1/profiles/upsert', { identifiers })).body;

  it('is decided by external_id before email before phone', async () => {
    const [byId, byEmail, byPhone] = [
      await visit({ external_id: 'c1' }),
      await visit({ email: 'a@example.com' }),
      await visit({ phone: '+4912345' }),
    ];
    expect(new Set([byId, byEmail, byPhone])).to.have.property('size', 3);
    expect(await visit({ phone: '+4912345', email: 'a@example.com', external_id: 'c1' })).to.equal(byId);
    expect(await visit({ phone: '+4912345', email: 'a@example.com' })).to.equal(byEmail);
    expect(await visit({ phone: '+4912345', email: 'a@example.com', external_id: 'unknown' })).to.equal(byEmail);
  });

  it('gains the identifiers that have no owner', async () => {
    const id = await visit({ email: 'a@example.com' });
    expect(await visit({ email: 'a@example.com', phone: '12345', external_id: 'c1' })).to.equal(id);
    expect(await visit({ phone: '12345' })).to.equal(id);
    expect(await visit({ external_id: 'c1' })).to.equal(id);
    expect(await profile({ external_id: 'c1' })).to.deep.include({
      id,
      identifiers: { email: 'a@example.com', phone: '12345', external_id: 'c1' },
    });
  });

  it('leaves an identifier with its owner, and records the event nevertheless', async () => {
    const owner = await visit({ email: 'a@example.com' });
    const other = await visit({ external_id: 'c2', email: 'a@example.com' });
    expect(other).to.equal(owner);
    const third = await visit({ external_id: 'c3' });
    expect(await visit({ external_id: 'c3', email: 'a@example.com' })).to.equal(third);
    expect((await profile({ external_id: 'c3' })).identifiers.email).to.equal(null);
    expect(await visit({ email: 'a@example.com' })).to.equal(owner);
  });

  it('is found by every address of a customer, and shows the one given last', async () => {
    const { id } = await profile({ external_id: 'c1', email: 'old@example.com' });
    expect((await profile({ external_id: 'c1', email: 'new@example.com' })).identifiers.email).to.equal(
      'new@example.com',
    );
    expect(await visit({ email: 'old@example.com' })).to.equal(id);
    expect((await profile({ email: 'old@example.com' })).identifiers.email).to.equal('old@example.com');
  });

  it('ignores differences in the spelling of e-mail addresses and phone numbers', async () => {
    const id = await visit({ email: 'Ada.Lovelace@Example.COM', phone: '+44 (0)20 7946-0958' });
    expect(await visit({ email: '  ada.lovelace@example.com ' })).to.equal(id);
    expect(await visit({ phone: '+4402079460958' })).to.equal(id);
    expect(await visit({ phone: '+44.020.7946/0958' })).to.equal(id);
  });

  it('distinguishes spellings of an external_id, and keeps it unchanged', async () => {
    const ids = [
      await visit({ external_id: 'C1' }),
      await visit({ external_id: 'c1' }),
      await visit({ external_id: ' c1' }),
    ];
    expect(new Set(ids)).to.have.property('size', 3);
    expect((await profile({ external_id: ' c1' })).identifiers.external_id).to.equal(' c1');
  });

  it('creates one profile for concurrent first events of a customer', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => visit({ email: 'race@example.com', phone: '55555' })),
    );
    expect(new Set(ids)).to.have.property('size', 1);
    expect(await service.database.query(`select 1 from profile where store_id = '${storeId}'`)).to.have.length(1);
  });

  it('survives concurrent batches of the same customers in opposite order', async () => {
    const event = (n: number) => ({
      event_type: 'visit',
      profile: { email: `c${n}@example.com`, external_id: `c${n}` },
    });
    const batch = Array.from({ length: 200 }, (_, n) => event(n));
    const send = (events: object[]) => client.post('/v1/events/bulk', { events }, { expect: 201 });
    await Promise.all([0, 1, 2].flatMap(() => [send(batch), send(batch.toReversed())]));
    expect(await service.database.query(`select 1 from profile where store_id = '${storeId}'`)).to.have.length(200);
    expect(await service.database.query(`select 1 from event where store_id = '${storeId}'`)).to.have.length(1_200);
  });

  it('is limited to the store: the same customer of another store has another profile', async () => {
    const other = await service.client();
    const body = { event_type: 'visit', profile: { external_id: 'c1' }, idempotency_key: 'k' };
    const [mine, theirs] = [await client.post('/v1/events', body), await other.post('/v1/events', body)];
    expect(theirs.body.profile_id).not.to.equal(mine.body.profile_id);
    expect(theirs.body.id).not.to.equal(mine.body.id);
    expect(theirs.headers).not.to.have.property('idempotency-replayed');
  });
});
