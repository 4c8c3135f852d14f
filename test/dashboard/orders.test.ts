import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { violations } from '../support/axe.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Orders and revenue', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('shows what was ordered and what it came to, against the time before', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const send = (event_type: string, email: string, days: number, properties: object) =>
      client.post(
        '/v1/events',
        { event_type, profile: { email }, occurred_at: daysAgo(days), properties },
        { expect: 201 },
      );
    await send('placed_order', 'ada@shop.example', 40, { order_id: 'A-1', value: 40, currency: 'EUR' });
    await send('placed_order', 'ada@shop.example', 2, { order_id: 'A-2', value: 59.9, currency: 'EUR' });
    await send('placed_order', 'eve@shop.example', 1, { order_id: 'A-3', value: 0.1, currency: 'EUR' });
    await send('refunded_order', 'ada@shop.example', 1, { order_id: 'A-2', value: 30 });
    await until(async () => {
      const { body } = await client.get('/v1/orders', { expect: 200 });
      return (
        body.orders.length === 3 && body.orders.some((one: { refunded_amount: string }) => one.refunded_amount === '30')
      );
    }, 'orders are read');
    const page = await dashboard.open(service, key);
    const revenue = page.getByRole('region', { name: 'Revenue' });
    await revenue.getByText('Net revenue').waitFor();
    await revenue.getByText('€60.00', { exact: true }).waitFor();
    await page.getByLabel('Comparison').selectOption('Compared with nothing');
    await revenue
      .getByText(/%|compare/)
      .first()
      .waitFor({ state: 'detached' });
    await page.getByLabel('Comparison').selectOption('With the days before');
    await revenue.getByText('+100%', { exact: true }).first().waitFor();
    expect(await revenue.getByRole('combobox').count(), 'a range of its own').to.equal(0);
    const shown = (await revenue.innerText()).replaceAll('\n', ' ');
    for (const figure of [
      'Net revenue €30.00 -25%',
      'Refunds €30.00',
      'Orders 2 +100%',
      'New customers 1',
      'Returning customers 1',
    ])
      expect(shown).to.include(figure);
    await page.getByRole('link', { name: 'All orders' }).click();
    const row = page.getByRole('table', { name: 'Orders' }).getByRole('row', { name: 'A-2' });
    await row.getByText('Partly refunded').waitFor();
    expect(await page.getByRole('table', { name: 'Orders' }).getByRole('row').count()).to.equal(4);
    await page.evaluate('delete window.showSaveFilePicker');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect((await saved).suggestedFilename()).to.equal('orders.csv');
    const [header, ...lines] = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    expect(header).to.match(/^id,event_id,profile_id,placed_at,currency,amount,/);
    expect(lines).to.have.length(3);
    await row.getByRole('link', { name: 'A-2' }).click();
    const order = page.getByRole('region', { name: 'Order' });
    await order.getByText('€30.00').waitFor();
    await order.getByRole('link', { name: 'ada@shop.example' }).waitFor();
    await order.getByRole('link', { name: 'What the shop has sent' }).waitFor();
    expect(await violations(page)).to.deep.equal([]);
  });

  it('changes which events are orders, and says at its field what is wrong', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    const page = await dashboard.open(service, key, '/settings/orders', { allow: [/status of 400/] });
    const add = async (label: string, name: string) => {
      await page.getByRole('combobox', { name: label }).fill(name);
      await page.keyboard.press('Enter');
    };
    const save = page.getByRole('button', { name: 'Save' });
    await add('Events that are orders', 'Order completed');
    await add('Events that are orders', 'refunded_order');
    await save.click();
    await page.getByText('is one of placed_types, too').waitFor();
    expect((await client.get('/v1/store')).body.orders.placed_types).to.deep.equal(['placed_order']);
    await page.getByRole('combobox', { name: 'Events that are orders' }).focus();
    await page.keyboard.press('Backspace');
    await add('Properties with the amount', 'totals.gross');
    await save.click();
    await page.getByText('The settings are saved').waitFor();
    const { orders } = (await client.get('/v1/store')).body;
    expect(orders.placed_types).to.deep.equal(['placed_order', 'Order completed']);
    expect(orders.amount_properties).to.deep.equal(['value', '$value', 'totals.gross']);
  });
});
