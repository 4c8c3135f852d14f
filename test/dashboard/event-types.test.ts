import { expect } from 'chai';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: Event types', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
    const client = (await service.client()).as(key);
    const order = (n: number) => ({
      event_type: 'placed / order',
      profile: { external_id: `c${n}` },
      properties: { value: n / 10, currency: 'EUR' },
    });
    const visit = { event_type: 'visit', profile: { external_id: 'c1' } };
    await client.post('/v1/events/bulk', { events: [...[1, 2, 3, 4, 5].map(order), visit] }, { expect: 201 });
  });
  after(() => service?.stop());

  it('lists them, the most frequent first, and leads to one', async () => {
    const page = await dashboard.open(service, key, '/event-types');
    const rows = page.getByRole('table', { name: 'Event types' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).to.match(/^placed \/ order\s+5\s+5/);
    await rows.nth(1).getByRole('link').click();
    await page.getByRole('heading', { name: 'placed / order', level: 1 }).waitFor();
    await page.getByRole('table', { name: 'Properties' }).getByText('EUR: 5', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Best customers' }).getByRole('row').nth(5).waitFor();
    await page.getByRole('table', { name: 'Events' }).getByRole('row').nth(5).waitFor();
  });

  it('adds up a property', async () => {
    const page = await dashboard.open(service, key, '/event-types/placed%20%2F%20order');
    await page.getByRole('combobox', { name: 'Add up' }).click();
    await page.getByRole('option', { name: 'value' }).click();
    await page.getByText('1.5, of 5 events', { exact: true }).waitFor();
    await page.getByText('EUR: 5, sum 1.5', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('property')).to.equal('value');
  });

  it('saves the list as CSV', async () => {
    const page = await dashboard.open(service, key, '/event-types?range=7_days');
    await page.getByRole('table', { name: 'Event types' }).waitFor();
    await page.getByRole('button', { name: 'Download as CSV' }).waitFor();
  });

  it('says that there is no such type', async () => {
    const page = await dashboard.openAlone(service, key, '/event-types/unheard', { allow: [/status of 404/] });
    await page.getByText('There are no events of this type').waitFor();
    await page.context().close();
  });

  for (const path of ['/event-types', '/event-types/placed%20%2F%20order?property=value']) {
    it(`cuts nothing, and has nothing for axe to complain of: ${path}`, async () => {
      const page = await dashboard.open(service, key, path);
      await page.getByRole('table').first().waitFor();
      await expectSound(page, `event-types${path.length}`, LOOKS);
    });
  }
});
