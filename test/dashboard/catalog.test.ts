import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';

describe('The catalog in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
    client = (await service.client()).as(key);
    await client.post('/v1/catalog/categories/upsert', { id: 'tea', title: 'Tea' }, { expect: 201 });
    const variants = [{ id: 'DF/100', options: { size: '100 g' }, prices: { EUR: { price: 9.9 } }, stock: 0 }];
    const items = [
      { id: 'TEA/1', title: 'Darjeeling', brand: 'Löwe', categories: ['tea'], variants },
      { id: 'CUP', title: 'Cup', status: 'hidden', prices: { EUR: { price: 5 } } },
    ];
    await client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
    await client.post('/v1/catalog/stock', { updates: [{ variant_id: 'DF/100', stock: 4 }] }, { expect: 200 });
  });
  after(() => service?.stop());

  it('is searched, and leads to an item with its variants and what has changed', async () => {
    const page = await dashboard.open(service, key, '/catalog');
    await page.getByRole('link', { name: 'Cup' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('darj');
    await page.getByRole('link', { name: 'Cup' }).waitFor({ state: 'detached' });
    expect(page.url()).to.include('q=darj');
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Darjeeling' }).click();
    await page.getByRole('heading', { name: 'Darjeeling' }).waitFor();
    await page.getByRole('table', { name: 'Variants' }).getByText('100 g').waitFor();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByText('Back in stock').waitFor();
    await changes.getByText('0 → 4').waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });
});
