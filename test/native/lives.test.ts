import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { expectNobodyLost, settleLives } from '../support/lives.ts';
import { numbersFrom, SOAK_ROUNDS } from '../support/sample.ts';
import { TestService } from '../support/service.ts';
import { type Identifiers, KINDS, NaiveStore } from './support/naive-store.ts';

/** Histories, requests of each, and customers that they are about. */
const [HISTORIES, STEPS, CUSTOMERS] = [3 * Math.max(1, SOAK_ROUNDS), 60, 5];
/** Requests that are made at the same time, and rounds of them. */
const [AT_ONCE, ROUNDS] = [16, 2 * Math.max(1, SOAK_ROUNDS)];
/** Some of the identifiers that a customer may have, and now and then another's. */
function someIdentifiers(below: (most: number) => number): Identifiers {
  const values = (n: number) => ({
    external_id: `c-${n}`,
    email: `c-${n}@example.com`,
    phone: `+4420794609${String(n).padStart(2, '0')}`,
  });
  const chosen = KINDS.filter(() => below(3) === 0);
  const kinds = chosen.length > 0 ? chosen : [KINDS[below(3)] as 'email'];
  const own = below(CUSTOMERS);
  return Object.fromEntries(kinds.map((kind) => [kind, values(below(6) === 0 ? below(CUSTOMERS) : own)[kind]]));
}

