import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { DOT, pngOf } from '../support/images.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const MB = 1024 * 1024;

describe('Images', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    const created = await service.newKey();
    storeId = created.storeId;
    client = (await service.client()).as(created.key);
  });
  after(() => service.stop());

  const store = (bytes: Buffer, fields: object = {}, status = 201) =>
    client.post<any>('/v1/images', { name: 'a', data: bytes.toString('base64'), ...fields }, { expect: status });
  const list = async (query = '') => (await client.get<any>(`/v1/images${query}`, { expect: 200 })).body;
  const remove = (id: string) => client.send<any>('DELETE', `/v1/images/${id}`, undefined);
  const open = (path: string, init: RequestInit = {}) => fetch(new URL(path, service.url), init);

  describe('POST /v1/images', () => {
    it('stores an image, which is served under a path that says nothing of the store', async () => {
      const { body } = await store(DOT, { name: 'dot.gif' });
      expect(body).to.include({ name: 'dot.gif', type: 'image/gif', width: 1, height: 1, size_bytes: DOT.length });
      const hash = createHash('sha256').update(DOT).digest('base64url');
      expect(body.url)
        .to.match(new RegExp(`^${service.url}/m/i/[0-9a-f-]{36}/${hash}\\.gif$`))
        .and.not.to.contain(storeId);
      const response = await open(body.url);
      expect(response.status).to.equal(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(DOT)).to.equal(true);
    });

    it('tells where customers reach it, if that is known', async () => {
      const known = await TestService.start({ PUBLIC_URL: 'https://mail.shop.example' }, service.database);
      const reached = (await known.client()).as(client.key as string);
      // Of more than 64 KB, and less.
      for (const bytes of [pngOf(1, 1, 100_000), DOT]) {
        const image = { name: 'a', data: bytes.toString('base64') };
        const { body } = await reached.post<any>('/v1/images', image, { expect: 201 });
        expect(body.url).to.match(/^https:\/\/mail\.shop\.example\/m\/i\//);
      }
      expect((await reached.get<any>('/v1/images')).body.images[0].url).to.match(/^https:\/\/mail\./);
      await known.stopService();
    });

    it('stores the same image once, however many send it at a time', async () => {
      const sent = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          client.post<any>('/v1/images', { name: `${n}`, data: DOT.toString('base64') }),
        ),
      );
      expect(sent.map(({ status }) => status).sort()).to.deep.equal([...Array(7).fill(200), 201]);
      expect(new Set(sent.map(({ body }) => JSON.stringify(body)))).to.have.property('size', 1);
      expect((await list()).images).to.have.length(1);
    });

    it('stores the same image for another store as its own', async () => {
      const { body } = await store(DOT);
      const other = await service.client();
      const theirs = await other.post<any>('/v1/images', { name: 'b', data: DOT.toString('base64') }, { expect: 201 });
      expect(theirs.body.url).not.to.equal(body.url);
      await other.send('DELETE', `/v1/images/${theirs.body.id}`, undefined, { expect: 200 });
      expect((await open(theirs.body.url)).status).to.equal(404);
      expect((await open(body.url)).status).to.equal(200);
    });

    it('takes 2 MB, and not a byte more', async () => {
      const { body } = await store(pngOf(100, 100, 2 * MB));
      expect(body.size_bytes).to.equal(2 * MB);
      const response = await open(body.url);
      expect((await response.arrayBuffer()).byteLength).to.equal(2 * MB);
      expect((await store(pngOf(100, 100, 2 * MB + 1), {}, 400)).body.error).to.include({
        field: 'data',
        message: 'data must not have more than 2 MB',
      });
    });

    it('refuses what is no image, or is too large to be shown', async () => {
      const messages: [Buffer, string][] = [
        [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'data must be an image: PNG, JPEG, GIF or WebP'],
        [pngOf(1, 10_001), 'data must be 1 to 10000 pixels wide and high'],
        [pngOf(0, 1), 'data must be 1 to 10000 pixels wide and high'],
      ];
      for (const [bytes, message] of messages) {
        expect((await store(bytes, {}, 400)).body.error).to.include({ field: 'data', message });
      }
      for (const data of ['R0lG\nODlh', 'R0lG====', 'R0lGO', 'R0lG_-==', '"><x']) {
        expect((await store(DOT, { data }, 400)).body.error.field).to.equal('data');
      }
      expect((await list()).images).to.deep.equal([]);
    });

    it('takes no more than a store may have', async () => {
      await store(DOT);
      await service.database.query(`update image set size = ${100 * MB} - 40 where store_id = '${storeId}'`);
      const { body } = await store(pngOf(1, 1, 50), {}, 400);
      expect(body.error.message).to.match(/more than 100 MB or 2000 images; delete some first$/);
      await store(pngOf(1, 1, 40));
      // What is there already takes no room.
      await store(pngOf(1, 1, 40), {}, 200);
    });

    it('does once what is asked for with a key', async () => {
      const { body } = await store(DOT, { idempotency_key: 'k' });
      await remove(body.id);
      const again = await store(DOT, { idempotency_key: 'k' });
      expect(again.body).to.deep.equal(body);
      expect(again.headers['idempotency-replayed']).to.equal('true');
      expect((await list()).images).to.deep.equal([]);
    });
  });

  describe('GET /v1/images', () => {
    it('lists images in pages, newest first', async () => {
      const ids: string[] = [];
      for (const side of [1, 2, 3]) ids.unshift((await store(pngOf(side, 1))).body.id);
      const { images, next_cursor } = await list('?limit=2');
      const rest = await list(`?limit=2&cursor=${next_cursor}`);
      expect([...images, ...rest.images].map(({ id }: { id: string }) => id)).to.deep.equal(ids);
      expect(rest.next_cursor).to.equal(null);
      expect(images[0].url).to.equal((await store(pngOf(3, 1), {}, 200)).body.url);
    });
  });

  describe('DELETE /v1/images/{id}', () => {
    it('deletes an image, which is served no more', async () => {
      const { body } = await store(DOT);
      expect(await remove(body.id)).to.deep.include({ status: 200, body });
      expect((await open(body.url)).status).to.equal(404);
      expect((await list()).images).to.deep.equal([]);
      const again = await remove(body.id);
      expect(again).to.deep.include({ status: 200, body });
      expect(again.headers['idempotency-replayed']).to.equal('true');
      // It has its address again, and another id.
      expect((await store(DOT)).body)
        .to.deep.include({ url: body.url })
        .and.not.to.include({ id: body.id });
    });

    it('answers 404 for what is none of the store', async () => {
      const { body } = await store(DOT);
      const other = await service.client();
      for (const id of [UNKNOWN_ID, 'x', body.id]) {
        const response = await other.send<any>('DELETE', `/v1/images/${id}`, undefined, { expect: 404 });
        expect(response.body.error.message).to.equal('There is no such image');
      }
      expect((await open(body.url)).status).to.equal(200);
    });
  });

  describe('are served', () => {
    it('as what they are, for good, to pages of any origin', async () => {
      const { body } = await store(DOT);
      const { headers } = await open(body.url);
      expect(Object.fromEntries(headers)).to.include({
        'content-type': 'image/gif',
        'content-length': String(DOT.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers.get('set-cookie')).to.equal(null);
      const etag = headers.get('etag') as string;
      expect((await open(body.url, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
      const head = await open(body.url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(DOT.length)]);
    });

    it('to those alone who know their path', async () => {
      const { body } = await store(DOT);
      const [, token, file] = /\/m\/i\/(.*)\/(.*)$/.exec(body.url) as unknown as [string, string, string];
      const other = createHash('sha256').update('x').digest('base64url');
      const wrong = [
        `/m/i/${storeId}/${file}`,
        `/m/i/${UNKNOWN_ID}/${file}`,
        `/m/i/${token}/${other}.gif`,
        `/m/i/${token}/${file.slice(1)}`,
        `/m/i/${token}/`,
        `/m/i/${token}`,
        '/m/i/',
        '/m/',
        `/m/i/${token}/..%2f${file}`,
        `/m/i/%00/${file}`,
        `/m/i/${token.toUpperCase()}/%E0%A4%A`,
      ];
      for (const path of wrong) expect([path, (await open(path)).status]).to.deep.equal([path, 404]);
      expect((await open(body.url, { method: 'POST' })).status).to.equal(404);
    });

    it('which is read once for all who ask at a time', async () => {
      const { body } = await store(DOT);
      const { pathname } = new URL(body.url);
      const release = await holdTable(service.database, 'image');
      const asked = Array.from({ length: 8 }, () => open(pathname));
      await until(() => service.database.isWaiting(), 'it is read');
      // Which is answered when the others have been taken.
      await open('/m/page.css');
      const waiting = await service.database.query(`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      await release();
      expect(waiting).to.have.length(1);
      expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    });

    it('however many are asked for, and what is not there within the limit of the address', async () => {
      const { body } = await store(DOT);
      const limited = await TestService.start({ RATE_LIMIT_TIERS: 'standard=3', TRUST_PROXY: '1' }, service.database);
      const { pathname } = new URL(body.url);
      const ask = (address: string, path = pathname) =>
        fetch(limited.url + path, { headers: { 'X-Forwarded-For': address } }).then(({ status }) => status);
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++) statuses.push(await ask('203.0.113.7'));
      expect(statuses).to.deep.equal([200, 200, 200, 200]);
      const missing = pathname.replace(/.{8}\.gif$/, 'AAAAAAAA.gif');
      const others: number[] = [];
      for (let n = 0; n < 4; n++) others.push(await ask('203.0.113.7', missing));
      expect(others).to.deep.equal([404, 404, 404, 429]);
      await limited.stopService();
    });
  });
});
