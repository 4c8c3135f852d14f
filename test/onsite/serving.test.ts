import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { serveOnsiteScript } from '../../src/http/onsite-script.ts';
import { useBuiltDashboard } from '../support/dashboard.ts';
import { exchange } from '../support/raw.ts';
import { TestService } from '../support/service.ts';

const BASE = '/compat/v1/onsite/js';
const MAX_BYTES = 8_500;

describe('The script for pages', () => {
  let service: TestService;

  useBuiltDashboard();
  before(async () => {
    service = await TestService.start({ COMPAT_HOSTS: 'static.klaviyo.com' });
  });
  after(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(service.url + path, { headers, method });

  it('is at the paths that pages have, for anybody', async () => {
    const texts = new Set<string>();
    for (const path of ['/klaviyo.js?company_id=ffp_x', '/ffp_x/klaviyo.js', '/klaviyo.js', '//ffp_x//klaviyo.js']) {
      const response = await get(BASE + path);
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/javascript/);
      texts.add(await response.text());
    }
    expect(texts.size).to.equal(1);
    expect((await get(`${BASE}/klaviyo.js`, {}, 'HEAD')).status).to.equal(200);
  });

  it('is small, before compression too', async () => {
    const response = await get(`${BASE}/klaviyo.js`, { 'Accept-Encoding': 'identity' });
    expect(response.headers.get('content-encoding')).to.equal(null);
    expect((await response.arrayBuffer()).byteLength).to.be.within(1_000, MAX_BYTES);
  });

  it('may be loaded by pages of others, and kept for an hour', async () => {
    const response = await get(`${BASE}/klaviyo.js`);
    expect(Object.fromEntries(response.headers)).to.include({
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'content-encoding': 'gzip',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    const etag = response.headers.get('etag') as string;
    const again = await get(`${BASE}/ffp_x/klaviyo.js`, { 'If-None-Match': etag });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
  });

  it('is at the root under a host of COMPAT_HOSTS, and under no other', async () => {
    const statusAt = async (host: string, path: string) => {
      const { answers } = await exchange(service.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return answers[0]?.status;
    };
    for (const path of ['/onsite/js/klaviyo.js?company_id=ffp_x', '/onsite/js/ffp_x/klaviyo.js']) {
      expect(await statusAt('static.klaviyo.com', path)).to.equal(200);
      expect(await statusAt('shop.example', path)).to.equal(404);
    }
  });

  it('is alone there', async () => {
    for (const path of ['/other.js', '/a/b/klaviyo.js', '/klaviyo.js/a', '/xklaviyo.js']) {
      expect((await get(BASE + path)).status, path).to.be.oneOf([401, 404]);
    }
    expect((await get(`${BASE}/klaviyo.js`, {}, 'POST')).status).to.be.oneOf([401, 404]);
  });

  it('is missed by a plain answer where it is not built', async () => {
    const server = new Koa().use(serveOnsiteScript('/nowhere') as Koa.Middleware).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}/klaviyo.js`);
    expect(response.status).to.equal(503);
    expect(await response.text()).to.match(/npm run build:dashboard/);
    server.close();
  });
});
