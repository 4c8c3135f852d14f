import { expect } from 'chai';
import { signIn, useDashboard } from '../support/dashboard.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Overview', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('leads an empty store to its first event, and sees it arrive', async () => {
    const { key } = await service.newKey();
    const client = (await service.client()).as(key);
    const page = await dashboard.openSignedOut(`${service.url}/dashboard`);
    // The page is told of what is refused once its stream is open.
    const isOpen = page.waitForResponse(/\/stream$/);
    await signIn(page, key);
    await page.getByText('Waiting for the first event…').waitFor();
    await isOpen;
    const command = (await page.getByRole('region', { name: 'Request that records' }).textContent()) ?? '';
    expect(command).to.contain(`Bearer ${key}`);
    await client.post('/v1/events', { event_type: 'placed_order', profile: {} }, { expect: 400 });
    await page.getByText('A request was refused').waitFor();
    const [, body = ''] = /-d '(.*)'$/s.exec(command) ?? [];
    await client.post('/v1/events', JSON.parse(body), { expect: 201 });
    await page.getByText('The first event has arrived').waitFor();
    await page.getByRole('button', { name: 'Show the overview' }).click();
    await page.getByRole('table', { name: 'Events by type' }).getByText('placed_order').waitFor();
  });

  it('counts events by type over the time that is chosen, and anew as they arrive', async () => {
    const { key } = await service.newKey({ name: 'Owner' });
    const client = (await service.client()).as(key);
    const profile = { external_id: 'ada' };
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const events = [
      ...Array.from({ length: 3 }, () => ({ event_type: 'visit', profile })),
      ...Array.from({ length: 2 }, () => ({ event_type: 'placed_order', profile, occurred_at: daysAgo(100) })),
    ];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const page = await dashboard.open(service, key);
    const row = (name: string) => page.getByRole('table', { name: 'Events by type' }).getByRole('row', { name });
    await row('visit').getByText('3', { exact: true }).waitFor();
    expect(await row('placed_order').count()).to.equal(0);

    await page.getByLabel('Time range').selectOption('12 months');
    await row('placed_order').getByText('2', { exact: true }).waitFor();
    // Neither of the time before the first event, nor of the month under way.
    await page.getByText(/^[01] \/ month$/).waitFor();
    expect(new URL(page.url()).search).to.equal('?range=12_months&compare=none');
    await client.post('/v1/events', { event_type: 'visit', profile }, { expect: 201 });
    await row('visit').getByText('4', { exact: true }).waitFor();
    // 4 of 6: its bar is as long as its share.
    const bar = row('visit').getByRole('progressbar');
    expect(Math.round(Number(await bar.getAttribute('aria-valuenow')))).to.equal(67);

    await row('visit').getByRole('link', { name: 'visit' }).click();
    await page.waitForURL('**/dashboard/events?event_type=visit');
    await page.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'visit' }).first().waitFor();
  });

  it('compares the days that are chosen with those before, and remembers them', async () => {
    const { key } = await service.newKey();
    const client = (await service.client()).as(key);
    const profile = { external_id: 'ada' };
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const events = [0, 1, 2, 8, 9].map((days) => ({ event_type: 'visit', profile, occurred_at: at(days) }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const page = await dashboard.openAlone(service, key, '/?range=7_days');
    await page.getByLabel('Comparison').selectOption('With the days before');
    await page.getByText('2 (+50%)', { exact: true }).waitFor();
    await page.goto(`${service.url}/dashboard/`);
    await page.getByText('2 (+50%)', { exact: true }).waitFor();
    await page.getByLabel('Time range').selectOption('Custom');
    const day = at(8).slice(0, 10);
    await page.getByLabel('Last day').fill(day);
    await page.getByLabel('Last day').blur();
    await page.waitForURL((url) => url.searchParams.get('to') === day);
    await page.context().close();
  });

  it('tells of refused requests, of the rate limit of each key, and of the health of the service', async () => {
    const { key } = await service.newKey({ name: 'Owner' });
    const client = (await service.client()).as(key);
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const page = await dashboard.open(service, key);
    const region = (name: string) => page.getByRole('region', { name });
    await region('Refused requests').getByText('None.').waitFor();
    await region('Rate limits').getByText('Owner').waitFor();
    await region('Rate limits').getByText('of 3,500 a minute').waitFor();
    await region('Health').getByText('ready').waitFor();
    await client.post('/v1/events', { event_type: 'visit', profile: {} }, { expect: 400 });
    await region('Refused requests').getByText('1 in the last 24 hours').waitFor();
  });

  it('says that the service is away, and goes on when it is back', async () => {
    // Not of a cluster, whose shards can't be renamed with their table.
    const own = await TestService.start({}, await createUndividedDatabase());
    const { key } = await own.newKey();
    const page = await dashboard.openAlone(own, key, '/', { allow: [/status of 500/] });
    await page.getByText('Waiting for the first event…').waitFor();
    await own.database.query('alter table event rename to elsewhere');
    try {
      await page.getByRole('link', { name: 'Events' }).click();
      await page.getByText('Could not load this').waitFor();
    } finally {
      await own.database.query('alter table elsewhere rename to event');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No events yet').waitFor();
    await page.context().close();
    await own.stop();
  });
});
