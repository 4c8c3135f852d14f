import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { until } from '../support/process.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const visit = { event_type: 'visit', profile: { external_id: 'ada' } };

describe('streams of one store, beside another store', () => {
  let service: TestService;
  let attacker: { id: string; key: string; storeId: string };
  let victim: string;
  const streams: EventStream[] = [];

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    attacker = await service.newKey();
    victim = (await service.newKey()).key;
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  after(() => service.stop());

  const open = async (key: string, lastId?: string): Promise<EventStream> => {
    const stream = await EventStream.open(service.url, key, lastId);
    streams.push(stream);
    return stream;
  };

  it('are 50 of a key and 100 of the store at most, whose places are free again once they end', async () => {
    const keys = [attacker.key];
    for (let n = 0; n < 2; n += 1) keys.push((await service.newKey({ storeId: attacker.storeId })).key);
    const [first, second, third] = keys as [string, string, string];
    for (const key of [first, second]) {
      await Promise.all(Array.from({ length: 50 }, () => open(key)));
      const refused = await new Client(service.url, key).get('/v1/events/stream', { expect: 429 });
      expect(refused.body.error.code).to.equal('rate_limit_exceeded');
      expect(refused.body.error.message).to.include('The key has 50 streams');
      expect(refused.headers['retry-after']).to.equal('15');
    }
    const refused = await new Client(service.url, third).get('/v1/events/stream', { expect: 429 });
    expect(refused.body.error.message).to.include('The store has 100 streams');

    const stream = await open(victim);
    const ids = await record(new Client(service.url, victim), visit);
    await until(() => stream.messages.length > 0, 'the other store is told');
    expect(stream.eventIds).to.deep.equal(ids);

    for (const each of streams.slice(0, 100)) each.close();
    const status = async () => {
      const leaving = new AbortController();
      const headers = { Authorization: `Bearer ${third}` };
      const answer = await fetch(`${service.url}/v1/events/stream`, { headers, signal: leaving.signal });
      leaving.abort();
      return answer.status;
    };
    await until(async () => (await status()) === 200, 'there are places again');
  });
});
