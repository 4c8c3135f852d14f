import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { until } from '../support/process.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const visit = (n: number) => ({ event_type: 'visit', profile: { external_id: `c${n}` }, properties: { n } });

describe('GET /v1/events/stream', () => {
  let services: [TestService, TestService];
  let key: string;
  let clients: [Client, Client];
  const streams: EventStream[] = [];

  before(async () => {
    const first = await TestService.start();
    services = [first, await TestService.start({}, first.database)];
  });
  after(async () => {
    await services[1].stopService();
    await services[0].stop();
  });
  beforeEach(async () => {
    ({ key } = await services[0].newKey());
    clients = [new Client(services[0].url, key), new Client(services[1].url, key)];
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (service: 0 | 1, lastId?: string): Promise<EventStream> => {
    const stream = await EventStream.open(services[service].url, key, lastId);
    streams.push(stream);
    return stream;
  };

  it('sends each event as it was recorded by either process, and none from before or of other stores', async () => {
    await record(clients[0], visit(0));
    const [one, other] = [await open(0), await open(1)];
    await (await services[0].client()).post('/v1/events', visit(1), { expect: 201 });
    const expected: unknown[] = [];
    for (const client of clients) expected.push((await client.post('/v1/events', visit(2), { expect: 201 })).body);
    for (const stream of [one, other]) {
      await until(() => stream.messages.length >= 2, 'both have come');
      expect(stream.messages.map(({ data }) => data)).to.deep.equal(expected);
      expect(stream.messages.map(({ type }) => type)).to.deep.equal(['event', 'event']);
    }
  });

  it('sends refused requests as they are listed', async () => {
    const stream = await open(1);
    await clients[0].post('/v1/events', { event_type: 'visit', profile: { email: 'nobody' } }, { expect: 400 });
    await until(() => stream.messages.length > 0, 'it has come');
    const { rejections } = (await clients[0].get('/v1/rejections', { expect: 200 })).body;
    expect(stream.messages.map(({ type, data }) => [type, data])).to.deep.equal([['rejection', rejections[0]]]);
  });

  describe('with types', () => {
    const openFor = async (types: string, from?: string) => {
      const stream = await EventStream.open(services[0].url, key, from, types);
      streams.push(stream);
      return stream;
    };
    const order = (email: string) =>
      clients[0].post<any>('/v1/events', { event_type: 'placed_order', profile: { email } }, { expect: 201 });

    it('sends those alone: who enters a segment and who leaves it, each change once, as it is listed', async () => {
      const definition = { all: [{ event: { type: 'placed_order' } }, { not: { event: { type: 'left' } } }] };
      const { body: segment } = await clients[0].post<any>(
        '/v1/segments',
        { name: 'Buyers', definition },
        { expect: 201 },
      );
      const path = `/v1/segments/${segment.id}`;
      await until(async () => (await clients[0].get<any>(path)).body.status === 'live', 'it is live');
      const [segments, both, usual] = [
        await openFor('segment_change'),
        await openFor('segment_change,event'),
        await open(0),
      ];
      const { body: event } = await order('ada@example.com');
      await until(() => segments.messages.length === 1, 'she has entered');
      await clients[0].post('/v1/events', { event_type: 'left', profile: { email: 'ada@example.com' } });
      await until(() => segments.messages.length === 2, 'she has left');
      const { changes } = (await clients[0].get<any>(`${path}/changes`, { expect: 200 })).body;
      const listed = changes.toReversed().map((change: object) => ({ ...change, segment_id: segment.id }));
      expect(segments.messages.map(({ data }) => data)).to.deep.equal(listed);
      expect(listed.map(({ kind, profile_id }: any) => [kind, profile_id])).to.deep.equal([
        ['entered', event.profile_id],
        ['left', event.profile_id],
      ]);
      await until(() => both.messages.length === 4, 'all have come');
      expect(both.messages.map(({ type }) => type)).to.deep.equal([
        'event',
        'segment_change',
        'event',
        'segment_change',
      ]);
      expect(usual.messages.map(({ type }) => type)).to.deep.equal(['event', 'event']);
      const resumed = await openFor('segment_change', segments.messages[0]?.id);
      await until(() => resumed.messages.length === 1, 'it goes on');
      expect(resumed.messages[0]?.data).to.deep.equal(listed[1]);
    });

    it('returns 403 for changes of segments to a key that may not list them, and 400 for other types', async () => {
      const send = async (types: string, with_: string) => {
        const response = await fetch(`${services[0].url}/v1/events/stream?types=${types}`, {
          headers: { Authorization: `Bearer ${with_}` },
        });
        const text = response.status === 200 ? '' : await response.text();
        await response.body?.cancel().catch(() => {});
        return [response.status, text] as const;
      };
      for (const others of [[], ['audiences:read'], ['profiles:read']] as const) {
        const scopes = ['events:read', ...others] as const;
        const { key: limited } = await services[0].newKey({ scopes });
        expect((await send('segment_change', limited))[0]).to.equal(403);
        expect((await send('event,rejection', limited))[0]).to.equal(200);
      }
      for (const types of ['profile', 'event,event', '']) {
        const [status, text] = await send(types, key);
        expect([status, JSON.parse(text).error.field.startsWith('types')], types).to.deep.equal([400, true]);
      }
    });
  });

  it('sends everything exactly once while both processes write, however often it is resumed', async () => {
    const told: string[] = [];
    let stream = await open(0);
    let writing = true;
    const written: string[] = [];
    const write = async (client: Client, size: number) => {
      for (let n = 0; n < 40; n += 1) {
        written.push(...(await record(client, ...Array.from({ length: size }, (_, i) => visit(i)))));
      }
    };
    const writers = Promise.all([write(clients[0], 1), write(clients[1], 30), write(clients[1], 1)]).finally(() => {
      writing = false;
    });
    for (let process: 0 | 1 = 1; writing; process = process === 0 ? 1 : 0) {
      const before = stream.messages.length;
      await until(() => stream.messages.length > before || !writing, 'something comes');
      stream.close();
      // As a client that was cut off amid a transaction.
      const had = stream.messages.slice(0, Math.ceil(stream.messages.length / 2));
      told.push(...had.map(({ data }) => data.id));
      stream = await open(process, had.at(-1)?.id ?? stream.lastId);
    }
    await writers;
    await until(() => told.length + stream.messages.length >= written.length, 'all have come');
    told.push(...stream.eventIds);
    expect(told).to.have.members(written);
    expect(new Set(told).size).to.equal(told.length);
  });
});
