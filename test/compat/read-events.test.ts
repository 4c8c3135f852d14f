import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { recordEvent, saveProfile } from './steps.ts';

const PATH = '/compat/v1/events';
const at = (second: number, ms = 0) => new Date(Date.UTC(2026, 2, 1, 12, 0, second, ms)).toISOString();

describe('Lists of events on the compatibility surface', () => {
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

  /** The names under `n` of the events that a filter finds, or of the first page. */
  async function found(filter: string, more: Record<string, string> = {}): Promise<unknown[]> {
    const { body } = await list({ filter, sort: 'datetime', ...more });
    return body.data.map(({ attributes }: any) => attributes.event_properties.n);
  }

  /** Follows `links.next` to the end. */
  async function followed(query: string): Promise<{ pages: any[][]; all: any[] }> {
    const pages: any[][] = [];
    for (let path: string | null = `${PATH}?${query}`; path; ) {
      const { body }: { body: any } = await client.get(path, { expect: 200 });
      pages.push(body.data);
      path = body.links.next?.slice(service.url.length);
    }
    return { pages, all: pages.flat() };
  }

  describe('GET /compat/v1/events', () => {
    it('returns every event once, in pages in either order, following the links', async () => {
      // Several at the same time.
      const times = [at(3), at(1), at(2), at(2), at(2)];
      const ids: string[] = [];
      for (const time of times) {
        ids.push((await recordEvent(client, { metric: 'Visit', profile: { external_id: 'c1' }, time })).id);
      }
      const [latest, first, ...same] = ids;
      const ascending = [first, ...same, latest];
      for (const [sort, expected] of [
        ['datetime', ascending],
        ['timestamp', ascending],
        ['-datetime', ascending.toReversed()],
        ['-timestamp', ascending.toReversed()],
      ] as const) {
        for (const filter of ['', '&filter=equals(metric_id,"visit")', `&filter=less-than(datetime,${at(9)})`]) {
          const { pages, all } = await followed(`sort=${sort}&page[size]=2${filter}`);
          expect(
            all.map(({ id }) => id),
            sort + filter,
          ).to.deep.equal(expected);
          expect(pages).to.have.length(3);
        }
      }
      expect((await list({})).body.data.map(({ id }: any) => id)).to.deep.equal(ascending.toReversed());
    });

    it('goes on after what was last seen, whatever came since', async () => {
      const visit = (second: number) =>
        recordEvent(client, {
          metric: 'Visit',
          profile: { external_id: 'c1' },
          time: at(second),
          properties: { n: second },
        });
      for (const second of [1, 2, 3]) await visit(second);
      const { body } = await list({ sort: 'datetime', 'page[size]': '2' });
      await visit(4);
      const next = await client.get(body.links.next.slice(service.url.length), { expect: 200 });
      expect(next.body.data.map(({ attributes }: any) => attributes.event_properties.n)).to.deep.equal([3, 4]);
      // As Keboola sends it: the whole link as the cursor.
      expect(await found('', { 'page[cursor]': body.links.next })).to.deep.equal([3, 4]);
      expect(body.links.next).to.match(/page%5Bcursor%5D=([^&]+)/);
      expect(body.links.next.split('?')).to.have.length(2);
    });

    it('finds events by metric, profile and time', async () => {
      const events = [
        { metric: 'Visit', profile: { external_id: 'c1' }, properties: { n: 1 }, time: at(1) },
        { metric: 'Placed Order', profile: { external_id: 'c1' }, properties: { n: 2 }, time: at(2, 500) },
        { metric: 'PlacedOrder', profile: { external_id: 'c2' }, properties: { n: 3 }, time: at(3) },
      ];
      for (const event of events) await recordEvent(client, event);
      const { id } = await saveProfile(client, { external_id: 'c1' });
      const unix = Date.parse(at(2)) / 1000;
      for (const [filter, expected] of [
        ['equals(metric_id,"placed_order")', [2, 3]],
        ["equals(metric_id,'placed_order')", [2, 3]],
        [`equals(profile_id,"${id.toUpperCase()}")`, [1, 2]],
        [`equals(profile_id,"${id}"),equals(metric_id,"placed_order")`, [2]],
        [`and(equals(profile_id,"${id}"),less-than(datetime,${at(2)}))`, [1]],
        [`greater-or-equal(datetime,${at(1)}),less-than(datetime,${at(3)})`, [1, 2]],
        [`greater-than(datetime,${at(1)}),less-or-equal(datetime,${at(3)})`, [2, 3]],
        [`greater-than(datetime,${at(2, 499)}),less-or-equal(datetime,${at(2, 500)})`, [2]],
        [`greater-than(datetime,2026-03-01T14:00:01+02:00)`, [2, 3]],
        [`greater-or-equal(timestamp,${unix})`, [2, 3]],
        [`greater-than(timestamp,${unix})`, [3]],
        [`less-or-equal(timestamp,${unix})`, [1, 2]],
        [`less-than(timestamp,${unix})`, [1]],
        [`greater-than(datetime,${at(1)}),greater-than(datetime,${at(2)})`, [2, 3]],
        ['less-than(datetime,0001-01-01T00:00:00Z)', []],
        ['greater-than(datetime,9999-12-31T23:59:59Z)', []],
        ['has(profile)', [1, 2, 3]],
        ['and(has(metric),equals(metric_id,"placed_order"))', [2, 3]],
        ['equals(metric_id,"WJ3K2a")', []],
        ['equals(metric_id,"~AA")', []],
        ['equals(metric_id,"~dmlzaXQ")', []],
        ['equals(metric_id,"~")', []],
        ['equals(metric_id,"visit"),equals(metric_id,"placed_order")', []],
        ['equals(profile_id,"01GDDKASAP8TKDDA2GRZDSVP4H")', []],
        ['', [1, 2, 3]],
      ] as const) {
        expect(await found(filter), filter).to.deep.equal(expected);
      }
    });

    it('finds the events of a metric among many others of a profile, page by page in either order', async () => {
      const profile = { external_id: 'c1' };
      const { profile_id: id } = (
        await client.post('/v1/events', { event_type: 'first', profile, occurred_at: at(0) }, { expect: 201 })
      ).body;
      for (let part = 0; part < 3; part += 1) {
        const events = Array.from({ length: 1000 }, () => ({ event_type: 'visit', profile, occurred_at: at(1) }));
        await client.post('/v1/events/bulk', { events }, { expect: 201 });
      }
      await client.post('/v1/events', { event_type: 'first', profile, occurred_at: at(2) }, { expect: 201 });
      const filter = `equals(profile_id,"${id}"),equals(metric_id,"first")`;
      for (const [sort, expected] of [
        ['datetime', [0, 2]],
        ['-datetime', [2, 0]],
      ] as const) {
        const { all } = await followed(new URLSearchParams({ filter, sort }).toString());
        const seconds = all.map(({ attributes }) => new Date(attributes.datetime).getUTCSeconds());
        expect(seconds, sort).to.deep.equal(expected);
      }
    });

    it('returns large events, in pages that are not too large', async () => {
      // Does not compress.
      const text = () => crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64');
      const sent: string[] = [];
      for (const external_id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
        const texts = Array.from({ length: 10 }, text);
        sent.push((await recordEvent(client, { metric: 'Large', profile: { external_id }, properties: { texts } })).id);
      }
      const { pages, all } = await followed('sort=datetime');
      expect(all.map(({ id }) => id)).to.deep.equal(sent);
      expect(pages.length).to.be.within(2, 4);
    });

    it('returns the profiles of events, in pages that are not too large', async () => {
      const texts = () =>
        Array.from({ length: 10 }, () => crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64'));
      const sent: string[] = [];
      for (const external_id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
        const profile = { external_id, properties: { texts: texts() } };
        for (let n = 0; n < 2; n += 1) sent.push((await recordEvent(client, { metric: 'Visit', profile })).id);
      }
      const seen: string[] = [];
      let pages = 0;
      for (let path: string | null = `${PATH}?include=profile&sort=datetime`; path; pages += 1) {
        const { body }: { body: any } = await client.get(path, { expect: 200 });
        const profiles = new Set(body.included.map(({ id }: any) => id));
        for (const { id, relationships } of body.data) {
          seen.push(id);
          profiles.delete(relationships.profile.data.id);
          expect(body.included.some((one: any) => one.id === relationships.profile.data.id)).to.equal(true);
        }
        expect([...profiles]).to.deep.equal([]);
        path = body.links.next?.slice(service.url.length);
      }
      expect(seen).to.deep.equal(sent);
      expect(pages).to.be.within(2, 5);
    });

    it('refuses what it does not offer, by the name of the parameter', async () => {
      const cursor = (await followed('')).pages.length === 1 ? Buffer.from('5 nothing').toString('base64url') : '';
      for (const [query, parameter] of [
        [{ filter: 'contains(metric_id,"visit")' }, 'filter'],
        [{ filter: 'any(metric_id,["visit"])' }, 'filter'],
        [{ filter: 'has(attributions)' }, 'filter'],
        [{ filter: 'equals(email,"ada@example.com")' }, 'filter'],
        [{ filter: 'equals(datetime,2026-03-01)' }, 'filter'],
        [{ filter: 'greater-than(created,2026-03-01)' }, 'filter'],
        [{ filter: 'greater-than(datetime,yesterday)' }, 'filter'],
        [{ filter: 'greater-than(datetime,2026-02-30)' }, 'filter'],
        [{ filter: 'equals(metric_id' }, 'filter'],
        [{ sort: 'created' }, 'sort'],
        [{ include: 'lists' }, 'include'],
        [{ 'page[size]': '1001' }, 'page[size]'],
        [{ 'page[size]': '0' }, 'page[size]'],
        [{ 'page[cursor]': 'x' }, 'page[cursor]'],
        [{ 'page[cursor]': cursor }, 'page[cursor]'],
      ] as const) {
        const { body } = await list(query as Record<string, string>, 400);
        expect(body.errors[0].source, JSON.stringify(query)).to.deep.equal({ parameter });
      }
      const { body } = await list({ filter: 'greater-than(created,2026-03-01)' }, 400);
      expect(body.errors[0].detail).to.include('greater-than(created,…)');
    });
  });
});
