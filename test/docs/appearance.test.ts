import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { TestService } from '../support/service.ts';
import { expectToFit } from './support/narrow.ts';

const GUIDES = [
  '/docs',
  ...['quick-start', 'migrating', 'identity', 'errors', 'performance', 'scaling'].map((name) => `/docs/${name}`),
];
const WIDE = { width: 1280, height: 720 };

// The browser fails a test whose page asks another host for anything, or has an error in its console.
describe('The docs, in a browser', () => {
  const pages = useBrowser();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('have guides that everybody can use, in light and dark colours, and that fit on a narrow screen', async () => {
    const page = await pages.borrow(service);
    for (const path of GUIDES) {
      await page.setViewportSize(WIDE);
      await page.goto(`${service.url}${path}`);
      expect(await violationsInBothSchemes(page), path).to.deep.equal([]);
      await expectToFit(page);
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
