import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { recordEvent, saveProfile } from './steps.ts';

const PATH = '/compat/v1/profiles';

describe('Reading profiles on the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  function list(query: Record<string, string>, expect = 200) {
    return client.get(`${PATH}?${new URLSearchParams(query)}`, { expect });
  }

  async function found(filter: string, more: Record<string, string> = {}): Promise<string[]> {
    const { body } = await list({ filter, ...more });
    return body.data.map(({ attributes }: any) => attributes.external_id);
  }

  describe('GET /compat/v1/profiles/{id}', () => {
    it('returns the profile, with the time of its latest event', async () => {
      const time = '2026-11-20T09:15:27.000Z';
      await recordEvent(client, { metric: 'Visit', time, profile: { external_id: 'c1' } });
      const saved = await saveProfile(client, { external_id: 'c1', first_name: 'Ada' });
      expect(saved.attributes.last_event_date).to.equal('2026-11-20T09:15:27.000000+00:00');
      const { body } = await client.get(`${PATH}/${saved.id}`, { expect: 200 });
      expect(body.data).to.deep.equal(saved);
      const listed = await list({});
      expect(listed.body.data).to.deep.equal([saved]);
    });

    it('returns only the attributes of a sparse fieldset', async () => {
      const { id } = await saveProfile(client, { external_id: 'c1', first_name: 'Ada' });
      const query = 'fields[profile]=external_id,first_name,nothing&additional-fields[profile]=subscriptions';
      const { body } = await client.get(`${PATH}/${id}?${query}`, { expect: 200 });
      expect(body.data.attributes).to.deep.equal({ external_id: 'c1', first_name: 'Ada' });
      const { body: page } = await client.get(`${PATH}?${query}`, { expect: 200 });
      expect(page.data[0]).to.deep.equal(body.data);
    });

    it("returns 404 for another store's profile", async () => {
      const { id } = await saveProfile(await service.client(), { external_id: 'c1' });
      await client.get(`${PATH}/${id}`, { expect: 404 });
    });
  });

  describe('GET /compat/v1/profiles', () => {
    it('returns every profile once, in pages in either order, following the links', async () => {
      const all = ['a', 'b', 'c', 'd', 'e'];
      for (const external_id of all) await saveProfile(client, { external_id });
      for (const [sort, expected] of [
        ['created', all],
        ['-created', all.toReversed()],
        ['id', all],
        ['-id', all.toReversed()],
      ] as const) {
        const seen: string[] = [];
        let next = `${service.url}${PATH}?sort=${sort}&page[size]=2&filter=greater-than(created,2020-01-01T00:00:00Z)`;
        for (let pages = 1; next; pages += 1) {
          const { pathname, search } = new URL(next);
          const { body } = await client.get(pathname + search, { expect: 200 });
          seen.push(...body.data.map(({ attributes }: any) => attributes.external_id));
          expect(body.links.prev).to.equal(null);
          expect(body.links.next === null).to.equal(pages === 3);
          next = body.links.next;
        }
        expect(seen, sort).to.deep.equal(expected);
      }
    });

    it('finds profiles by each identifier, also an earlier one, however it is written', async () => {
      const fields = { email: 'ada@example.com', phone_number: '+4930123456', external_id: 'c1', anonymous_id: 'a1' };
      const { id } = await saveProfile(client, fields);
      await saveProfile(client, { external_id: 'c2', email: 'grace@example.com' });
      await saveProfile(client, { external_id: 'c1', email: 'ada@example.org' });
      for (const filter of [
        'equals(email,"ada@example.com")',
        "equals(email,'ADA@Example.org')",
        'equals(phone_number,"+49 30 123456")',
        'equals(external_id,"c1")',
        'equals(anonymous_id,"a1")',
        `equals(id,"${id.toUpperCase()}")`,
        `any(id,["${id}"])`,
        'any(email,["ada@example.com","ada@example.org","nobody"])',
        'equals(email,"ada@example.com"),equals(external_id,"c1")',
        'and(equals(external_id,"c1"),greater-than(created,2020-01-01T00:00:00Z),greater-than(updated,2020-01-01))',
      ]) {
        expect(await found(filter), filter).to.deep.equal(['c1']);
      }
      expect(await found('any(external_id,["c2","c1","c3"])')).to.deep.equal(['c1', 'c2']);
      expect(await found('any(external_id,["c2","c1"])', { sort: '-created' })).to.deep.equal(['c2', 'c1']);
    });

    it('finds an address and a number whose plus sign was not encoded, or twice', async () => {
      await saveProfile(client, { external_id: 'c1', email: 'ada+tea@example.com', phone_number: '+4930123456' });
      for (const filter of [
        'any(email,["ada+tea@example.com"])',
        'equals(phone_number,"+4930123456")',
        'equals(email,"ada%252Btea%2540example.com")',
        'equals(phone_number,"%252B4930123456")',
      ]) {
        const { body } = await client.get(`${PATH}?filter=${filter}`, { expect: 200 });
        expect(body.data, filter).to.have.length(1);
      }
    });

    it('finds an address with an apostrophe, in either kind of quotes, encoded once or twice', async () => {
      await saveProfile(client, { external_id: 'c1', email: "o'neill@example.com" });
      for (const filter of [
        "equals(email,'o'neill@example.com')",
        "equals(email,'o%27neill%40example.com')",
        "equals(email,'o%2527neill%2540example.com')",
        "any(email,['nobody@example.com','o%27neill@example.com'])",
        'equals(email,"o\'neill@example.com")',
        "equals(email,'o%5C'neill@example.com')",
      ]) {
        const { body } = await client.get(`${PATH}?filter=${filter}`, { expect: 200 });
        expect(body.data, filter).to.have.length(1);
      }
    });

    it('finds nothing by what no profile has', async () => {
      await saveProfile(client, { email: 'ada@example.com', external_id: 'c1' });
      await saveProfile(await service.client(), { email: 'grace@example.com' });
      for (const filter of [
        'equals(email,"grace@example.com")',
        'equals(email,"nobody")',
        'equals(phone_number,"unknown")',
        'equals(id,"01GDDKASAP8TKDDA2GRZDSVP4H")',
        'equals(_kx,"abc")',
        'any(email,[])',
        'equals(email,"ada@example.com"),equals(external_id,"c2")',
        'equals(external_id,"c1"),less-than(created,2020-01-01T00:00:00Z)',
        'equals(external_id,"c1"),less-than(updated,2020-01-01T00:00:00Z)',
        'less-than(created,1960-01-01T00:00:00Z)',
        'greater-than(created,5000-01-01T00:00:00Z)',
      ]) {
        expect(await found(filter), filter).to.deep.equal([]);
      }
    });

    it('finds profiles by when they were created, to the millisecond', async () => {
      const { attributes } = await saveProfile(client, { external_id: 'c1' });
      const { created } = attributes;
      for (const [operator, expected] of [
        ['greater-than', []],
        ['greater-or-equal', ['c1']],
        ['less-than', []],
        ['less-or-equal', ['c1']],
      ] as const) {
        expect(await found(`${operator}(created,${created})`), operator).to.deep.equal(expected);
      }
    });

    it('refuses what it does not offer, by the name of the parameter', async () => {
      for (const [query, parameter] of [
        [{ filter: 'contains(email,"ada")' }, 'filter'],
        [{ filter: 'equals(first_name,"Ada")' }, 'filter'],
        [{ filter: 'any(anonymous_id,["a"])' }, 'filter'],
        [{ filter: 'greater-than(email,"a")' }, 'filter'],
        [{ filter: 'greater-than(created,yesterday)' }, 'filter'],
        [{ filter: 'equals(email' }, 'filter'],
        [{ sort: 'first_name' }, 'sort'],
        [{ 'page[size]': '101' }, 'page[size]'],
        [{ 'page[cursor]': 'x' }, 'page[cursor]'],
        [{ filter: 'equals(email,"a@example.com")', 'page[cursor]': 'x' }, 'page[cursor]'],
      ] as const) {
        const { body } = await list(query as Record<string, string>, 400);
        expect(body.errors[0].source, JSON.stringify(query)).to.deep.equal({ parameter });
      }
    });

    it('returns large profiles, in pages that are not too large', async () => {
      const properties = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`p${i}`, 'x'.repeat(90_000)]));
      for (const external_id of ['a', 'b', 'c', 'd']) await saveProfile(client, { external_id, properties });
      const { body } = await list({});
      expect(body.data.length).to.be.within(1, 3);
      expect(body.data[0].attributes.properties).to.deep.equal(properties);
      expect(body.links.next).to.be.a('string');
    });
  });
});