describe('The lives of customers, who come, are merged and are erased at random', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = new Client(service.url, created.key);
  });
  after(() => service.stop());

  const query = <Row>(statement: string) => service.database.query<Row>(statement.replaceAll('$store', `'${storeId}'`));

  async function expectSame(naive: NaiveStore): Promise<void> {
    const owners = await query<{ pair: string; id: string }>(`
      select kind || ' ' || value as pair, profile_id as id from profile_identifier where store_id = $store`);
    expect(Object.fromEntries(owners.map(({ pair, id }) => [pair, id]))).to.deep.equal(
      Object.fromEntries(naive.owners),
    );
    const events = await query<{ id: string; owner: string }>(
      'select id, profile_id as owner from event where store_id = $store',
    );
    expect(Object.fromEntries(events.map(({ id, owner }) => [id, owner]))).to.deep.equal(
      Object.fromEntries(naive.events),
    );
    const { body } = await client.get('/v1/profiles?limit=100', { expect: 200 });
    const known = body.profiles.map(({ id, attributes }: any) => [id, attributes]);
    expect(Object.fromEntries(known)).to.deep.equal(Object.fromEntries(naive.attributes));
    for (const [former, id] of naive.former) {
      expect((await client.get(`/v1/profiles/${former}`, { expect: 200 })).body).to.include({ id });
    }
    for (const id of naive.gone) await client.get(`/v1/profiles/${id}`, { expect: 404 });
  }

  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    it(`are as in a naive store, history ${seed}`, async () => {
      const below = numbersFrom(seed * 7_919);
      const naive = new NaiveStore();
      const someone = () => [...naive.attributes.keys()][below(naive.attributes.size)];
      const steps = {
        upsert: async () => {
          const identifiers = someIdentifiers(below);
          const attributes = { [`a${below(3)}`]: below(100) };
          const { id, isRefused } = naive.resolve(identifiers);
          const response = await client.post('/v1/profiles/upsert', { identifiers, attributes });
          expect(response.status, JSON.stringify(response.body)).to.equal(isRefused ? 400 : id ? 200 : 201);
          if (isRefused) return;
          if (id !== undefined) expect(response.body.id).to.equal(id);
          naive.write(response.body.id, identifiers, attributes);
        },
        send: async () => {
          const profile = someIdentifiers(below);
          const { id } = naive.resolve(profile);
          const event = { event_type: `t${below(2)}`, profile, idempotency_key: crypto.randomUUID() };
          const { body } = await client.post('/v1/events', event, { expect: 201 });
          if (id !== undefined) expect(body.profile_id).to.equal(id);
          naive.write(body.profile_id, profile, {});
          naive.events.set(body.id, body.profile_id);
          const again = await client.post('/v1/events', event, { expect: 201 });
          expect(again.body.id).to.equal(body.id);
        },
        merge: async () => {
          const [id, from] = [someone(), someone()];
          if (id === undefined || from === undefined) return;
          const { status } = await client.post(`/v1/profiles/${id}/merge`, { from });
          expect(status).to.equal(id === from ? 400 : 202);
          if (id !== from) naive.merge(id, from);
        },
        erase: async () => {
          const ids = [...naive.attributes.keys(), ...naive.former.keys(), ...naive.gone];
          const given = ids[below(ids.length)];
          if (given === undefined) return;
          const keepsEvents = below(2) === 0;
          const events = keepsEvents ? 'anonymise' : 'delete';
          const { body } = await client.post(
            '/v1/erasures',
            { profile_id: given, events, suppress_days: 0 },
            { expect: 202 },
          );
          const id = naive.former.get(given) ?? given;
          expect(body.profile_found).to.equal(naive.attributes.has(id));
          if (body.profile_found) naive.erase(id, keepsEvents);
        },
      };
      const { upsert, send, merge, erase } = steps;
      const chances = [upsert, upsert, upsert, send, send, send, merge, merge, erase];
      for (let step = 0; step < STEPS; step += 1) await chances[below(chances.length)]?.();
      await settleLives(query);
      await expectSame(naive);
      await expectNobodyLost(query);
    });
  }

  it('lose nobody and nothing that was acknowledged, however many merge at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const below = numbersFrom(round + 77);
      const ids = await Promise.all(
        Array.from({ length: 4 }, async (_, n) => {
          const identifiers = { external_id: `r${round}-${n}`, email: `r${round}-${n}@example.com` };
          return (await client.post('/v1/profiles/upsert', { identifiers }, { expect: 201 })).body.id as string;
        }),
      );
      const [first, ...others] = ids as [string, ...string[]];
      const acknowledged: string[] = [];
      const send = async () => {
        const n = below(4);
        const profile = below(2) ? { email: `r${round}-${n}@example.com` } : { external_id: `r${round}-${n}` };
        const { body } = await client.post('/v1/events', { event_type: 'visit', profile }, { expect: 201 });
        acknowledged.push(body.id);
      };
      const change = () =>
        client.post(
          '/v1/profiles/upsert',
          { identifiers: { external_id: `r${round}-${below(4)}` }, attributes: { n: below(9) } },
          { expect: 200 },
        );
      await Promise.all([
        ...others.map((from) => client.post(`/v1/profiles/${first}/merge`, { from }, { expect: 202 })),
        ...Array.from({ length: AT_ONCE }, (_, n) => (n % 3 === 0 ? change() : send())),
      ]);
      await settleLives(query);
      const events = await query<{ id: string }>(`
        select id from event where store_id = $store and profile_id = '${first}'`);
      expect(events.map(({ id }) => id)).to.have.members(acknowledged);
      expect(await query(`select from profile where store_id = $store`)).to.have.length(round + 1);
      await expectNobodyLost(query);
    }
  });

  it('leave nothing of those who are erased while they are merged, write and are written to', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const below = numbersFrom(round + 99);
      const named = (n: number) => ({ external_id: `e${round}-${n}` });
      const ids = await Promise.all(
        [0, 1, 2].map(
          async (n) =>
            (await client.post('/v1/profiles/upsert', { identifiers: named(n) }, { expect: 201 })).body.id as string,
        ),
      );
      const [a, b, c] = ids as [string, string, string];
      const write = async (n: number) => {
        const who = named(below(3));
        if (n % 2) await client.post('/v1/events', { event_type: 'visit', profile: who }, { expect: 201 });
        else {
          const body = { identifiers: who, attributes: { n } };
          expect((await client.post('/v1/profiles/upsert', body)).status).to.be.oneOf([200, 201]);
        }
      };
      const merge = async (id: string, from: string) =>
        expect((await client.post(`/v1/profiles/${id}/merge`, { from })).status).to.be.oneOf([202, 400, 404]);
      const erase = (id: string) => client.post('/v1/erasures', { profile_id: id, suppress_days: 0 }, { expect: 202 });
      await Promise.all([
        ...[merge(a, b), merge(b, c), merge(c, a), erase(a), erase(b)],
        ...Array.from({ length: AT_ONCE }, (_, n) => write(n)),
      ]);
      await settleLives(query);
      await client.get(`/v1/profiles/${a}`, { expect: 404 });
      await client.get(`/v1/profiles/${b}`, { expect: 404 });
      await expectNobodyLost(query);
    }
  });
});
