import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { TestService } from '../support/service.ts';

describe('The page of the docs, in a browser', () => {
  let service: TestService;
  const pages = useBrowser();

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('shows the operations, and loads nothing from elsewhere', async () => {
    const page = await pages.open(`${service.url}/docs`);
    await page.getByText('/v1/events/bulk').first().waitFor();
    expect(await page.title()).to.include('Footfall');
  });
});
