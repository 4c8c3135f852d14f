import { expect } from 'chai';
import { TestService } from '../support/service.ts';

const GUIDES = [
  '/docs',
  ...[
    'quick-start',
    'automations',
    'automations-by-example',
    'webhooks',
    'migrating',
    'identity',
    'errors',
    'performance',
    'scaling',
  ].map((name) => `/docs/${name}`),
];
const REFERENCES = ['/docs/reference/native', '/docs/reference/compat'];

describe('The docs', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
  const read = async (path: string) => (await get(path)).text();
  const idsOf = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id as string);
  const linksOf = (html: string) => Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, link]) => link as string);

  const targets = new Map<string, { status: number; ids: string[] }>();
  /** What a link leads to, asked for once for all links to it. */
  async function targetAt(path: string): Promise<{ status: number; ids: string[] }> {
    const known = targets.get(path);
    if (known) return known;
    const response = await get(path);
    const html = response.headers.get('content-type')?.startsWith('text/html') ? await response.text() : '';
    const target = { status: response.status, ids: idsOf(html) };
    targets.set(path, target);
    return target;
  }

  it('have a page for addresses that have none', async () => {
    for (const path of ['/docs/nothing', '/docs/reference', '/docs/reference/nothing', '/docs/a/b.html']) {
      const response = await get(path);
      expect(response.status, path).to.equal(404);
      expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const html = await response.text();
      expect(html).to.include('Page not found').and.to.include('href="/docs"');
    }
    expect((await get('/docs/assets/nothing.js')).headers.get('content-type')).to.match(/^application\/json/);
  });

  for (const path of [...GUIDES, ...REFERENCES]) {
    it(`have a page at ${path} that says where one is`, async () => {
      const response = await get(path);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const html = await response.text();
      expect(html).to.match(/<title>[^<]*Footfall docs<\/title>/);
      expect(html).to.match(/<a href="[^"]+" aria-current="page">/);
      const etag = response.headers.get('etag') as string;
      expect((await get(path, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    });

    it(`lead from ${path} to what is there, on this service`, async () => {
      for (const link of new Set(linksOf(await read(path)))) {
        expect(link).to.match(/^[/#]/);
        const { pathname, hash } = new URL(link, `http://footfall${path}`);
        // It is built for those who look at it.
        if (pathname === '/dashboard') continue;
        const { status, ids } = await targetAt(pathname);
        expect(status, link).to.equal(200);
        if (hash !== '') expect(ids, link).to.include(hash.slice(1));
      }
    });
  }

  it('have headings that one can link to, each by its own name', async () => {
    for (const path of GUIDES) {
      const ids = idsOf(await read(path));
      expect(ids, path).to.deep.equal([...new Set(ids)]);
      for (const [, id] of (await read(path)).matchAll(/<h[23] id="([^"]+)"/g)) expect(ids).to.include(id);
    }
  });

  it('have no other pages', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/other', '/docs/assets/nothing.js', '/docs/quick-start.md']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });
});
