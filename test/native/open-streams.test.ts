import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { createDatabase } from '../support/postgres.ts';
import { runKeys, ServiceProcess, until } from '../support/process.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const visit = { event_type: 'visit', profile: { external_id: 'ada' } };

describe('Open streams', () => {
  let service: TestService;
  let key: { id: string; key: string; storeId: string };
  let client: Client;
  const streams: EventStream[] = [];

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    key = await service.newKey();
    client = new Client(service.url, key.key);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (lastId?: string, withKey = key.key): Promise<EventStream> => {
    const stream = await EventStream.open(service.url, withKey, lastId);
    streams.push(stream);
    return stream;
  };

  it('receive everything if a store has 100', async () => {
    const { key: another } = await service.newKey({ storeId: key.storeId });
    const opened = await Promise.all(
      Array.from({ length: 100 }, (_, n) => open(undefined, n < 50 ? key.key : another)),
    );
    const ids = [...(await record(client, visit, visit)), ...(await record(client, visit))];
    await until(() => opened.every(({ messages }) => messages.length >= 3), 'all have come to all');
    for (const stream of opened) expect(stream.eventIds).to.deep.equal(ids);
  });

  it('end when their key is revoked, while those of other keys go on', async () => {
    const other = await open(undefined, (await service.newKey({ storeId: key.storeId })).key);
    const stream = await open();
    await service.keys.revoke(key.id);
    await until(() => stream.hasEnded, 'it ends');
    expect(other.hasEnded).to.equal(false);
  });

  it('fall behind if more is stored than they are sent at once, and leave nothing out', async () => {
    const stream = await open();
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(...(await record(client, ...Array.from({ length: 700 }, () => visit))));
    await until(() => stream.messages.length >= ids.length, 'all have come');
    expect(stream.eventIds).to.deep.equal(ids);
  });

  it('are not affected by one that does not read, which receives everything once it does', async () => {
    const headers = { Authorization: `Bearer ${key.key}` };
    const lazy = await fetch(`${service.url}/v1/events/stream`, { headers });
    const other = await open();
    const properties = { text: 'x'.repeat(90_000) };
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1)
      ids.push(...(await record(client, { ...visit, properties }, { ...visit, properties })));
    await until(() => other.messages.length >= ids.length, 'all have come to the other');
    let [text, end] = ['', ''];
    const body = lazy.body as ReadableStream<Uint8Array>;
    for await (const part of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
      text += part;
      end = (end + part).slice(-200_000);
      if (end.includes(ids.at(-1) as string) && end.endsWith('\n\n')) break;
    }
    expect([...text.matchAll(/^data: \{"id":"([^"]+)"/gm)].map(([, id]) => id)).to.deep.equal(ids);
  });

  it("begin with a reset if they can't be resumed: after too long, or in another database", async () => {
    const [, entry] = Buffer.from((await open()).lastId, 'base64url')
      .toString()
      .split(' ');
    const idOf = (...parts: unknown[]) => Buffer.from(parts.join(' ')).toString('base64url');
    const tooOld = idOf(Date.now() - 11 * 60_000, entry, 0);
    const ofAnother = idOf(Date.now(), 900_000_000, 0);
    // As the version before has made them.
    const outdated = idOf(Date.now(), '763:765:763');
    for (const id of [tooOld, ofAnother, outdated]) {
      const stream = await open(id);
      await until(() => stream.messages.length > 0, 'it has begun');
      expect(stream.messages.map(({ type, data }) => [type, data])).to.deep.equal([['reset', {}]]);
      const [recorded] = await record(client, visit);
      await until(() => stream.messages.length > 1, 'it goes on');
      expect(stream.eventIds).to.deep.equal([recorded]);
    }
  });

  it('refuse an id that is not that of a message', async () => {
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const positions = ['', '1', '1 -1', '1 x', '1.5 0', '1 0 0', `${'9'.repeat(16)} 0`];
    const ids = ['x', encode('x'), ...positions.map((position) => encode(`${Date.now()} ${position}`))];
    for (const id of ids) {
      const { error } = (await client.get('/v1/events/stream', { headers: { 'Last-Event-ID': id }, expect: 400 })).body;
      expect(error.field, id).to.equal('Last-Event-ID');
    }
  });

  it('end when the service stops, without delaying it', async () => {
    const database = await createDatabase();
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const process = new ServiceProcess(env);
    try {
      const url = await process.url();
      const create = ['create', '--name', 'n', '--scopes', 'events:read', '--json'];
      const stream = await EventStream.open(url, JSON.parse((await runKeys(create, env)).stdout).key);
      await sleep(300);
      const stopping = process.stop();
      await until(() => stream.hasEnded, 'the stream has ended');
      // It says goodbye, which it can't where the drain cuts it off in the end.
      expect(await stopping).to.include({ code: 0, stderr: '' });
    } finally {
      await process.stop();
      await database.drop();
    }
  });
});
