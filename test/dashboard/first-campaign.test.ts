import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { dialog, select } from './support/automations.ts';

/** As a shop exports its customers. */
const CSV = `Email,First Name,Accepts Email Marketing,Since
ada@example.com,Ada,yes,2026-03-01
grace@example.com,Grace,yes,2026-04-01
joan@example.com,Joan,no,2026-05-01
`;
const BODY = `<p><a href="https://shop.example/new">The new shop</a></p>
<p>{{ store.postal_address }} <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>`;
/** Clicks of the mouse, all dialogs and choices among them. */
const MOST_CLICKS = 40;

describe('The dashboard: a first campaign', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey({ name: 'Owner' }));
  });
  after(() => service?.stop());

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const go = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click();
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('is sent to the customers of a file, in the outbox, with nothing but the dashboard and few clicks', async () => {
    const page = await dashboard.open(service, key, '/lists');
    await page.evaluate(`addEventListener('click', (event) => {
      if (event.isTrusted && event.detail > 0) window.clicks = (window.clicks ?? 0) + 1;
    }, true)`);

    await press(page, 'Create a list');
    await dialog(page).getByLabel('Name').fill('Newsletter');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('link', { name: 'Newsletter' })
      .or(page.getByRole('heading', { name: 'Newsletter' }))
      .first()
      .click();
    await page.getByRole('link', { name: 'Import CSV' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('CSV file').click();
    await (await choosing).setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await press(page, 'Continue');
    await page.getByRole('table', { name: 'The first rows' }).getByText('ada@example.com').waitFor();
    await choose(page, 'Accepts Email Marketing: becomes', 'E-mail consent');
    await choose(page, 'Since: becomes', 'E-mail consent: since');
    await page.getByText('once all of the file is sent').waitFor({ state: 'detached' });
    await press(page, 'Start the import');
    await page.getByText('Complete', { exact: true }).waitFor();

    await go(page, 'Store');
    await page.getByLabel('Postal address').fill('12 Mill Lane');
    await press(page, 'Save');
    await page.getByText('The settings are saved.').waitFor();

    await go(page, 'Templates');
    await press(page, 'Create a template');
    await dialog(page).getByLabel('Name').fill('We have moved');
    await select(page, 'Kind', 'E-mail, in HTML');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByText('Saved, revision 1').waitFor();
    await page.getByLabel('Body, in HTML').fill(BODY);
    await press(page, 'Save');
    await page.getByText('Saved, revision 2').waitFor();
    await press(page, 'Publish');
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 1 is published.').waitFor();

    await go(page, 'Campaigns');
    await press(page, 'Create a campaign');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('We have moved');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
    await choose(page, 'Template', 'We have moved');
    await press(page, 'Next');
    await choose(page, 'Sent to', 'Newsletter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.getByText('2 of 3 customers would be sent it now.').waitFor();
    await press(page, 'Next');
    await page.getByRole('combobox', { name: 'When it begins' }).waitFor();
    await press(page, 'Next');
    await press(page, 'Check');
    await page.getByText('Messages that were made to see whether they can be: 2.').waitFor();
    await press(page, 'Send now…');
    await dialog(page).getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Nothing is left to do.').waitFor();
    await page
      .getByRole('table', { name: 'Results' })
      .getByRole('row', { name: /^Handed over 2/ })
      .waitFor();

    await go(page, 'Messages');
    const sent = page.getByRole('table', { name: 'Messages' }).getByRole('row').filter({ hasNotText: 'skipped' });
    await sent.getByRole('link', { name: 'We have moved' }).first().click();
    const mail = page.frameLocator('iframe[title="The HTML of the message"]');
    await mail.getByText('12 Mill Lane').waitFor();
    expect(await page.evaluate('window.clicks')).to.be.at.most(MOST_CLICKS);
  });
});
