import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import { expect } from 'chai';
import Koa from 'koa';
import { dashboardRoutes } from '../../src/http/dashboard-routes.ts';
import { useBuiltDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';

describe('The files of the dashboard', () => {
  let service: TestService;

  useBuiltDashboard();
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers, redirect: 'manual' });

  it('are a page at /dashboard and at every path below, to which / leads', async () => {
    const root = await get('/');
    expect([root.status, root.headers.get('location')]).to.deep.equal([302, '/dashboard']);
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/events?event_type=a',
      '/dashboard/settings/api-keys',
    ]) {
      const page = await get(path);
      expect(page.status, path).to.equal(200);
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      expect(page.headers.get('cache-control')).to.equal('no-cache');
      expect(await page.text()).to.contain('<div id="root">');
    }
  });

  it('run what is of this service alone, with styles by a nonce that no other answer has', async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const page = await get('/dashboard');
      const policy = page.headers.get('content-security-policy') ?? '';
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(nonce).to.match(/^[A-Za-z0-9+/]{24}$/);
      expect(policy.replace(nonce, '…').split('; ')).to.have.members([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-…'",
        "img-src 'self' data: https:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]);
      expect(await page.text()).to.contain(`<meta property="csp-nonce" nonce="${nonce}">`);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(3);
  });

  it('are compressed, and kept for ever under names that change with their content', async () => {
    const page = await (await get('/dashboard')).text();
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const plain = await get(script, { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    const text = await plain.text();
    const response = await get(script, { 'Accept-Encoding': 'gzip' });
    expect(Object.fromEntries(response.headers)).to.include({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('content-type')).to.match(/^text\/javascript/);
    expect(await response.text()).to.equal(text);
    expect((await get('/dashboard/assets/nothing.js')).status).to.equal(404);
  });

  it('are missed by a plain answer where they are not built', async () => {
    const router = new Router();
    dashboardRoutes(router, '/nowhere');
    const server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/dashboard/events`);
    expect(response.status).to.equal(503);
    expect(await response.text()).to.match(/npm run build:dashboard/);
    server.close();
  });
});
