import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const PHONE = { width: 390, height: 844 };

describe('The search of the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let storeId: string;
  let key: string;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    storeId = await service.newStore();
    ({ key } = await service.newKey({ storeId }));
    client = (await service.client()).as(key);
    const properties = { order_id: 'A/1001', value: 59.9, currency: 'EUR' };
    const profile = { email: 'ada@example.com', phone: '+4915123456789' };
    await client.post('/v1/events', { event_type: 'placed_order', profile, properties }, { expect: 201 });
    const attributes = { first_name: 'Ada', last_name: 'Lovelace' };
    await client.post('/v1/profiles/upsert', { identifiers: profile, attributes }, { expect: 200 });
    await client.post('/v1/lists', { name: 'Ada’s circle' }, { expect: 201 });
    await until(async () => (await client.get('/v1/orders/A%2F1001')).status === 200, 'the order is read');
  });
  after(() => service?.stop());

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search for' });
  const chosen = (page: Page) => page.getByRole('option', { selected: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  it('goes from any page to a customer, an order, a list and a page, by the keyboard alone', async () => {
    const page = await dashboard.open(service, key, '/events');
    await heading(page, 'Events');
    const search = async (text: string) => {
      // The same keys close it.
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await until(() => field(page).evaluate((one) => one === one.ownerDocument.activeElement), 'it is in the field');
      await page.keyboard.type(text);
    };
    await search('0049 151-2345');
    await page.getByRole('group', { name: 'Customers' }).getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    expect(await chosen(page).textContent()).to.equal('Ada Lovelaceada@example.com · +4915123456789');
    await page.keyboard.press('Enter');
    await heading(page, 'Ada Lovelace');

    // At once, without waiting for the answer.
    await search('A/1001');
    await page.keyboard.press('Enter');
    await heading(page, 'A/1001');
    await page.getByText('€59.90').waitFor();

    await search('ada');
    await page.getByRole('option', { name: 'Ada’s circle' }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.keyboard.press('ArrowUp');
    expect(await chosen(page).textContent()).to.equal('Ada’s circle');
    await page.keyboard.press('Enter');
    await heading(page, 'Ada’s circle');

    await search('settings st');
    await page.keyboard.press('Enter');
    await heading(page, 'Store');

    await search('nobody at all');
    await page.getByText('Nothing is found by this.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('is behind a button on a phone, and asks once for what is typed in one go', async () => {
    const page = await dashboard.open(service, key, '/profiles', { viewport: PHONE });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/search') asked.push(url.searchParams.get('q') ?? '');
    });
    await field(page).pressSequentially('lovelace');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    expect(asked.at(-1)).to.equal('lovelace');
    expect(asked.length).to.be.below('lovelace'.length);
    expect(await layoutFaults(page)).to.deep.equal([]);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('option', { name: 'Ada Lovelace' }).click();
    await heading(page, 'Ada Lovelace');
  });

  it('begins something new at once, and not again for whoever comes back or loads the page anew', async () => {
    const page = await dashboard.open(service, key, '/events');
    const creating = page.getByRole('dialog', { name: 'Create a list' });
    const begin = async () => {
      await page.keyboard.press('Control+k');
      await field(page).fill('new list');
      await page.getByRole('option', { name: 'New list' }).click();
      await creating.waitFor();
    };
    await begin();
    await page.keyboard.press('Escape');
    await creating.waitFor({ state: 'detached' });
    await begin();
    await page.reload();
    await page.getByRole('table', { name: 'Lists' }).waitFor();
    expect(await creating.count()).to.equal(0);
    await begin();
    await creating.getByRole('textbox', { name: 'Name' }).fill('Regulars');
    await creating.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Regulars');
    await page.goBack();
    await page.getByRole('table', { name: 'Lists' }).getByText('Regulars').waitFor();
    expect(await creating.count()).to.equal(0);
  });

  it('offers and finds what who is signed in may see', async () => {
    const scopes: Scope[] = ['profiles:read', 'events:read', 'audiences:write', 'automations:write', 'messages:write'];
    const { key: narrow } = await service.newKey({ storeId, scopes });
    const page = await dashboard.open(service, narrow, '/profiles');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Profiles' }).waitFor();
    expect(
      await page.getByRole('option', { name: /segment|list|automation|campaign|template|People|Invite/i }).count(),
    ).to.equal(0);
    await field(page).fill('ada');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByRole('option').count()).to.equal(1);
    await field(page).fill('A/1001');
    await page.getByRole('option', { name: 'A/1001' }).click();
    await page.getByRole('table', { name: 'Events of the order' }).waitFor();
  });
});
