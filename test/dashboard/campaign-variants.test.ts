import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addresses, Campaigns } from '../campaigns/support/campaigns.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: Variants of campaigns', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let campaigns: Campaigns;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    ({ key } = await service.newKey({ storeId: campaigns.shop.storeId, name: 'Owner' }));
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('are written with the content, compared in the results, and one is sent to the rest', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(20)));
    const page = await dashboard.open(service, key, `/campaigns/${id}`);
    await choose(page, 'Try variants of', 'Subject');
    const variants = page.getByRole('group', { name: 'Variants' });
    await variants.getByRole('textbox', { name: 'Variant 1: subject' }).fill('We have moved');
    await variants.getByRole('textbox', { name: 'Variant 2: subject' }).fill('Come and see us');
    await press(page, 'Add a variant');
    await press(page, 'Remove variant 3');
    await variants.getByRole('textbox', { name: 'Who tries them, percent' }).fill('50');
    await choose(page, 'If none is clearly better', 'The others wait until somebody chooses');
    await expectSound(page, 'the variants', LOOKS);
    await press(page, '2. Audience');
    await press(page, '1. Content');
    await choose(page, 'Variant', 'Variant 2');
    await page.getByText('Come and see us', { exact: true }).waitFor();
    await press(page, 'Send a test');
    await page.getByRole('dialog').getByLabel('To').fill('me@shop.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByText('[Test] Come and see us').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await press(page, '4. Check and send');
    await press(page, 'Check');
    await page.getByText('whether they can be: 20.').waitFor();
    expect((await campaigns.get(id)).test).to.deep.equal({
      variants: [{ subject: 'We have moved' }, { subject: 'Come and see us' }],
      ...{ percent: 50, decide_by: 'clicks', after: 'PT4H', if_unclear: 'wait' },
    });
    await press(page, 'Send now…');
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
    const results = page.getByRole('table', { name: 'Variants' });
    await results.getByRole('row', { name: /Come and see us/ }).waitFor();
    await page.getByText('It is not decided yet.').waitFor();
    await expectSound(page, 'the results', LOOKS);
    await press(page, 'Send to the rest: variant 2');
    await page.getByText('Somebody has chosen the winner, which the rest get.').waitFor();
    await results.getByText('The winner', { exact: true }).waitFor();
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 20 });
    // Whoever has not opened it gets what has won.
    await press(page, 'Send again to…');
    await page.getByRole('menuitem', { name: 'Who has not clicked' }).click();
    await page.getByRole('heading', { name: 'We have moved (not clicked)' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Subject', exact: true }).inputValue()).to.equal('Come and see us');
  });
});
