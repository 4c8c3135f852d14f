import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Client, Response } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const HEAD = 'id,title,price\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `p${from + i},Tea ${from + i},2.50 EUR\n`).join('');

describe('Feeds of the catalog, by the API', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;
  let url: string;
  let answer: RequestListener = () => undefined;
  const server = createServer((request, response) => answer(request, response));

  before(async () => {
    service = await TestService.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' });
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
    server.closeAllConnections();
    server.close();
    await service.stop();
  });

  const sends = (body: string | Buffer, headers: Record<string, string> = {}) => {
    answer = (_, response) => void response.writeHead(200, headers).end(body);
  };
  const create = async (more: object = {}) => {
    const input = { name: 'Teas', url, is_paused: true, ...more };
    return (await client.post<any>('/v1/catalog/feeds', input, { expect: 201 })).body;
  };
  const upload = async (more: object = {}) =>
    (await client.post<any>('/v1/catalog/feeds', { name: 'Pots', source: 'file', ...more }, { expect: 201 })).body;
  const get = async (id: string) => (await client.get<any>(`/v1/catalog/feeds/${id}`, { expect: 200 })).body;
  const patch = (id: string, body: object) =>
    client.send<any>('PATCH', `/v1/catalog/feeds/${id}`, JSON.stringify(body), JSON_BODY);
  const put = (id: string, number: number | string, text: string) =>
    client.send<any>('PUT', `/v1/catalog/feeds/${id}/parts/${number}`, JSON.stringify({ text }), JSON_BODY);
  const remove = (id: string) => client.send<any>('DELETE', `/v1/catalog/feeds/${id}`, undefined);
  const start = (id: string, body: object = {}) => client.post<any>(`/v1/catalog/feeds/${id}/run`, body);
  const decide = (run: any, decision: string) =>
    client.post<any>(`/v1/catalog/feeds/${run.feed_id}/runs/${run.id}/confirm`, { decision });
  /** Has a feed read, and returns what came of it. */
  const run = async (id: string, body: object = {}): Promise<any> => {
    const before = (await get(id)).last_run?.id;
    expect((await start(id, body)).status).to.equal(200);
    return await ended(id, before);
  };
  const ended = async (id: string, before?: string): Promise<any> => {
    let last: any;
    await until(async () => {
      last = (await get(id)).last_run;
      return last && last.id !== before && last.status !== 'running';
    }, 'the feed is read');
    return last;
  };
  const errorsOf = async ({ feed_id, id }: any, query = '') =>
    (await client.get<any>(`/v1/catalog/feeds/${feed_id}/runs/${id}/errors${query}`, { expect: 200 })).body;
  const published = async () => {
    const { body } = await client.get<any>('/v1/catalog/items?status=published&limit=100', { expect: 200 });
    return body.items.map(({ id }: any) => id).sort();
  };
  const refusal = ({ status, body }: Response<any>) => [status, body.error.field, body.error.message];

  describe('POST /v1/catalog/feeds', () => {
    it('creates a feed that is read at once, and shows nothing of its token', async () => {
      sends(HEAD + rows(0, 2));
      const created = await create({ is_paused: false, every_minutes: 15 });
      expect(created).to.include({ source: 'url', url_origin: new URL(url).origin, every_minutes: 15, last_run: null });
      expect(await ended(created.id)).to.include({ status: 'complete', record_count: 2, created_count: 2 });
      expect(await published()).to.deep.equal(['p0', 'p1']);
      const shown = await get(created.id);
      expect(shown).to.include({ is_running: false, failure_count: 0, waiting_run_id: null });
      const minutes = (Date.parse(shown.next_run_at) - Date.now()) / 60_000;
      expect(minutes).to.be.within(13, 17);
      const kept = await service.database.query('select f::text as row from catalog_feed f');
      expect(JSON.stringify([created, shown, kept])).not.to.match(/secret|token=/);
    });

    it('refuses what nothing is read from, and what the other kind has', async () => {
      const attempts: [object, string, RegExp][] = [
        [{}, 'url', /is required/],
        [{ url: 'https://10.0.0.1/feed' }, 'url', /private or reserved/],
        [{ url: 'https://user:pass@shop.example/feed' }, 'url', /no user name and password/],
        [{ url: 'ftp://shop.example/feed' }, 'url', /must begin with https/],
        [{ url: 'javascript:alert(1)' }, 'url', /must begin with https/],
        [{ url, every_minutes: 14 }, 'every_minutes', /at least 15/],
        [{ url, every_minutes: 1_441 }, 'every_minutes', /at most 1440/],
        [{ url, currency: 'eur' }, 'currency', /./],
        [{ url, format: 'html' }, 'format', /./],
        [{ url, name: ' ' }, 'name', /./],
        [{ source: 'file', url }, 'url', /is for a feed that is read from a URL/],
        [{ source: 'file', every_minutes: 60 }, 'every_minutes', /is for a feed that is read from a URL/],
        [{ source: 'file', is_paused: true }, 'is_paused', /is for a feed that is read from a URL/],
      ];
      for (const [input, field, message] of attempts) {
        const [status, where, what] = refusal(await client.post('/v1/catalog/feeds', { name: 'Teas', ...input }));
        expect([status, where], JSON.stringify(input)).to.deep.equal([400, field]);
        expect(what).to.match(message);
      }
    });

    it('keeps nothing of a key by which its URL could be tried', async () => {
      await create({ idempotency_key: 'one' });
      const kept = await service.database.query(
        `select k::text as row from kept_answer k where store_id = '${storeId}'`,
      );
      expect(kept).to.have.length(1);
      expect(JSON.stringify(kept)).not.to.include('secret');
      const other = { name: 'Teas', is_paused: true, url: `${url}2`, idempotency_key: 'one' };
      expect((await client.post('/v1/catalog/feeds', other)).status).to.equal(400);
    });

    it('refuses the 11th', async () => {
      for (let n = 0; n < 10; n += 1) await create();
      const last = await client.post<any>('/v1/catalog/feeds', { name: 'One more', source: 'file' });
      expect(refusal(last)).to.deep.equal([400, null, 'The store already has 10 feeds; delete one first']);
    });
  });

  it('GET /v1/catalog/feeds lists them, newest first, in pages', async () => {
    const [first, second, third] = [await create(), await upload(), await create({ name: 'More' })];
    const { body } = await client.get<any>('/v1/catalog/feeds?limit=2', { expect: 200 });
    expect(body.feeds).to.deep.equal([third, second]);
    const rest = await client.get<any>(`/v1/catalog/feeds?limit=2&cursor=${body.next_cursor}`, { expect: 200 });
    expect(rest.body).to.deep.equal({ feeds: [first], next_cursor: null });
  });

  describe('PATCH /v1/catalog/feeds/{id}', () => {
    it('leaves what is not sent, and reads a new URL from its beginning', async () => {
      const feed = await create({ currency: 'EUR', format: 'csv', every_minutes: 30 });
      expect((await patch(feed.id, { name: 'All' })).body).to.include({ name: 'All', currency: 'EUR', format: 'csv' });
      sends('id\ttitle\np1\tTea\n');
      const changed = { url: url.replace('/feed', '/other'), format: 'tsv', currency: null, is_paused: false };
      const { body } = await patch(feed.id, changed);
      expect(body).to.include({ name: 'All', currency: null, format: 'tsv', every_minutes: 30, is_paused: false });
      expect(await ended(feed.id)).to.include({ status: 'complete', created_count: 1 });
      expect((await patch(feed.id, { is_paused: true })).body).to.include({ is_paused: true, next_run_at: null });
    });

    it('refuses what nothing is read from, nothing at all, and what files do not have', async () => {
      const [feed, file] = [await create(), await upload()];
      expect(refusal(await patch(feed.id, { url: 'https://127.0.0.2.example:0/' }))[1]).to.equal('url');
      expect((await patch(feed.id, {})).status).to.equal(400);
      expect(refusal(await patch(file.id, { url }))).to.deep.equal([
        ...[400, 'url', 'url is for a feed that is read from a URL'],
      ]);
      expect((await patch(file.id, { name: 'Iron', currency: 'USD' })).body).to.include({
        name: 'Iron',
        currency: 'USD',
      });
      expect((await patch(UNKNOWN_ID, { name: 'All' })).status).to.equal(404);
    });
  });

  it('DELETE /v1/catalog/feeds/{id} leaves its items, and answers again what it answered', async () => {
    sends(HEAD + rows(0, 1));
    const feed = await create();
    await run(feed.id);
    const deleted = await remove(feed.id);
    expect(deleted.body).to.deep.equal({ ...deleted.body, id: feed.id, name: 'Teas' });
    const again = await remove(feed.id);
    expect([again.body, again.headers['idempotency-replayed']]).to.deep.equal([deleted.body, 'true']);
    expect((await client.get(`/v1/catalog/feeds/${feed.id}`)).status).to.equal(404);
    expect(await published()).to.deep.equal(['p0']);
  });

  it('GET /v1/catalog/feeds/{id}, and all below it, know no feed and no run of another store', async () => {
    const feed = await create();
    sends(HEAD + rows(0, 1));
    const { id } = await run(feed.id);
    const stranger = await service.client();
    const [own, of] = [`/v1/catalog/feeds/${feed.id}`, `/v1/catalog/feeds/${feed.id}/runs`];
    for (const path of [own, of, `${of}/${id}`, `${of}/${id}/errors`]) {
      expect((await stranger.get(path)).status, path).to.equal(404);
      expect((await client.get(path)).status, path).to.equal(200);
    }
    expect((await stranger.post(`${own}/run`, {})).status).to.equal(404);
    expect((await stranger.post(`${of}/${id}/confirm`, { decision: 'dismiss' })).status).to.equal(404);
    const other = await create();
    for (const wrong of [`/v1/catalog/feeds/${other.id}/runs/${id}`, `${of}/${UNKNOWN_ID}`, `${of}/x`]) {
      expect((await client.get(wrong)).status, wrong).to.equal(404);
      expect((await client.get(`${wrong}/errors`)).status, wrong).to.equal(404);
    }
  });

  describe('POST /v1/catalog/feeds/{id}/run', () => {
    it('reads every kind of file, compressed or not, and says what is wrong by line', async () => {
      const feed = await create({ currency: 'EUR' });
      const item = (id: string, price: string) =>
        `<item><g:id>${id}</g:id><title>T</title><g:price>${price}</g:price></item>`;
      const files: (string | Buffer)[] = [
        `${HEAD}a,T,1\nb,T,cheap\n`,
        gzipSync(`${HEAD}a,T,1\nb,T,cheap\n`),
        'id\ttitle\tprice\na\tT\t1\nb\tT\tcheap\n',
        '{"id":"a","title":"T","price":1}\n{"id":"b","title":"T","price":"cheap"}\n',
        '[{"id":"a","title":"T","price":1},\n{"id":"b","title":"T","price":"cheap"}]',
        `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${item('a', '1')}${item('b', 'cheap')}</channel></rss>`,
      ];
      for (const [n, file] of files.entries()) {
        sends(file);
        const last = await run(feed.id);
        expect(last, String(file)).to.include({ status: 'complete', record_count: 2, rejected_count: 1 });
        expect([last.created_count, last.unchanged_count]).to.deep.equal(n === 0 ? [1, 0] : [0, 1]);
        const { errors } = await errorsOf(last);
        expect(errors[0]).to.deep.include({ column: 'price', message: 'is not an amount of money' });
      }
    });

    it('hides nothing because of a file that is none, empty, cut, a bomb, or has entities; the message says why', async () => {
      const feed = await create();
      sends(HEAD + rows(0, 30));
      await run(feed.id);
      const xml =
        '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaa">]><rss><channel><item><id>&a;</id></item></channel></rss>';
      const attempts: [string | Buffer, RegExp][] = [
        ['<!doctype html><title>Log in</title>', /page of HTML/],
        ['', /is empty/],
        ['  \n', /is empty/],
        ['[{"id":"p1","title":"Tea"}', /ends? too early|ends in/],
        ['<rss><channel><item><id>p1</id><title>Tea</title></item>', /ends? too early|ends in|not valid|XML/],
        [gzipSync(HEAD + rows(0, 5)).subarray(0, 40), /ends too early/],
        [xml, /entit/i],
        [gzipSync(Buffer.alloc(600 * 1000 * 1000, ' '), { level: 9 }), /more than|is empty/],
        [HEAD, /has no products/],
      ];
      for (const [n, [file, message]] of attempts.entries()) {
        sends(file);
        const last = await run(feed.id);
        expect(last.status, `${n}: ${String(file).slice(0, 60)}`).to.equal('failed');
        expect(last.error).to.match(message);
        expect(last.hidden_count).to.equal(0);
      }
      expect(await published()).to.have.length(30);
      expect((await get(feed.id)).failure_count).to.equal(attempts.length);
      sends(HEAD + rows(0, 30));
      await run(feed.id);
      expect((await get(feed.id)).failure_count).to.equal(0);
    }).timeout(60_000);

    it('follows redirects, and not to where nothing is read from', async () => {
      const feed = await create();
      const leadsTo = (location: string) => {
        answer = (request, response) => {
          if (request.url?.startsWith('/feed')) response.writeHead(302, { location }).end();
          else response.end(HEAD + rows(0, 1));
        };
      };
      leadsTo('/elsewhere');
      expect(await run(feed.id)).to.include({ status: 'complete', created_count: 1 });
      for (const inside of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'file:///etc/passwd']) {
        leadsTo(inside);
        const last = await run(feed.id);
        expect(last.status).to.equal('failed');
        expect(last.error).to.match(/redirects to a URL that must/);
      }
      leadsTo('/feed');
      expect((await run(feed.id)).error).to.equal('The server redirects more than 3 times');
    });

    it('is counted by how it ends', async () => {
      const runs = async (outcome: string) =>
        (await Metrics.of(service.url)).sum('footfall_catalog_feed_runs_total', { outcome }) ?? Number.NaN;
      const [complete, failed] = [await runs('complete'), await runs('failed')];
      const feed = await create();
      sends(HEAD + rows(0, 1));
      await run(feed.id);
      sends('');
      await run(feed.id);
      await until(async () => (await runs('failed')) === failed + 1, 'the failure is counted');
      expect(await runs('complete')).to.equal(complete + 1);
      expect((await Metrics.of(service.url)).text).to.include('footfall_catalog_feeds_waiting');
    });

    it('takes the last of what repeats', async () => {
      const feed = await create();
      sends(`${HEAD}a,One,1 EUR\na,Two,2 EUR\n`);
      expect(await run(feed.id)).to.include({ record_count: 2, created_count: 1 });
      const { body } = await client.get<any>('/v1/catalog/items/a', { expect: 200 });
      expect([body.title, body.prices.EUR.price]).to.deep.equal(['Two', 2]);
    });
  });

  describe('POST /v1/catalog/feeds/preview', () => {
    const preview = (body: object) => client.post<any>('/v1/catalog/feeds/preview', body);
    const shown = async (body: object) => {
      const response = await preview(body);
      expect(response.status, JSON.stringify(response.body)).to.equal(200);
      return response.body;
    };

    it('shows what columns become, what would be written, and what is wrong by line, and writes nothing', async () => {
      sends(
        'id,item_group_id,title,sale_price,price,g:Availability,inventory,product_type,color\nv1,i1,Tea,1 EUR,2 EUR,no,3,A > B,red\n,,x,,,,,,\n',
      );
      const { format, columns, products, is_complete } = await shown({ url });
      expect([format, is_complete]).to.deep.equal(['csv', true]);
      expect(columns.map(({ name, becomes }: any) => [name, becomes])).to.deep.equal([
        ...[
          ['id', 'id'],
          ['item_group_id', 'item_id'],
          ['title', 'title'],
          ['sale_price', 'sale_price'],
        ],
        ...[
          ['price', 'price'],
          ['g:Availability', 'availability'],
          ['inventory', 'stock'],
        ],
        ...[
          ['product_type', 'categories'],
          ['color', 'attribute'],
        ],
      ]);
      expect(columns[8].sample).to.equal('red');
      expect(products[0]).to.deep.equal({
        ...{ line: 2, item_id: 'i1', variant_id: 'v1', title: 'Tea', stock: 3, categories: ['A > B'], error: null },
        prices: { EUR: { price: 1, compare_at: 2 } },
      });
      expect(products[1]).to.deep.include({
        line: 3,
        item_id: null,
        error: { line: 3, column: 'id', message: 'is missing' },
      });
      expect(await published()).to.deep.equal([]);
      const kept = await service.database.query(`select id from catalog_feed where store_id = '${storeId}'`);
      expect(kept).to.deep.equal([]);
    });

    it('reads the first 200 products of a file that does not end, and of one that is cut where it stops', async () => {
      for (const head of [HEAD, '[']) {
        answer = (_, response) => {
          response.write(head);
          const more = () => {
            if (response.destroyed) return;
            response.write(head === '[' ? '{"id":"a","title":"T"},'.repeat(100) : rows(0, 100));
            setTimeout(more, 5);
          };
          more();
        };
        const { products, is_complete } = await shown({ url });
        expect([products.length, is_complete]).to.deep.equal([200, false]);
      }
      const large = `{"id":"a","title":"${'x'.repeat(900_000)}"},`;
      sends(`[${large.repeat(20)}`);
      const { products, is_complete } = await shown({ url });
      expect(is_complete).to.equal(false);
      expect(products).to.have.length.within(1, 6);
      sends(gzipSync(Buffer.from(`[${large.repeat(100)}`)));
      expect((await shown({ url })).is_complete).to.equal(false);
    });

    it('says why a URL or a text is no feed', async () => {
      const attempts: [string | Buffer, RegExp][] = [
        ['<!doctype html><title>Log in</title>', /^url is not a feed: the file is a page of HTML$/],
        ['', /is empty/],
        [HEAD, /has no products/],
        ['<!DOCTYPE rss [<!ENTITY a "aa">]><rss><channel><item><id>&a;</id></item></channel></rss>', /entities/],
      ];
      for (const [file, message] of attempts) {
        sends(file);
        const [status, field, what] = refusal(await preview({ url }));
        expect([status, field], String(file).slice(0, 50)).to.deep.equal([400, 'url']);
        expect(what).to.match(message);
      }
      answer = (_, response) => void response.writeHead(404).end();
      expect(refusal(await preview({ url }))[2]).to.equal('url can not be read: the server answers with 404');
      answer = (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      expect(refusal(await preview({ url }))[2]).to.match(/redirects to a URL that must not lead to a private/);
      expect(refusal(await preview({ url: 'https://10.0.0.1/' }))[1]).to.equal('url');
      expect(refusal(await preview({ url, text: 'id' }))).to.deep.equal([400, 'text', 'text must not come with url']);
      expect(refusal(await preview({ format: 'csv' }))).to.deep.equal([400, 'url', 'url or text is required']);
      expect(refusal(await preview({ text: '<p>', format: 'csv' }))[1]).to.equal('text');
    });

    it('waits ten seconds for a server, and takes 20 of them in a minute from a store', async () => {
      answer = () => undefined;
      for (let n = 0; n < 2; n += 1) {
        expect(refusal(await preview({ url }))[2]).to.equal(
          'url can not be read: the server takes longer than 10 seconds',
        );
      }
      expect((await preview({ text: 'id\na' })).status).to.equal(429);
      const other = await service.client();
      expect((await other.post('/v1/catalog/feeds/preview', { text: 'id\na' })).status).to.equal(200);
    }).timeout(60_000);
  });

  describe('POST /v1/catalog/feeds/{id}/runs/{run_id}/confirm', () => {
    const wait = async () => {
      const feed = await create();
      sends(HEAD + rows(0, 60));
      await run(feed.id);
      sends(HEAD + rows(0, 30));
      const last = await run(feed.id);
      expect(last).to.include({ status: 'needs_confirmation', missing_count: 30, hidden_count: 0 });
      expect((await get(feed.id)).waiting_run_id).to.equal(last.id);
      expect(await published()).to.have.length(60);
      return last;
    };

    it('has it read again, and then hides what is missing', async () => {
      const waiting = await wait();
      const { body } = await decide(waiting, 'confirm');
      expect(body).to.deep.equal({ ...waiting, status: 'confirmed' });
      expect(await ended(waiting.feed_id, waiting.id)).to.include({ status: 'complete', hidden_count: 30 });
      expect(await published()).to.have.length(30);
      expect((await decide(waiting, 'confirm')).body.status).to.equal('confirmed');
      expect((await decide(waiting, 'dismiss')).body.status).to.equal('confirmed');
    });

    it('leaves all as it is, and the next run asks again', async () => {
      const waiting = await wait();
      expect((await decide(waiting, 'dismiss')).body).to.deep.equal({ ...waiting, status: 'dismissed' });
      expect((await get(waiting.feed_id)).waiting_run_id).to.equal(null);
      expect(refusal(await decide(waiting, 'confirm'))).to.deep.equal([
        ...[400, null, 'The run does not wait for a confirmation, or another has followed it'],
      ]);
      expect(await run(waiting.feed_id)).to.include({ status: 'needs_confirmation', missing_count: 30 });
      expect(await published()).to.have.length(60);
    });

    it('refuses a run that another has followed', async () => {
      const first = await wait();
      const second = await run(first.feed_id);
      expect((await decide(first, 'confirm')).status).to.equal(400);
      expect((await get(first.feed_id)).waiting_run_id).to.equal(second.id);
      expect((await decide({ ...second, feed_id: UNKNOWN_ID }, 'confirm')).status).to.equal(404);
      expect((await decide(second, 'perhaps')).status).to.equal(400);
    });
  });

  it('GET /v1/catalog/feeds/{id}/runs/{run_id}/errors has pages, as GET /v1/catalog/feeds/{id}/runs and GET /v1/catalog/feeds/{id}/runs/{run_id} have runs', async () => {
    const feed = await create();
    sends(`${HEAD}a,T,1 EUR\nb,T,x\nc,T,y\n,T,1 EUR\n`);
    const [first, second] = [await run(feed.id), await run(feed.id)];
    const page = await errorsOf(second, '?limit=2');
    const last = await errorsOf(second, `?limit=2&cursor=${page.next_cursor}`);
    expect([...page.errors, ...last.errors].map(({ line, column }) => [line, column])).to.deep.equal([
      ...[
        [3, 'price'],
        [4, 'price'],
        [5, 'id'],
      ],
    ]);
    expect(last.next_cursor).to.equal(null);
    const { body } = await client.get<any>(`/v1/catalog/feeds/${feed.id}/runs?limit=1`, { expect: 200 });
    expect(body.runs).to.deep.equal([second]);
    const rest = `/v1/catalog/feeds/${feed.id}/runs?limit=1&cursor=${body.next_cursor}`;
    expect((await client.get<any>(rest, { expect: 200 })).body).to.deep.equal({ runs: [first], next_cursor: null });
    const one = await client.get<any>(`/v1/catalog/feeds/${feed.id}/runs/${first.id}`, { expect: 200 });
    expect(one.body).to.deep.equal(first);
    expect((await client.get(`/v1/catalog/feeds/${feed.id}/runs/${first.id}/errors?cursor=x`)).status).to.equal(400);
  });

  describe('PUT /v1/catalog/feeds/{id}/parts/{number}', () => {
    it('takes a file in parts, which is read once, and then gone', async () => {
      const feed = await upload({ currency: 'EUR' });
      const text = `${HEAD}a,Pot,1\nb,Töpfe,2\n`;
      await put(feed.id, 2, text.slice(20));
      await put(feed.id, 3, 'left from before');
      const missing = await start(feed.id, { part_count: 2 });
      expect(refusal(missing)).to.deep.equal([400, null, 'Part 1 of the file is missing']);
      expect((await put(feed.id, 1, text.slice(0, 20))).body.part_count).to.equal(3);
      expect(await run(feed.id, { part_count: 2 })).to.include({ status: 'complete', created_count: 2 });
      expect(await published()).to.deep.equal(['a', 'b']);
      expect(await get(feed.id)).to.include({ part_count: 0, next_run_at: null, every_minutes: null });
      expect(refusal(await start(feed.id, { part_count: 1 }))[2]).to.equal('Part 1 of the file is missing');
      await put(feed.id, 1, `${HEAD}b,Pot,1\nc,Pot,1\n`);
      expect(await run(feed.id, { part_count: 1 })).to.include({
        status: 'complete',
        created_count: 1,
        hidden_count: 1,
      });
    });

    it('keeps a file that waits for a confirmation; a new one takes its place', async () => {
      const feed = await upload();
      await put(feed.id, 1, HEAD + rows(0, 60));
      await run(feed.id, { part_count: 1 });
      const wait = async () => {
        await put(feed.id, 1, HEAD + rows(0, 30));
        const last = await run(feed.id, { part_count: 1 });
        expect(last.status).to.equal('needs_confirmation');
        return last;
      };
      const first = await wait();
      expect((await get(feed.id)).part_count).to.equal(1);
      const second = await wait();
      expect((await decide(first, 'confirm')).status).to.equal(400);
      expect((await decide(second, 'confirm')).status).to.equal(200);
      expect(await ended(feed.id, second.id)).to.include({ status: 'complete', hidden_count: 30 });
      await put(feed.id, 1, HEAD + rows(0, 1));
      const third = await run(feed.id, { part_count: 1 });
      expect((await decide(third, 'dismiss')).status).to.equal(200);
      expect((await get(feed.id)).part_count).to.equal(0);
    });

    it('hides nothing because of a file that is none', async () => {
      const feed = await upload();
      await put(feed.id, 1, HEAD + rows(0, 3));
      await run(feed.id, { part_count: 1 });
      for (const file of ['<html></html>', ' ', '[{"id":"p1"}', HEAD]) {
        await put(feed.id, 1, file);
        expect((await run(feed.id, { part_count: 1 })).status, file).to.equal('failed');
      }
      expect(await published()).to.have.length(3);
    });

    it('refuses parts of feeds with a URL, of files that are being read, and of nothing', async () => {
      const [feed, file] = [await create(), await upload()];
      expect(refusal(await put(feed.id, 1, 'id'))[2]).to.equal('The feed is read from a URL, and has no file');
      expect(refusal(await start(feed.id, { part_count: 1 }))[1]).to.equal('part_count');
      expect(refusal(await start(file.id))).to.deep.equal([
        ...[400, 'part_count', 'part_count is required for a feed whose file is uploaded'],
      ]);
      for (const number of ['0', '1001', 'x']) expect((await put(file.id, number, 'id')).status).to.equal(404);
      expect((await put(UNKNOWN_ID, 1, 'id')).status).to.equal(404);
      expect((await put(file.id, 1, '')).status).to.equal(400);
      await service.database.query(
        `update catalog_feed set run_id = id, due_at = now() + interval '1 minute' where id = '${file.id}'`,
      );
      expect(refusal(await put(file.id, 1, 'id'))[2]).to.match(/is being read/);
    });

    it('refuses more than 100 MB', async () => {
      const file = await upload();
      await service.database.query(`
        insert into catalog_feed_part select store_id, id, 2, 104857600, '', now() from catalog_feed where id = '${file.id}'`);
      expect(refusal(await put(file.id, 1, 'id'))).to.deep.equal([400, null, 'The file is larger than 100 MB']);
    });
  });
});
