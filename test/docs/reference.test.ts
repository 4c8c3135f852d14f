import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { expectToFit } from './support/narrow.ts';

const KINDS = [
  { surface: 'native', path: '/v1/events', status: '201 Created' },
  { surface: 'compat', path: '/compat/v1/events', status: '202 Accepted' },
] as const;

// The browser fails a test whose page asks another host for anything, or has an error in its console.
describe('The reference, in a browser', () => {
  const pages = useBrowser();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  for (const { surface, path, status } of KINDS) {
    it(`shows every operation of the ${surface} surface, leads to no other host, and tries one out with a key that is typed in`, async () => {
      const { key, storeId } = await service.newKey();
      const page = await pages.borrow(service);
      await page.goto(`${service.url}/docs/reference/${surface}`);
      await page.getByRole('button', { name: 'Record an event' }).first().waitFor();
      const summaries = (await loadSpec(surface)).operations.map(({ summary }) => summary as string);
      await until(async () => {
        const shown = await page.getByRole('button').evaluateAll((all) => all.map(({ textContent }) => textContent));
        return summaries.every((summary) => shown.some((text) => text?.includes(summary)));
      }, 'every operation is shown');
      const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links.filter((link) => /^(\w+:)?\/\//.test(link ?? ''))).to.deep.equal([]);

      await page.getByRole('textbox', { name: 'Bearer Token' }).fill(key);
      await page.getByRole('button', { name: 'Record an event' }).first().click();
      await page.getByRole('button', { name: `Test Request (post ${path})` }).click();
      const request = page.getByRole('dialog');
      await request.getByRole('button', { name: 'Send' }).filter({ visible: true }).first().click();
      await page.getByText(status).first().waitFor();
      const events = await service.database.query(`select event_type from event where store_id = '${storeId}'`);
      expect(events).to.deep.equal([{ event_type: 'placed_order' }]);
      const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      expect(kept).not.to.include(key);
    });

    it(`can be read on the ${surface} surface before any script has run`, async () => {
      const page = await pages.open(`${service.url}/docs/reference/${surface}`, { javaScriptEnabled: false });
      const text = await page.locator('main').innerText();
      for (const { method, path, summary } of (await loadSpec(surface)).operations) {
        expect(text)
          .to.include(`${method.toUpperCase()} ${path}`)
          .and.to.include(summary as string);
      }
      await expectToFit(page);
    });

    it(`fits on a narrow screen with the ${surface} surface`, async () => {
      const page = await pages.borrow(service);
      await page.goto(`${service.url}/docs/reference/${surface}`);
      await expectToFit(page);
    });
  }
});
