import { expect } from 'chai';
import { useBrowser, violations } from '../support/browser.ts';
import { TestService } from '../support/service.ts';

const GUIDES = [
  '/docs',
  ...['quick-start', 'migrating', 'identity', 'errors', 'performance', 'scaling'].map((name) => `/docs/${name}`),
];
const REFERENCES = ['/docs/reference/native', '/docs/reference/compat'];
const NARROW = { width: 375, height: 720 };

// The browser fails a test whose page asks another host for anything, or has an error in its console.
describe('The docs, in a browser', function () {
  this.timeout(60_000);
  const pages = useBrowser();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have guides that everybody can use, when it is ${colorScheme}`, async () => {
      for (const path of GUIDES) {
        const page = await pages.open(`${service.url}${path}`, { colorScheme });
        expect(await violations(page), path).to.deep.equal([]);
      }
    });
  }

  it('fit on a narrow screen', async () => {
    for (const path of [...GUIDES, ...REFERENCES]) {
      const page = await pages.open(`${service.url}${path}`, { viewport: NARROW });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, path).to.equal(NARROW.width);
      const column = await page.getByRole('heading', { level: 1 }).first().boundingBox();
      expect(column?.width, path).to.be.above(NARROW.width / 2);
    }
  });

  it('lead the keyboard past the navigation to the content', async () => {
    const page = await pages.open(`${service.url}/docs/identity`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.getAttribute("href")')).to.equal('#identity');
  });
});
