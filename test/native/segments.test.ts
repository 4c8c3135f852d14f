import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const BUYERS = { event: { type: 'placed_order' } };
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('Segments', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const create = async (definition: object = BUYERS, expected = 201, name = 'Test') =>
    (await client.post<any>('/v1/segments', { name, definition }, { expect: expected })).body;
  const get = async (path: string) => (await client.get<any>(path, { expect: 200 })).body;
  const put = (id: string, body: object) =>
    client.send<any>('PUT', `/v1/segments/${id}`, JSON.stringify(body), JSON_BODY);
  const remove = (id: string) => client.send<any>('DELETE', `/v1/segments/${id}`, undefined);
  const order = async (email: string) =>
    (await client.post<any>('/v1/events', { event_type: 'placed_order', profile: { email } }, { expect: 201 })).body
      .profile_id as string;
  const live = async (id: string, members: number) => {
    await until(async () => {
      const segment = await get(`/v1/segments/${id}`);
      return segment.status === 'live' && segment.member_count === members && segment.lag_seconds < 2;
    }, 'it is live');
  };

  describe('POST /v1/segments', () => {
    it('refuses what can not be evaluated, and names where', async () => {
      for (const [definition, field] of [
        [{ all: [BUYERS, { segment: UNKNOWN_ID }] }, 'definition.all[1].segment'],
        [{ list: UNKNOWN_ID }, 'definition.list'],
        [{ event: { type: 'a\0' } }, 'definition.event.type'],
        [
          { event: { type: 'a', where: [{ property: 'a\ud800', op: 'exists' }] } },
          'definition.event.where[0].property',
        ],
        [{ attribute: { name: 'a', op: 'eq', value: 'b\0' } }, 'definition.attribute.value'],
        [{ attribute: { name: 'a', op: 'in', value: ['b', '\udc00'] } }, 'definition.attribute.value[1]'],
        [{ attribute: { name: 'a', op: 'in', value: 'b' } }, 'definition.attribute.value'],
        [{ attribute: { name: 'a', op: 'exists', value: 'b' } }, 'definition.attribute.value'],
        [{ event: { type: 'a', measure: 'sum', op: 'gt', value: 1 } }, 'definition.event.property'],
        [{ event: { type: 'a', op: 'gt' } }, 'definition.event.value'],
        [{ date: { attribute: 'a' } }, 'definition.date'],
        [{ date: { next: 'P7D' } }, 'definition.date'],
        [{ date: { property: 'a', next: 'P7D' } }, 'definition.date.property'],
        [{ date: { attribute: 'a', next: 'P7D', last: 'P7D' } }, 'definition.date.next'],
        [{ date: { attribute: 'a', next: 'P4000D' } }, 'definition.date.next'],
        [{ date: { attribute: 'a', before: 'soon' } }, 'definition.date.before'],
        [{ date: { attribute: 'a', after: '2026-02-30' } }, 'definition.date.after'],
        [{ date: { attribute: 'a', anniversary: {} } }, 'definition.date.anniversary'],
        [{ date: { attribute: 'a', anniversary: { in: 'P400D' } } }, 'definition.date.anniversary.in'],
        [{ date: { attribute: 'a', next: 'P7D', time_zone: 'Mars' } }, 'definition.date.time_zone'],
        [
          { date: { attribute: 'a', next: 'P7D', time_zone: { attribute: 'zone', default: 'Mars' } } },
          'definition.date.time_zone.default',
        ],
        [{ event: { type: 'a', window: { last: '11000d' } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { last: '5h', calendar: true } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { last: 'PT48H', calendar: true } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { last: 'P0D' } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { last: '-P1D' } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { last: 'P11000D' } } }, 'definition.event.window.last'],
        [{ event: { type: 'a', window: { ago: { min: 'PT1H', max: '60m' } } } }, 'definition.event.window.ago.max'],
        [{ event: { type: 'a', window: { ago: { min: '2d', max: '1d' } } } }, 'definition.event.window.ago.max'],
        [{ not: { not: { not: { not: { not: BUYERS } } } } }, 'definition'],
      ] as const) {
        expect((await create(definition, 400)).error.field, JSON.stringify(definition)).to.equal(field);
      }
    });

    it('names all that is wrong at once', async () => {
      const audiences = [{ list: UNKNOWN_ID }, { segment: UNKNOWN_ID }];
      const fields = async (all: object[]) =>
        (await create({ all }, 400)).error.errors.map(({ field }: { field: string }) => field);
      const named = ['definition.all[0].list', 'definition.all[1].segment'];
      expect(await fields(audiences)).to.deep.equal(named);
      const share = { share: { name: 'a', from: 50, to: 10 } };
      expect(await fields([...audiences, share])).to.deep.equal(['definition.all[2].share.to', ...named]);
    });

    it('takes names and values as they are, whatever they look like', async () => {
      const wild = `'; drop table segment; --`;
      const { definition } = await create({
        all: [
          { attribute: { name: wild, op: 'eq', value: wild } },
          { event: { type: wild, where: [{ property: '$1', op: 'exists' }] } },
        ],
      });
      expect(definition.all).to.deep.equal([
        { attribute: wild, op: 'eq', value: wild },
        { did: { event_type: wild, filter: { property: '$1', op: 'exists' }, from_client: true } },
      ]);
    });
  });

  it('GET /v1/segments returns them, newest first, page by page', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await create()).id);
    const first = await get('/v1/segments?limit=2');
    const second = await get(`/v1/segments?limit=2&cursor=${first.next_cursor}`);
    expect([...first.segments, ...second.segments].map(({ id }) => id)).to.deep.equal(ids);
  });

  it('GET /v1/segments/{id} shows the members that a store has by itself, soon', async () => {
    await order('ada@example.com');
    const { id } = await create();
    await live(id, 1);
    await order('grace@example.com');
    await live(id, 2);
    expect((await client.get(`/v1/segments/${UNKNOWN_ID}`)).status).to.equal(404);
    expect((await (await service.client()).get(`/v1/segments/${id}`)).status).to.equal(404);
  });

  describe('PUT /v1/segments/{id}', () => {
    it('changes what the client has seen, and nothing else', async () => {
      const { id } = await create();
      const change = { revision: 1, name: 'New', definition: { event: { type: 'visited' } } };
      expect((await put(id, change)).body).to.include({ name: 'New', revision: 2 });
      expect((await put(id, change)).body).to.include({ name: 'New', revision: 2 });
      const stale = await put(id, { ...change, name: 'Newer' });
      expect([stale.status, stale.body.error.field]).to.deep.equal([400, 'revision']);
    });

    it('keeps segments from naming one another in a circle, and on more than three levels', async () => {
      const a = await create();
      const b = await create({ segment: a.id });
      const c = await create({ not: { segment: b.id } });
      expect((await create({ segment: c.id }, 400)).error.field).to.equal('definition.segment');
      const { status, body } = await put(a.id, { revision: 1, name: 'A', definition: { segment: c.id } });
      expect([status, body.error.field]).to.deep.equal([400, 'definition.segment']);
    });
  });

  it('refuses one of two changes that would make a circle together, or name a list that goes', async () => {
    for (let n = 0; n < 5; n += 1) {
      const [a, b] = [await create(), await create()];
      const circle = await Promise.all([
        put(a.id, { revision: 1, name: 'A', definition: { segment: b.id } }),
        put(b.id, { revision: 1, name: 'B', definition: { segment: a.id } }),
      ]);
      expect(circle.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      const { body: list } = await client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 });
      const [naming, removed] = await Promise.all([
        client.post('/v1/segments', { name: 'Test', definition: { list: list.id } }),
        client.send('DELETE', `/v1/lists/${list.id}`, undefined),
      ]);
      expect([naming.status, removed.status]).to.be.deep.oneOf([
        [201, 400],
        [400, 200],
      ]);
    }
  });

  it('DELETE /v1/segments/{id} refuses what others name, and says who', async () => {
    const { body: list } = await client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 });
    const named = await create({ list: list.id });
    const naming = await create({ segment: named.id });
    const refused = [await remove(named.id), await client.send<any>('DELETE', `/v1/lists/${list.id}`, undefined)];
    for (const [i, { status, body }] of refused.entries()) {
      expect(status).to.equal(400);
      expect(body.error.message).to.include(i === 0 ? naming.id : named.id);
    }
    for (const { id } of [naming, named]) expect((await remove(id)).status).to.equal(200);
    expect((await client.get(`/v1/segments/${named.id}`)).status).to.equal(404);
    expect((await client.send('DELETE', `/v1/lists/${list.id}`, undefined)).status).to.equal(200);
  });

  it('POST /v1/segments/preview counts without storing anything', async () => {
    for (let n = 0; n < 4; n += 1) await order(`c${n}@example.com`);
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'x@example.com' }, attributes: { tier: 'gold' } });
    const definition = { any: [{ attribute: { name: 'tier', op: 'eq', value: 'gold' } }, BUYERS] };
    const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
    expect(body).to.deep.include({
      profiles: 5,
      evaluated: 5,
      members: { estimate: 5, low: 5, high: 5 },
      warnings: [],
    });
    expect(body.conditions.map(({ match_count, unset_count }: any) => [match_count, unset_count])).to.deep.equal([
      [1, 4],
      [4, 0],
    ]);
    expect(body.sample).to.have.length(5);
    expect((await get('/v1/segments')).segments).to.deep.equal([]);
  });

  it('takes spans as durations of ISO 8601 and short, and shows them as the former', async () => {
    const occurred_at = new Date(Date.now() - 36 * 3_600_000).toISOString();
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' }, occurred_at });
    for (const [window, members, shown = window] of [
      [{ last: 'P1D' }, 0],
      [{ last: '1d' }, 0, { last: 'P1D' }],
      [{ last: 'P1DT13H' }, 1],
      [{ last: '37h' }, 1, { last: 'PT37H' }],
      [{ last: 'P1W', calendar: true }, 1],
      [{ ago: { min: 'P1D', max: '2d' } }, 1, { ago: { min: 'P1D', max: 'P2D' } }],
      [{ ago: { min: 'P2D', max: 'P1W' } }, 0],
    ] as [object, number, object?][]) {
      const definition = { did: { event_type: 'visit', window } };
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
      expect(body.members.estimate, JSON.stringify(window)).to.equal(members);
      expect(body.conditions[0].condition).to.deep.equal({ did: { event_type: 'visit', window: shown } });
    }
  });

  it('asks in the words of automations: of paths, times, identifiers, and filters of any condition', async () => {
    const ada = { email: 'ada@bücher.example', phone: '+441632960961' };
    await client.post('/v1/profiles/upsert', {
      identifiers: ada,
      attributes: { address: { city: 'Berlin' }, born: '1990-05-06', joined: '2026-03-01T23:30:00+01:00' },
    });
    const event = { event_type: 'visit', profile: ada, properties: { page: 'shoes', times: 2, at: '2026-03-01' } };
    await client.post('/v1/events', event, { expect: 201 });
    const visited = (more: object) => ({ did: { event_type: 'visit', ...more } });
    for (const [definition, isMember] of [
      [{ attribute: ['address', 'city'], op: 'starts_with', value: 'Ber' }, true],
      [{ attribute: ['address', 'zip'], op: 'not_exists' }, true],
      [{ attribute: 'born', op: 'before', value: '1990-05-06T00:00:00.001Z' }, true],
      [{ attribute: 'joined', op: 'after', value: '2026-03-01T22:30:00Z' }, false],
      [{ identifier: 'email', op: 'eq', value: 'ADA@xn--bcher-kva.example' }, true],
      [{ identifier: 'email', op: 'contains', value: 'bücher' }, true],
      [{ identifier: 'phone', op: 'in', value: ['+44 1632 960961'] }, true],
      [{ identifier: 'source_id', op: 'not_exists' }, true],
      [visited({ at_least: 1, at_most: 1, within: 'P1D' }), true],
      [visited({ at_most: 0 }), false],
      [
        visited({
          filter: {
            any: [
              { property: 'page', op: 'eq', value: 'hats' },
              { property: 'times', op: 'gt', value: 1 },
            ],
          },
        }),
        true,
      ],
      [visited({ filter: { not: { property: 'at', op: 'before', value: '2026-03-02' } } }), false],
    ] as [object, boolean][]) {
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
      expect(body.members.estimate, JSON.stringify(definition)).to.equal(isMember ? 1 : 0);
      expect(body.conditions[0].condition).to.deep.equal(definition);
    }
  });

  it('counts what pages and apps send only if it says so, or did before there was one language', async () => {
    const attributes = {
      metric: { data: { type: 'metric', attributes: { name: 'viewed' } } },
      profile: { data: { type: 'profile', attributes: { anonymous_id: 'a1' } } },
      properties: {},
    };
    const sent = { data: { type: 'event', attributes } };
    await client.post('/compat/v1/client/events', sent, { expect: 202 });
    for (const [definition, members] of [
      [{ did: { event_type: 'viewed' } }, 0],
      [{ did: { event_type: 'viewed', from_client: true } }, 1],
      [{ event: { type: 'viewed' } }, 1],
    ] as const) {
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
      expect(body.members.estimate, JSON.stringify(definition)).to.equal(members);
    }
  });

  it('refuses what only automations may ask, and several ways to say one thing', async () => {
    const IS_ACME = { property: 'brand', op: 'eq', value: 'Acme' };
    const ordered = (filter: object) => ({ did: { event_type: 'placed_order', filter } });
    for (const [definition, field] of [
      [{ property: 'value', op: 'exists' }, 'definition.property'],
      [{ items: { property: 'items', where: { property: 'brand', op: 'exists' } } }, 'definition.items'],
      [ordered({ items: { property: 'items' } }), 'definition.did.filter.items.where'],
      [ordered({ items: { property: 'items', match: 'some', where: IS_ACME } }), 'definition.did.filter.items.match'],
      [
        ordered({
          items: { property: 'items', where: { all: [IS_ACME, { attribute: { name: 'x', op: 'exists' } }] } },
        }),
        'definition.did.filter.items.where.all[1].attribute.name',
      ],
      [
        ordered({ items: { property: 'items', where: { all: [IS_ACME, { did: { event_type: 'visit' } }] } } }),
        'definition.did.filter.items.where.all[1].did',
      ],
      [ordered({ items: { property: 'items', where: { all: Array(10).fill(IS_ACME) } } }), 'definition.did.filter'],
      [{ did: { event_type: 'visit', since: 'trigger' } }, 'definition.did.since'],
      [{ did: { event_type: 'visit', at_least: 1, count: { op: 'gt', value: 3 } } }, 'definition.did.count'],
      [{ did: { event_type: 'visit', within: 'P1D', window: { last: 'P1D' } } }, 'definition.did.window'],
      [
        { did: { event_type: 'visit', filter: { attribute: 'tier', op: 'exists' } } },
        'definition.did.filter.attribute',
      ],
      [{ did: { event_type: 'visit', filter: { all: [] } } }, 'definition.did.filter.all'],
      [
        { event: { type: 'visit', where: [{ property: 'page', op: 'gt', value: 'x' }] } },
        'definition.event.where[0].value',
      ],
      [{ attribute: 'tier' }, 'definition.op'],
      [{ attribute: 3, op: 'exists' }, 'definition.attribute'],
      [{ identifier: 'email', op: 'gt', value: 'a' }, 'definition.op'],
      [{ identifier: 'email', value: 'a' }, 'definition.value'],
      [{ list: 'news' }, 'definition.list'],
    ] as const) {
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 400 });
      expect(body.error.field, JSON.stringify(definition)).to.equal(field);
    }
  });

  it('POST /v1/segments/preview warns of what nobody has', async () => {
    await order('ada@example.com');
    const sum = { measure: 'sum', property: 'vlaue', op: 'gt', value: 1 };
    const definition = {
      any: [
        { event: { type: 'order_placed' } },
        { event: { ...BUYERS.event, where: [{ property: 'vlaue', op: 'exists' }], ...sum } },
        { list: UNKNOWN_ID },
        { segment: UNKNOWN_ID },
        { segment: (await create({ event: { type: 'visited' } })).id },
        { attribute: { name: 'tire', op: 'exists' } },
        { consent: { channel: 'email', status: 'suppressed' } },
      ],
    };
    const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
    const warned = Object.fromEntries(body.warnings.map(({ path, message }: any) => [path, message]));
    const ofSegment = warned['any[4].segment'];
    expect(ofSegment === undefined || ofSegment.includes('still being built')).to.equal(true);
    delete warned['any[4].segment'];
    expect(Object.keys(warned)).to.deep.equal([
      'any[0].event.type',
      'any[1].event.where[0].property',
      'any[1].event.property',
      'any[2].list',
      'any[3].segment',
      'any[5].attribute.name',
    ]);
    expect(body.conditions.at(-1).unset_count).to.equal(0);
  });

  it('GET /v1/segments/{id}/members, /v1/segments/{id}/changes and /v1/segments/{id}/stats go on from page to page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift(await order(`c${n}@example.com`));
    const { id } = await create();
    await live(id, 3);
    for (const what of ['members', 'changes']) {
      const first = await get(`/v1/segments/${id}/${what}?limit=2`);
      const second = await get(`/v1/segments/${id}/${what}?limit=2&cursor=${first.next_cursor}`);
      const all = [...first[what], ...second[what]].map(({ profile_id }) => profile_id);
      expect(what === 'members' ? all : all.sort().reverse()).to.deep.equal(ids);
      expect(second.next_cursor).to.equal(null);
    }
    const { days } = await get(`/v1/segments/${id}/stats`);
    expect(days).to.have.length(30);
    expect(days.at(-1)).to.include({ member_count: 3, entered: 3, left: 0 });
    expect(days[0]).to.include({ member_count: 0, entered: 0, left: 0 });
  });

  it('GET /v1/segments/{id}/members/{profile_id} and GET /v1/profiles/{id}/segments know of whom', async () => {
    const ada = await order('ada@example.com');
    const { id } = await create();
    await live(id, 1);
    expect(await get(`/v1/segments/${id}/members/${ada}`)).to.include({ member: true, matches: true });
    expect((await client.get(`/v1/segments/${id}/members/${UNKNOWN_ID}`)).status).to.equal(404);
    expect((await get(`/v1/profiles/${ada}/segments`)).segments.map((one: any) => one.id)).to.deep.equal([id]);
    expect((await client.get(`/v1/profiles/${UNKNOWN_ID}/segments`)).status).to.equal(404);
  });

  it('GET /v1/profiles/{id}/segments goes on from page to page, by name', async () => {
    const ada = await order('ada@example.com');
    for (const name of ['b', 'a', 'c', 'a']) await live((await create(BUYERS, 201, name)).id, 1);
    const names: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: any = await get(`/v1/profiles/${ada}/segments?limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(...page.segments.map((one: any) => one.name));
      sizes.push(page.segments.length);
      cursor = page.next_cursor;
    }
    expect([names, sizes]).to.deep.equal([
      ['a', 'a', 'b', 'c'],
      [2, 2],
    ]);
    expect((await get(`/v1/profiles/${ada}/segments`)).next_cursor).to.equal(null);
    for (const query of ['limit=0', 'limit=101', 'cursor=nonsense']) {
      const { body } = await client.get<any>(`/v1/profiles/${ada}/segments?${query}`, { expect: 400 });
      expect(body.error.field).to.equal(query.split('=')[0]);
    }
  });

  it('POST /v1/segments/{id}/rebuild builds once, and nothing changes', async () => {
    await order('ada@example.com');
    const { id } = await create();
    await live(id, 1);
    const { body } = await client.post<any>(`/v1/segments/${id}/rebuild`, undefined, { expect: 202 });
    expect(body).to.include({ status: 'building', member_count: 1 });
    await live(id, 1);
    expect((await get(`/v1/segments/${id}/changes`)).changes).to.have.length(1);
  });
});
