import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Scope } from '../../src/domain/caller.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { signIn, useDashboard } from '../support/dashboard.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';
import { ordersRead } from './support/orders.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: Home', () => {
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
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await page.getByRole('table', { name: 'Events by type' }).getByText('placed_order').waitFor();
    await page.getByRole('list', { name: 'First steps' }).getByText('Record a first event (done)').waitFor();
  });

  it('ticks first steps by what the store has, until it has all of it or somebody has seen enough', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const page = await dashboard.openAlone(service, key);
    const steps = page.getByRole('list', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Send a first campaign' }).waitFor();
    await page.getByText('1 of 6 done').waitFor();
    // Without orders there is nothing to be said of revenue.
    await page.getByRole('table', { name: 'Events by type' }).waitFor();
    expect(await page.getByRole('region', { name: 'Revenue' }).count()).to.equal(0);
    await service.database.query(`
      insert into customer_import (store_id, id, state, list_ids, rows_created, created_at)
      values ('${storeId}', '${newId()}', 'complete', '{}', 1, now());
      insert into sender (store_id, id, kind, name, class, max_per_second, max_concurrent, checks, created_at, updated_at)
      values ('${storeId}', '${newId()}', 'smtp', 'One', 'both', 1, 1, '[{"name": "spf", "ok": true}]', now(), now());
      insert into automation (store_id, id, name, draft, revision, status, version, trigger, created_at, updated_at, read_status)
      values ('${storeId}', '${newId()}', 'One', '{}', 1, 'paused', 1, '{}', now(), now(), 'paused')`);
    await page.reload();
    await page.getByText('4 of 6 done').waitFor();
    await steps.getByRole('link', { name: 'Set the time zone and currency of your store' }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
    const settings = JSON.stringify({ time_zone: 'Europe/Berlin', currency: 'EUR' });
    const headers = { 'Content-Type': 'application/json' };
    await client.send('PATCH', '/v1/store', settings, { headers, expect: 200 });
    await page.goto(`${service.url}/dashboard/`);
    await page.getByText('5 of 6 done').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('table', { name: 'Events by type' }).waitFor();
    expect(await steps.count()).to.equal(0);
    await page.evaluate('localStorage.clear()');
    await service.database.query(`
      insert into campaign (store_id, id, name, channel, status, revision, started_at, created_at, updated_at)
      values ('${storeId}', '${newId()}', 'One', 'email', 'sent', 1, now(), now(), now())`);
    const whole = await dashboard.openAlone(service, key);
    await whole.getByRole('table', { name: 'Events by type' }).waitFor();
    await whole.getByText('0 live').or(whole.getByText('None is live.')).first().waitFor();
    expect(await whole.getByRole('list', { name: 'First steps' }).count()).to.equal(0);
    await whole.context().close();
    await page.context().close();
  });

  it('tells what the store and its messages have earned, compared, and saves it', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    const order = (days: number, value: number, order_id: string) => ({
      ...{ event_type: 'placed_order', profile: { external_id: 'ada' } },
      properties: { order_id, value, currency: 'EUR' },
      occurred_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
    const events = [order(0, 30, 'a'), order(1, 10, 'b'), order(8, 20, '=c')];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await ordersRead(client, 3);
    const message = `insert into message (store_id, id, profile_id, sender_id, template_version, channel, class, source, status,
      created_at) values ('${storeId}', uuidv7(), uuidv7(), uuidv7(), 1, 'email', 'marketing', 'request', 'sent', now())`;
    await service.database.query(`${message}; ${message};
      insert into attribution (store_id, event_id, profile_id, message_id, ordered_at, click_window_ms, is_placed, source,
        value, currency)
      select store_id, uuidv7(), profile_id, id, now(), 1, true, 'request', 15, 'EUR' from message
      where store_id = '${storeId}' limit 1`);
    const page = await dashboard.open(service, key, '/?range=7_days&compare=previous_period');
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await region('Revenue').getByText('+100%').first().waitFor();
    expect(await region('Revenue').getByText('€40.00').count()).to.be.greaterThan(0);
    await region('Messages').getByText('Messages sent').waitFor();
    await region('Messages').getByText('€15.00').waitFor();
    await page.evaluate('delete window.showSaveFilePicker');
    const waiting = page.waitForEvent('download');
    await region('Revenue').getByRole('button', { name: 'Download as CSV' }).click();
    const lines = (await readFile(await (await waiting).path(), 'utf8')).trim().split('\r\n');
    expect(lines).to.have.length(8);
    expect(lines.filter((line) => /^\d{4}-\d\d-\d\d,EUR,1,0,30,0,30,30,0,1$/.test(line))).to.have.length(1);
  });

  it('tells what has come to nothing in a currency since before', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    const order = (days: number, currency: string) => ({
      ...{ event_type: 'placed_order', profile: { external_id: 'ada' }, properties: { value: 20, currency } },
      occurred_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
    await client.post('/v1/events/bulk', { events: [order(0, 'EUR'), order(8, 'USD')] }, { expect: 201 });
    await ordersRead(client, 2);
    const page = await dashboard.open(service, key, '/?range=7_days&compare=previous_period');
    const revenue = page.getByRole('region', { name: 'Revenue', exact: true });
    await revenue.getByText('$0.00').first().waitFor();
    expect(await revenue.getByText('-100%').count()).to.be.greaterThan(0);
  });

  it('says what needs somebody, and leads to where it is mended', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const ids = [newId(), newId(), newId()];
    const sender = (id: string | undefined) =>
      `('${storeId}', '${id}', 'smtp', '${id}', 'both', 1, 1, now() + interval '1 hour', now(), now())`;
    await service.database.query(`
      insert into sender (store_id, id, kind, name, class, max_per_second, max_concurrent, resting_until, created_at, updated_at)
      values ${sender(ids[0])}, ${sender(ids[1])};
      insert into customer_import (store_id, id, state, list_ids, created_at, ended_at)
      values ('${storeId}', '${ids[2]}', 'failed', '{}', now(), now())`);
    const page = await dashboard.open(service, key);
    const list = page.getByRole('list', { name: 'Needs attention' });
    expect(await list.getByRole('link', { name: '2 senders rest' }).getAttribute('href')).to.equal(
      '/dashboard/senders',
    );
    const one = list.getByRole('link', { name: 'An import of customers has failed' });
    expect(await one.getAttribute('href')).to.equal(`/dashboard/imports/${ids[2]}`);
    await expectSound(page, 'what needs somebody', LOOKS);
  });

  it('shows an analyst the reports without the events, and support the events without the reports', async () => {
    const storeId = await service.newStore();
    const { key } = await service.newKey({ storeId });
    const client = (await service.client()).as(key);
    const properties = { order_id: 'a', value: 30, currency: 'EUR' };
    const event = { event_type: 'placed_order', profile: { external_id: 'ada' }, properties };
    await client.post('/v1/events', event, { expect: 201 });
    await ordersRead(client, 1);
    const openAs = async (scopes: Scope[]) => dashboard.open(service, (await service.newKey({ storeId, scopes })).key);
    const analyst = await openAs(['reports:read', 'messages:read', 'automations:read']);
    await analyst.getByRole('region', { name: 'Revenue' }).getByText('€30.00').first().waitFor();
    await analyst.getByText('No messages were sent').waitFor();
    expect(await analyst.getByRole('region', { name: 'Events over time' }).count()).to.equal(0);
    const support = await openAs(['events:read', 'messages:read']);
    await support.getByRole('table', { name: 'Events by type' }).waitFor();
    expect(await support.getByRole('region', { name: 'Revenue' }).count()).to.equal(0);
    expect(await support.getByRole('list', { name: 'First steps' }).count()).to.equal(0);
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
    expect(new URL(page.url()).search).to.equal('?range=12_months&compare=previous_period');
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
