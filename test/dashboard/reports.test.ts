import { expect } from 'chai';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';
import { ordersRead } from './support/orders.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];
const DAY = 86_400_000;
const FUNNEL = {
  steps: [{ event_type: 'viewed' }, { event_type: 'placed_order' }],
  window: 'P7D',
  breakdown: 'device',
};
const funnelPath = (funnel: object = FUNNEL) =>
  `/reports/funnel?${new URLSearchParams({ funnel: JSON.stringify(funnel) })}`;

describe('The dashboard: Reports', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
    const client = (await service.client()).as(key);
    const event = (event_type: string, who: number, ago: number, properties: object) => ({
      event_type,
      profile: { external_id: `c${who}` },
      occurred_at: new Date(Date.now() - ago * DAY).toISOString(),
      properties,
    });
    const people = [0, 1, 2, 3, 4, 5, 6, 7];
    const events = [
      ...people.map((who) => event('viewed', who, 5, { device: who < 5 ? 'phone' : 'desktop' })),
      ...people.slice(0, 4).map((who) => event('placed_order', who, 4, { value: 10 + who, currency: 'EUR' })),
      ...people.slice(0, 2).map((who) => event('placed_order', who, 75, { value: 5, currency: 'EUR' })),
      event('placed_order', 0, 40, { value: 2.5, currency: 'USD' }),
    ];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await ordersRead(client, 7);
  });
  after(() => service?.stop());

  it('counts the steps of a funnel, which the address keeps', async () => {
    const page = await dashboard.open(service, key, '/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Funnel' }).click();
    await page.getByText('Nothing is counted yet').waitFor();
    await page.getByRole('group', { name: 'Step 1', exact: true }).getByLabel('Type of event').fill('viewed');
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('button', { name: 'Remove: step 3' }).click();
    await page.getByRole('combobox', { name: 'Break down by' }).fill('device');
    await page.getByRole('button', { name: 'Count the customers' }).click();
    const steps = page.getByRole('list', { name: 'Customers by step' });
    await steps.getByText('1. viewed: 8').waitFor();
    await steps.getByText('2. placed_order: 4, 50% of the step before, half of them within 24 hours').waitFor();
    const rows = page.getByRole('table', { name: 'Breakdown' }).getByRole('row');
    expect(await rows.nth(1).innerText()).to.match(/^phone\s+5\s+4, 80%/);
    expect(await rows.nth(2).innerText()).to.match(/^Others, or none\s+3\s+0, 0%/);
    const other = await dashboard.open(service, key, `/reports/funnel${new URL(page.url()).search}`);
    await other.getByText('1. viewed: 8').waitFor();
    expect(await other.getByRole('combobox', { name: 'Break down by' }).inputValue()).to.equal('device');
    // One file has all numbers: those of the steps, and of the breakdown.
    await other.getByRole('button', { name: 'Download as CSV' }).waitFor();
    expect(await other.getByRole('button', { name: 'Download as CSV' }).count()).to.equal(1);
  });

  it('says at its field what is wrong with a funnel', async () => {
    const page = await dashboard.openAlone(service, key, funnelPath({ ...FUNNEL, window: 'P31D' }), {
      allow: [/status of 400/],
    });
    await page.getByText('window must be at most P30D').waitFor();
    await page.getByLabel('All within', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Count the customers' }).click();
    await page.getByText('1. viewed: 8').waitFor();
    await page.context().close();
    const long = await dashboard.openAlone(service, key, `${funnelPath()}&range=12_months`, {
      allow: [/status of 400/],
    });
    await long.getByText(/^The days are none that can be counted/).waitFor();
    await long.context().close();
  });

  it('begins anew where an address makes no sense', async () => {
    for (const funnel of [{ steps: [] }, { steps: [{ event_type: 1 }, {}] }]) {
      const page = await dashboard.open(service, key, funnelPath(funnel));
      await page.getByText('Nothing is counted yet').waitFor();
    }
  });

  it('tells of customers who order again', async () => {
    const page = await dashboard.open(service, key, '/reports/customers');
    await page.getByText('2 ordered more than once').waitFor();
    await page.getByText('2 orders: 1 customer (25%)').waitFor();
    const rows = page.getByRole('table', { name: 'What a customer has paid' }).getByRole('row');
    expect(await rows.nth(1).innerText()).to.match(/^EUR\s+4\s+€14\.00\s+€13\.00/);
    const values = page.getByRole('region', { name: 'What a customer has paid' });
    expect(await values.getByRole('button', { name: 'Download as CSV' }).count()).to.equal(1);
  });

  it('rounds what a customer has paid on average as the currency is written', async () => {
    const storeId = await service.newStore();
    const { key: own } = await service.newKey({ storeId });
    const client = (await service.client()).as(own);
    const order = (who: string, value: number, currency: string) => ({
      event_type: 'placed_order',
      profile: { external_id: who },
      properties: { value, currency },
    });
    const events = ['EUR', 'JPY'].flatMap((currency) =>
      [1, 1, 2].map((value, n) => order(`c${n}`, 1000 * value, currency)),
    );
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await ordersRead(client, 6);
    const page = await dashboard.open(service, own, '/reports/customers');
    const rows = page.getByRole('table', { name: 'What a customer has paid' }).getByRole('row');
    expect(await rows.nth(1).innerText()).to.match(/^EUR\s+3\s+€1,333\.33\s+€1,000\.00/);
    expect(await rows.nth(2).innerText()).to.match(/^JPY\s+3\s+¥1,333\s+¥1,000/);
  });

  it('shows cohorts as a table, by what is chosen', async () => {
    const page = await dashboard.open(service, key, '/reports/cohorts');
    const table = page.getByRole('table', { name: 'Share of the customers who ordered' });
    await table.getByRole('row').nth(3).waitFor();
    await table.getByText('100%').first().waitFor();
    await page.getByRole('combobox', { name: 'Months' }).selectOption('6');
    await page.getByRole('combobox', { name: 'What is shown' }).selectOption('amount');
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
    const amounts = page.getByRole('table', { name: 'Amount of the orders, less refunds' });
    await amounts.getByText('$2.50').waitFor();
    expect(await page.getByRole('button', { name: 'Download as CSV' }).count()).to.equal(1);
    // From the first month in which somebody ordered.
    expect(await amounts.getByRole('row').count()).to.be.within(4, 5);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).to.include({ months: '6', currency: 'USD' });
  });

  for (const [path, ready] of [
    [funnelPath(), 'Breakdown'],
    ['/reports/customers', '2 ordered more than once'],
    ['/reports/cohorts', '+1'],
  ] as const) {
    it(`cuts nothing, and has nothing for axe to complain of: ${path.split('?')[0]}`, async () => {
      const page = await dashboard.open(service, key, path);
      await page.getByText(ready, { exact: true }).waitFor();
      await expectSound(page, path, LOOKS);
    });
  }
});
