import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { TestService } from '../support/service.ts';

describe('RFM segments in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('are made once their numbers were shown', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    await service.database.query(`
      insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
      select '${storeId}', gen_random_uuid(), 'EUR', 1 + n % 5, n, 0, now(), now() - make_interval(days => n)
      from generate_series(0, 49) n`);
    const page = await dashboard.open(service, key, '/segments');
    await page.getByRole('button', { name: 'RFM segments' }).click();
    await page.getByText('By 50 customers with orders.').waitFor();
    await page.getByText('Ordered in the last 20 days, 3 times or more').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    expect(await layoutFaults(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Make the segments' }).click();
    await page.getByRole('button', { name: 'Renew the segments' }).waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'RFM: Champions' }).click();
    await page.getByRole('heading', { name: 'RFM: Champions' }).waitFor();
  });
});
