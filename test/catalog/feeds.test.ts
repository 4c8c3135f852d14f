import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import type { Feed } from '../../src/domain/catalog/feeds/feed.ts';
import { createFeed, deleteFeed, findFeed, runFeedNow, updateFeed } from '../../src/domain/catalog/feeds/feeds.ts';
import { deleteFile, putFeedPart, readFile } from '../../src/domain/catalog/feeds/files.ts';
import type { FeedRun } from '../../src/domain/catalog/feeds/run.ts';
import { runDueFeed } from '../../src/domain/catalog/feeds/run-feed.ts';
import { confirmRun, dismissRun, listErrors, listRuns } from '../../src/domain/catalog/feeds/runs.ts';
import { keyOfText, Secrets } from '../../src/domain/secrets/secrets.ts';
import { Networks } from '../../src/domain/webhooks/endpoints/networks.ts';
import { FeedServers } from '../../src/outbound/open-feed.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const MAX_BYTES = 2_000_000;
const HEAD = 'id,title,price\n';
const rows = (from: number, to: number, price = '2.50 EUR') =>
  Array.from({ length: to - from }, (_, i) => `p${from + i},Tea ${from + i},${price}\n`).join('');

describe('Feeds of the catalog', () => {
  let service: TestService;
  let database: Database;
  let client: Client;
  let storeId: string;
  let url: string;
  let answer: RequestListener = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  const networks = new Networks(LOOPBACK);
  const servers = new FeedServers({ networks, allowHttp: true, maxBytes: MAX_BYTES });
  const secrets = new Secrets([keyOfText('a key of thirty-two characters or so')]);
  const tools = { rules: { networks, allowHttp: true }, secrets };

  before(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
    database = await openDatabase(service.database.url, 3);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed?token=secret`;
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
  });
  after(async () => {
    servers.close();
    server.closeAllConnections();
    server.close();
    await database.close();
    await service.stop();
  });

  const db = () => database.stores.of(storeId);
  const create = (more: Partial<Parameters<typeof createFeed>[2]> = {}): Promise<Feed> =>
    createFeed(
      db(),
      storeId,
      { name: 'Teas', url, format: null, currency: null, everyMinutes: 60, isPaused: false, ...more },
      tools,
    );
  const sends = (body: string | Buffer, headers: Record<string, string> = {}) => {
    answer = (_, response) => void response.writeHead(200, headers).end(body);
  };
  const take = (more: Partial<Parameters<typeof runDueFeed>[2]> = {}) =>
    runDueFeed(db(), storeId, { open: servers.open, secrets, stopping: new AbortController().signal, ...more });
  const lastRun = async ({ id }: Feed) =>
    (await listRuns(db(), storeId, id, { limit: 1, cursor: undefined })).items[0] as FeedRun;
  const run = async (feed: Feed) => {
    await runFeedNow(db(), storeId, feed.id);
    expect(await take()).to.equal(true);
    return await lastRun(feed);
  };
  const item = async (id: string) => (await client.get<any>(`/v1/catalog/items/${id}`, { expect: 200 })).body;
  const published = async () => {
    const { items } = (await client.get<any>('/v1/catalog/items?status=published&limit=100', { expect: 200 })).body;
    return items.map(({ id }: any) => id).sort();
  };

  it('write what differs, and hide what is missing once all has come', async () => {
    const feed = await create();
    expect(feed.urlShown).to.equal(`${new URL(url).origin}/…`);
    sends(HEAD + rows(0, 3));
    expect(await run(feed)).to.include({ status: 'complete', records: 3, created: 3, hidden: 0 });
    expect((await item('p0')).prices).to.deep.equal({ EUR: { price: 2.5 } });
    sends(HEAD + rows(1, 3) + rows(3, 4));
    expect(await run(feed)).to.include({ created: 1, updated: 0, unchanged: 2, hidden: 1 });
    expect(await item('p0')).to.include({ status: 'hidden', hidden_because: 'not_in_feed' });
    sends(HEAD + rows(0, 4));
    expect(await run(feed)).to.include({ updated: 1, unchanged: 3, hidden: 0 });
    expect(await published()).to.deep.equal(['p0', 'p1', 'p2', 'p3']);
  });

  it('are not sent again as long as the server says that they are as they were', async () => {
    const feed = await create();
    const asked: unknown[] = [];
    answer = ({ headers }, response) => {
      asked.push(headers['if-none-match']);
      const isKnown = headers['if-none-match'] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? undefined : HEAD + rows(0, 2));
    };
    await run(feed);
    expect(await run(feed)).to.include({ status: 'unchanged', records: 0 });
    await updateFeed(db(), storeId, feed.id, { ...feed, url: undefined, currency: 'EUR' }, tools);
    expect(await run(feed)).to.include({ status: 'complete', unchanged: 2 });
    expect(asked).to.deep.equal([undefined, '"1"', undefined]);
  });

  it('are read in every format, compressed or not, with what is wrong by line', async () => {
    const feed = await create({ currency: 'EUR' });
    sends(gzipSync(`${HEAD}a,A,1\nb,B,free\na,Again,2\n,C,3\n`));
    expect(await run(feed)).to.include({ status: 'complete', records: 4, created: 1, rejected: 2 });
    const { items } = await listErrors(db(), storeId, (await lastRun(feed)).id, { limit: 10, cursor: undefined });
    expect(items).to.deep.equal([
      { line: 3, column: 'price', problem: 'is not an amount of money' },
      { line: 5, column: 'id', problem: 'is missing' },
    ]);
    expect((await item('a')).title).to.equal('Again');
    sends('[{"id": "a", "title": "Of JSON", "url": "javascript:alert(1)"}, {"id": "d", "title": "D"}]');
    expect(await run(feed)).to.include({ created: 1, rejected: 1, hidden: 0 });
    sends(
      '<rss><channel><item><g:id>a</g:id><title>X</title><g:product_type>Tea > Green</g:product_type></item></channel></rss>',
    );
    expect(await run(feed)).to.include({ updated: 1, hidden: 1 });
    expect((await item('a')).categories).to.deep.equal(['Tea > Green']);
  });

  it('hide nothing that they did not mean to: of what is no feed, or not all of one, the run says so', async () => {
    const feed = await create();
    sends(HEAD + rows(0, 30));
    await run(feed);
    const cut: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write(HEAD + rows(0, 2));
      response.socket?.end();
    };
    const bad: [RequestListener | string | Buffer, string][] = [
      ['<!doctype html><p>Log in</p>', 'The file is a page of HTML'],
      ['', 'The file is empty'],
      [HEAD, 'The file has no products'],
      [`${HEAD}x,X,free\n`, 'The file has no product without an error'],
      ['[{"id": "p1", "title": "T"}, {"id": "p2"', 'The file ends too early'],
      ['<rss><channel><item><id>p1</id></item>', 'The file ends too early'],
      ['<!DOCTYPE x [<!ENTITY a "b">]><rss></rss>', 'The file declares entities or types of its own'],
      [gzipSync(HEAD + rows(0, 2_000)).subarray(0, 200), 'The file ends too early'],
      [gzipSync(Buffer.alloc(3 * MAX_BYTES, `${HEAD}`)), 'The file has more than 2 MB'],
      [cut, 'The server ends before all of the file has come'],
      [(_, response) => void response.writeHead(404).end(), 'The server answers with 404'],
      [
        (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(),
        'The server redirects to a URL that must not lead to a private or reserved address',
      ],
      [
        (_, response) => void response.writeHead(302, { location: url }).end(),
        'The server redirects more than 3 times',
      ],
      [
        (_, response) => {
          const more = () =>
            void response.write(rows(0, 30).repeat(30), () => response.destroyed || setImmediate(more));
          response.writeHead(200);
          response.write(HEAD);
          more();
        },
        'The file has more than 2 MB',
      ],
    ];
    for (const [what, error] of bad) {
      if (typeof what === 'function') answer = what;
      else sends(what);
      expect(await run(feed), error).to.include({ status: 'failed', error, hidden: 0 });
    }
    expect(await published()).to.have.length(30);
    const { failures, nextRunAt } = (await findFeed(db(), storeId, feed.id)) as Feed;
    expect(failures).to.equal(bad.length);
    expect(nextRunAt?.getTime()).to.be.greaterThan(Date.now() + 12 * 3_600_000);
  });

  it('wait for a person before they hide more than 30 % and 20 items', async () => {
    const feed = await create();
    sends(HEAD + rows(0, 60));
    await run(feed);
    sends(HEAD + rows(0, 30, '3.00 EUR'));
    const waiting = await run(feed);
    expect(waiting).to.include({ status: 'needs_confirmation', updated: 30, missing: 30, hidden: 0 });
    expect(await published()).to.have.length(60);
    expect(await confirmRun(db(), storeId, feed.id, waiting.id)).to.include({ status: 'confirmed' });
    expect(await take()).to.equal(true);
    expect(await lastRun(feed)).to.include({ status: 'complete', unchanged: 30, hidden: 30 });
    expect(await published()).to.have.length(30);
    const refused = confirmRun(db(), storeId, feed.id, (await lastRun(feed)).id);
    expect(await refused.catch(({ message }) => message)).to.match(/does not wait/);
  });

  it('hide only items that nobody else has written since', async () => {
    const [one, other] = [await create({ name: 'One' }), await create({ name: 'Other', isPaused: true })];
    sends(HEAD + rows(0, 4));
    await run(one);
    sends(HEAD + rows(1, 2));
    await run(other);
    await client.post('/v1/catalog/items/upsert', { id: 'p2', stock: 1 }, { expect: 200 });
    sends(HEAD + rows(3, 4));
    expect(await run(one)).to.include({ hidden: 1 });
    expect(await published()).to.deep.equal(['p1', 'p2', 'p3']);
    await deleteFeed(db(), storeId, one.id);
    expect(await published()).to.deep.equal(['p1', 'p2', 'p3']);
  });

  it('are not waited for while a server sends interim answers alone', async () => {
    const sockets: Socket[] = [];
    const endless = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101));
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    try {
      const feed = await create({ url: `http://127.0.0.1:${(endless.address() as AddressInfo).port}/` });
      expect(await run(feed)).to.include({
        status: 'failed',
        error: 'The server answers with something that is not HTTP',
      });
    } finally {
      for (const socket of sockets) socket.destroy();
      endless.close();
    }
  });

  it('are read whole, if uploaded: nothing is hidden by half of a file whose other half has gone', async () => {
    const feed = await create({ url: null });
    const upload = async (text: string) => {
      await putFeedPart(db(), storeId, feed.id, 1, text.slice(0, 100));
      await putFeedPart(db(), storeId, feed.id, 2, text.slice(100));
    };
    const runFile = async () => {
      await runFeedNow(db(), storeId, feed.id, 2);
      expect(await take()).to.equal(true);
      return await lastRun(feed);
    };
    await upload(HEAD + rows(0, 60));
    expect(await runFile()).to.include({ status: 'complete', created: 60 });
    await upload(HEAD + rows(0, 10));
    const waiting = await runFile();
    expect(waiting.status).to.equal('needs_confirmation');

    await runFeedNow(db(), storeId, feed.id, 2);
    expect(await dismissRun(db(), storeId, feed.id, waiting.id)).to.include({ status: 'dismissed' });
    expect((await findFeed(db(), storeId, feed.id))?.parts, 'of the file that is to be read').to.equal(2);
    expect(await take()).to.equal(true);
    expect(await lastRun(feed)).to.include({ status: 'needs_confirmation', records: 10 });

    const parts = readFile(db(), storeId, feed.id)[Symbol.asyncIterator]();
    await parts.next();
    await deleteFile(db(), storeId, feed.id);
    const failure = await parts.next().catch((error: Error) => error.message);
    expect(failure).to.equal('The file is not there any more: upload it again');
  });

  it('are read by one process at a time, one of a store, and again by another after a kill', async () => {
    const [feed, other] = [await create(), await create({ name: 'Other' })];
    sends(HEAD + rows(0, 2_000));
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    // A process that comes so far, and no further.
    const killed = take({
      async open(request) {
        const opened = await servers.open(request);
        if (opened === 'unchanged') return opened;
        async function* chunks() {
          if (opened === 'unchanged') return;
          yield Buffer.from(HEAD + rows(0, 10_000));
          begun.resolve();
          await promise;
          yield* opened.chunks;
        }
        return { ...opened, chunks: chunks() };
      },
    });
    await begun.promise;
    expect(await take(), 'another, while one runs').to.equal(false);
    await sql`update catalog_feed set due_at = now() - interval '1 second' where store_id = ${storeId}`.execute(db());
    expect(await take()).to.equal(true);
    expect(await take()).to.equal(true);
    resolve();
    await killed;
    const runs = (await listRuns(db(), storeId, feed.id, { limit: 10, cursor: undefined })).items;
    expect(runs.map(({ status }) => status)).to.deep.equal(['complete', 'failed']);
    expect(runs[1]?.error).to.equal('The run was interrupted');
    expect(runs[0]).to.include({ records: 2_000 });
    expect(await lastRun(other)).to.include({ status: 'complete' });
  });

  it('are read by the service, in a thread, as soon as they are there', async () => {
    const SECRET_KEY = 'a key of thirty-two characters or so';
    const env = { SECRET_KEY, WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: LOOPBACK.join(',') };
    const working = await TestService.start(env, service.database);
    try {
      sends(HEAD + rows(0, 2));
      const feed = await create();
      await until(async () => (await lastRun(feed))?.status === 'complete', 'the feed is read');
      expect(await published()).to.deep.equal(['p0', 'p1']);
    } finally {
      await working.stopService();
    }
  });
});
