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
