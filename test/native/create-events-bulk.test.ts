import { expect } from 'chai';
import pg from 'pg';
import { newId } from '../../src/ids/uuid-v7.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/events/bulk';

describe('POST /v1/events/bulk', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.startInThread();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const event = (n: number, more: object = {}) => ({
    event_type: 'visit',
    profile: { external_id: `c${n}` },
    properties: { n },
    ...more,
  });
  const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));
  const stored = async () =>
    (
      await service.database.query<{ properties: { n: number } }>(
        `select properties from event where store_id = '${storeId}' order by id`,
      )
    ).map(({ properties }) => properties.n);

  it('records 1,000 events and returns them in order', async () => {
    const { body } = await client.post(PATH, { events: events(1_000) }, { expect: 201 });
    expect(body).to.include({ created: 1_000, duplicates: 0, rejected: 0 });
    expect(body.events.map(({ index }: { index: number }) => index)).to.deep.equal(events(1_000).map((_, n) => n));
    expect(body.events.every(({ status }: { status: string }) => status === 'created')).to.equal(true);
    expect(await stored()).to.deep.equal(events(1_000).map((_, n) => n));
  });

  it('makes a large batch wait only for others of its store', async () => {
    const other = await service.client();
    const holder = new pg.Client(service.database.url);
    await holder.connect();
    await holder.query(`begin; insert into idempotency_key (store_id, scope, key, event_id)
      values ('${storeId}', '', 'held', '${newId()}')`);
    const answered: string[] = [];
    const waiting = async () =>
      (
        await service.database.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length;
    const post = async (name: string, batch: object[]) => {
      await client.post(PATH, { events: batch }, { expect: 201 });
      answered.push(name);
    };
    // A store has two at a time.
    const holding = [...events(999), event(999, { idempotency_key: 'held' })];
    const held = [post('held', holding), post('held', holding)];
    await until(async () => (await waiting()) === 2, 'both wait for the key');
    const behind = post('behind', events(1_000));
    try {
      await other.post(PATH, { events: events(1_000) }, { expect: 201 });
      await client.post(PATH, { events: events(10) }, { expect: 201 });
      expect(answered).to.deep.equal([]);
    } finally {
      await holder.end();
    }
    await Promise.all([...held, behind]);
    expect(answered.toSorted()).to.deep.equal(['behind', 'held', 'held']);
    // Of two events with one key one is recorded.
    expect(await stored()).to.have.length(3_009);
  });

  it('refuses an empty batch, and one of more than 1,000', async () => {
    for (const batch of [[], events(1_001)]) {
      const { body } = await client.post(PATH, { events: batch }, { expect: 400 });
      expect(body.error.field).to.equal('events');
    }
    expect((await client.post(PATH, {}, { expect: 400 })).body.error.field).to.equal('events');
    expect(await stored()).to.deep.equal([]);
  });

  it('refuses the whole batch for one invalid event, and names it', async () => {
    const batch = events(30);
    batch[17] = { ...event(17), profile: {} as never };
    const { body } = await client.post(PATH, { events: batch }, { expect: 400 });
    expect(body.error.field).to.equal('events[17].profile');
    expect(await stored()).to.deep.equal([]);
  });

  it('names an unknown field of the batch or of an event', async () => {
    const typo = { events: events(1), on_error: 'skip' };
    expect((await client.post(PATH, typo, { expect: 400 })).body.error.field).to.equal('on_error');
    const inEvent = { events: [event(0), event(1, { profle: 1 })] };
    expect((await client.post(PATH, inEvent, { expect: 400 })).body.error.field).to.equal('events[1].profle');
    const choice = { events: events(1), on_invalid: 'ignore' };
    expect((await client.post(PATH, choice, { expect: 400 })).body.error.field).to.equal('on_invalid');
  });

  it('stores the valid events if it may skip the others, and reports each skipped one in its place', async () => {
    const batch = [event(0), event(1, { profile: { email: 'nobody' } }), event(2), 'no event', event(4, { extra: 1 })];
    const { body } = await client.post(PATH, { events: batch, on_invalid: 'skip' }, { expect: 201 });
    expect(body).to.include({ created: 2, duplicates: 0, rejected: 3 });
    expect(body.events.map(({ status }: { status: string }) => status)).to.deep.equal([
      ...['created', 'rejected', 'created', 'rejected', 'rejected'],
    ]);
    expect(body.events[1]).to.deep.equal({
      index: 1,
      status: 'rejected',
      error: {
        code: 'validation_error',
        message: 'events[1].profile.email must be an e-mail address of at most 254 characters',
        field: 'events[1].profile.email',
      },
    });
    expect(body.events[3].error.field).to.equal('events[3]');
    expect(body.events[4].error.field).to.equal('events[4].extra');
    expect(await stored()).to.deep.equal([0, 2]);
  });

  it('returns 201 if all events are skipped', async () => {
    const { body } = await client.post(PATH, { events: [{}, {}], on_invalid: 'skip' }, { expect: 201 });
    expect(body).to.include({ created: 0, duplicates: 0, rejected: 2 });
  });

  it('counts a key as a duplicate that was used before or that occurs twice in the batch', async () => {
    const single = await client.post('/v1/events', event(0, { idempotency_key: 'old' }), { expect: 201 });
    const batch = [
      event(1, { idempotency_key: 'new' }),
      event(2, { idempotency_key: 'old' }),
      event(3, { idempotency_key: 'new' }),
      event(4),
    ];
    const { body } = await client.post(PATH, { events: batch }, { expect: 201 });
    expect(body).to.include({ created: 2, duplicates: 2, rejected: 0 });
    const [first, second, third, fourth] = body.events;
    expect([first.status, fourth.status]).to.deep.equal(['created', 'created']);
    expect(second).to.deep.equal({ index: 1, id: single.body.id, status: 'duplicate' });
    expect(third).to.deep.equal({ index: 2, id: first.id, status: 'duplicate' });
    expect(await stored()).to.deep.equal([0, 1, 4]);
  });

  it('creates and counts nothing for a duplicate among events of new customers', async () => {
    await client.post('/v1/events', event(0, { idempotency_key: 'old' }), { expect: 201 });
    const batch = [event(1), event(2, { idempotency_key: 'old' }), event(3, { idempotency_key: 'new' })];
    const { body } = await client.post(PATH, { events: batch }, { expect: 201 });
    expect(body).to.include({ created: 2, duplicates: 1 });
    expect(await stored()).to.deep.equal([0, 1, 3]);
    const { body: profiles } = await client.get('/v1/profiles', { expect: 200 });
    expect(profiles.profiles.map((profile: any) => profile.identifiers.external_id)).to.have.members([
      'c0',
      'c1',
      'c3',
    ]);
    expect((await client.get('/v1/events/stats', { expect: 200 })).body.total).to.equal(3);
  });

  it('may be repeated as a whole if each event has a key', async () => {
    const batch = events(100).map((one, n) => ({ ...one, idempotency_key: `k${n}` }));
    const first = await client.post(PATH, { events: batch }, { expect: 201 });
    const second = await client.post(PATH, { events: batch }, { expect: 201 });
    expect(second.body).to.include({ created: 0, duplicates: 100 });
    const ids = ({ body }: { body: any }) => body.events.map(({ id }: { id: string }) => id);
    expect(ids(second)).to.deep.equal(ids(first));
    expect(await stored()).to.have.length(100);
  });

  it('finds customers by any one identifier, and creates new ones with theirs', async () => {
    const known = [{ external_id: 'k' }, { email: 'k@example.com' }, { phone: '+4912345' }];
    const unknown = [
      { external_id: 'n' },
      { email: 'n@example.com' },
      { phone: '+4967890' },
      { external_id: '+4967890' },
    ];
    const owners: string[] = [];
    for (const profile of known) {
      owners.push((await client.post('/v1/events', event(0, { profile }), { expect: 201 })).body.profile_id);
    }
    const customers = [...unknown, ...known, ...unknown];
    const batch = customers.map((profile, n) => event(n, { profile }));
    const { body } = await client.post(PATH, { events: batch }, { expect: 201 });
    const found: string[] = [];
    for (const { id } of body.events) {
      found.push((await client.get(`/v1/events/${id}`, { expect: 200 })).body.profile_id);
    }
    expect(found.slice(4, 7)).to.deep.equal(owners);
    expect(found.slice(7)).to.deep.equal(found.slice(0, 4));
    expect(new Set(found)).to.have.property('size', 7);
    for (const [n, identifiers] of customers.entries()) {
      const { body: profile } = await client.get(`/v1/profiles/${found[n]}`, { expect: 200 });
      expect(profile.identifiers).to.deep.equal({ external_id: null, email: null, phone: null, ...identifiers });
      expect(profile.attributes).to.deep.equal({});
    }
  });

  it('records the events of one customer under one profile', async () => {
    await client.post(PATH, { events: events(50).map((one) => ({ ...one, profile: { email: 'a@example.com' } })) });
    expect(await service.database.query(`select 1 from profile where store_id = '${storeId}'`)).to.have.length(1);
  });
});
