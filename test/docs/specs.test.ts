import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { TestService } from '../support/service.ts';

const PLAIN = { 'Accept-Encoding': 'identity' };
const GZIP = { 'Accept-Encoding': 'gzip' };

describe('The published specs', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const get = (path: string, headers: Record<string, string>) => fetch(`${service.url}${path}`, { headers });

  for (const surface of ['native', 'compat']) {
    const file = readFileSync(join(import.meta.dirname, `../../openapi/${surface}.yaml`), 'utf8');

    it(`have the ${surface} one as it is in the repository`, async () => {
      const response = await get(`/openapi/${surface}.yaml`, PLAIN);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^application\/yaml/);
      expect(await response.text()).to.equal(file);
    });

    it(`lead from the ${surface} one to guides, and to what they say of it`, async () => {
      const { info, tags } = parse(file);
      const described: string[] = [info, ...tags].map(({ description }) => description);
      const urls = described.flatMap((text) => [...text.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, url = '']) => url));
      expect(urls).to.have.length.of.at.least(described.length);
      for (const url of urls) {
        const [path = '', section] = url.split('#');
        const response = await get(path, PLAIN);
        expect(response.status, url).to.equal(200);
        if (section) expect(await response.text(), url).to.include(`id="${section}"`);
      }
    });

    it(`have the ${surface} one as JSON`, async () => {
      const response = await get(`/openapi/${surface}.json`, PLAIN);
      expect(response.headers.get('content-type')).to.match(/^application\/json/);
      expect(await response.json()).to.deep.equal(parse(file));
    });

    for (const path of [`/openapi/${surface}.yaml`, `/openapi/${surface}.json`]) {
      it(`send ${path} again only where it has changed`, async () => {
        for (const encoding of [PLAIN, GZIP]) {
          const first = await get(path, encoding);
          const etag = first.headers.get('etag') ?? '';
          const again = await get(path, { ...encoding, 'If-None-Match': etag });
          expect(again.status).to.equal(304);
          expect(await again.text()).to.equal('');
          expect(again.headers.get('etag')).to.equal(etag);
          expect((await get(path, { ...encoding, 'If-None-Match': '"another"' })).status).to.equal(200);
        }
      });

      it(`send ${path} gzipped to clients that accept it, and to no others`, async () => {
        const gzipped = await get(path, GZIP);
        const plain = await get(path, PLAIN);
        const refusing = await get(path, { 'Accept-Encoding': 'gzip;q=0' });
        expect(gzipped.headers.get('content-encoding')).to.equal('gzip');
        expect(Number(gzipped.headers.get('content-length'))).to.be.below(
          Number(plain.headers.get('content-length')) / 3,
        );
        // Other bytes need another tag, or one that promises no bytes.
        expect(gzipped.headers.get('etag')).to.match(/^W\//);
        expect(plain.headers.get('etag')).to.match(/^"/);
        for (const response of [gzipped, plain, refusing]) {
          expect(response.headers.get('vary')).to.equal('Accept-Encoding');
          expect(response.headers.get('content-encoding')).to.equal(response === gzipped ? 'gzip' : null);
        }
        expect(await gzipped.text()).to.equal(await plain.text());
      });
    }
  }

  it('are of known surfaces', async () => {
    for (const path of ['/openapi/other.yaml', '/openapi/native', '/openapi/..%2fpackage.json']) {
      expect((await get(path, PLAIN)).status, path).to.equal(404);
    }
  });
});
