import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createClient, FootfallError, type Options, pages, type StreamMessage } from '../../src/client/index.ts';
import { until } from '../support/process.ts';
import { TcpProxy } from '../support/proxy.ts';
import { TestService } from '../support/service.ts';

const visit = (n: number) => ({ event_type: 'visit', profile: { external_id: `cust_${n}` } });

describe('Streams and lists of the client', () => {
  let service: TestService;
  let proxy: TcpProxy;
  let key: { id: string; key: string };
  let stops: AbortController[];

  before(async () => {
    service = await TestService.start();
    proxy = await TcpProxy.start(service.url);
  });

  after(async () => {
    await proxy.stop();
    await service.stop();
  });

  beforeEach(async () => {
    key = await service.newKey();
    stops = [];
  });

  afterEach(() => {
    proxy.heal();
    for (const stop of stops) stop.abort();
  });

  const client = (options: Partial<Options> = {}) => {
    return createClient({ baseUrl: service.url, apiKey: key.key, ...options });
  };

  /** Follows the stream by way of the proxy until it throws; what comes is in `messages`. */
  async function follow(options: Partial<Options> = {}) {
    const stop = new AbortController();
    stops.push(stop);
    const messages: StreamMessage[] = [];
    let connected = 0;
    const counting = async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      connected += 1;
      return response;
    };
    const read = async (): Promise<unknown> => {
      try {
        const stream = client({ baseUrl: proxy.url, fetch: counting, ...options }).streamEvents({}, stop);
        for await (const message of stream) messages.push(message);
      } catch (error) {
        return error;
      }
    };
    const ended = read();
    await until(() => connected > 0, 'the stream has begun');
    return { messages, ended, stop, connected: () => connected };
  }

  const idsOf = (messages: StreamMessage[]) => messages.map(({ data }) => (data as { id: string }).id);

  it('yields events and refused requests as they happen', async () => {
    const { messages } = await follow();
    const event = await client().createEvent(visit(1));
    await client()
      .createEvent({ event_type: 'visit', profile: {} })
      .catch(() => {});
    await until(() => messages.length === 2, 'both came');
    expect(messages.find((message) => message.event === 'event')?.data).to.deep.equal(event);
    const refused = messages.find((message) => message.event === 'rejection');
    expect(refused?.data).to.include({ operation: 'createEvent', status: 400, field: 'profile' });
  });

  it('resumes after a broken connection without gaps or duplicates', async () => {
    const { messages } = await follow();
    const recorded = [(await client().createEvent(visit(1))).id];
    await until(() => messages.length === 1, 'the first came');
    proxy.cut();
    recorded.push((await client().createEvent(visit(2))).id);
    proxy.heal();
    recorded.push((await client().createEvent(visit(3))).id);
    await until(() => messages.length === 3, 'all came');
    expect(idsOf(messages)).to.deep.equal(recorded);
  });

  it('reconnects if nothing arrives, not even a comment', async () => {
    // As often as it takes on a slow machine.
    const patience = { maxAttempts: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY };
    const { messages, connected } = await follow({ attemptTimeoutMs: 500, ...patience });
    await client().createEvent(visit(1));
    await until(() => messages.length === 1, 'the first came');
    proxy.blackHole();
    const { id } = await client().createEvent(visit(2));
    proxy.forget();
    await until(() => messages.length === 2, 'the second came');
    expect(idsOf(messages)[1]).to.equal(id);
    expect(connected()).to.be.at.least(2);
  });

  it('throws when its key is revoked', async () => {
    const { ended } = await follow();
    await client().revokeApiKey({ id: key.id });
    const error = await ended;
    expect(error).to.be.instanceOf(FootfallError);
    expect(error).to.include({ code: 'unauthorized', status: 401 });
  });

  it('throws the reason of an abort', async () => {
    const { ended, stop } = await follow();
    const reason = new Error('The page is closed');
    stop.abort(reason);
    expect(await ended).to.equal(reason);
  });

  it('closes its connection when the loop ends', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const closed = new Promise<void>((resolve) => {
      server.on('request', (request, response) => {
        request.on('close', resolve);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: 1\nevent: reset\ndata: {}\n\n');
      });
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for await (const message of client({ baseUrl }).streamEvents()) {
      expect(message).to.deep.equal({ id: '1', event: 'reset', data: {} });
      break;
    }
    await closed;
    server.close();
  });

  it('iterates over the pages of a list', async () => {
    const recorded: string[] = [];
    for (const n of [1, 2, 3]) recorded.unshift((await client().createEvent({ ...visit(1), properties: { n } })).id);
    const sizes: number[] = [];
    const listed: string[] = [];
    for await (const { events } of pages(client().listEvents, { event_type: 'visit', limit: 2 })) {
      sizes.push(events.length);
      listed.push(...events.map(({ id }) => id));
    }
    expect(listed).to.deep.equal(recorded);
    expect(sizes).to.deep.equal([2, 1]);
    const { profile_id } = await client().getEvent({ id: recorded[0] as string });
    for await (const page of pages(client().listProfileEvents, { id: profile_id })) {
      expect(page.events).to.have.length(3);
    }
  });
});
