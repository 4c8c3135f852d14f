import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { createDatabase } from '../support/postgres.ts';
import { TcpProxy } from '../support/proxy.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Events', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key } = await service.newKey());
    client = (await service.client()).as(key);
  });

  const record = (event_type: string, more: object = {}) =>
    client.post('/v1/events', { event_type, profile: { external_id: 'ada' }, ...more }, { expect: 201 });
  const open = async (path = '/events') => {
    const page = await dashboard.open(service, key, path);
    await page.getByText('Live', { exact: true }).waitFor();
    return page;
  };
  const link = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Events' }).getByRole('link', { name, exact: true });

  it('shows events of either surface as they arrive, without being loaded again', async () => {
    await record('visit');
    const page = await open();
    await link(page, 'visit').waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await record('placed_order', { properties: { order_id: 'ord_1', value: 59.9, currency: 'EUR' } });
    await link(page, 'placed_order').waitFor();
    await page.getByText('€59.90 · order_id: ord_1').waitFor();
    const attributes = {
      properties: {},
      metric: { data: { type: 'metric', attributes: { name: 'Viewed Product' } } },
      profile: { data: { type: 'profile', attributes: { external_id: 'ada' } } },
    };
    await client.post('/compat/v1/events', { data: { type: 'event', attributes } }, { expect: 202 });
    await link(page, 'viewed_product').waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
  });

  it('holds still while paused, counts what came meanwhile, and shows it afterwards', async () => {
    await record('visit');
    const page = await open();
    await link(page, 'visit').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await record('placed_order');
    await page.getByRole('button', { name: 'Resume with 1 new' }).waitFor();
    expect(await link(page, 'placed_order').count()).to.equal(0);
    await page.getByRole('button', { name: 'Resume with 1 new' }).click();
    await link(page, 'placed_order').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('is live no longer while the database is away, and again when it is back', async () => {
    const database = await createDatabase();
    const network = await TcpProxy.start(database.url);
    const own = await TestService.start({ DATABASE_URL: network.url }, database);
    const page = await dashboard.openAlone(own, (await own.newKey()).key, '/events', { allow: [/status of 50[03]/] });
    await page.getByText('Live', { exact: true }).waitFor();
    network.cut();
    await page.getByText('Not live').waitFor();
    network.heal();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().close();
    await own.stop();
    await network.stop();
  });

  it('has its filters in the address, heeds them for new events too, and clears them', async () => {
    await record('visit', { properties: { page: 'home' } });
    await record('placed_order', { properties: { order_id: 'ord_1' } });
    const page = await open();
    await page.getByLabel('Property').fill('order_id');
    await page.getByLabel('Value').fill('ord_1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await link(page, 'visit').waitFor({ state: 'detached' });
    await link(page, 'placed_order').waitFor();
    expect(new URL(page.url()).search).to.equal('?property=order_id&property_value=ord_1');

    await page.reload();
    await link(page, 'placed_order').waitFor();
    expect(await page.getByLabel('Value').inputValue()).to.equal('ord_1');
    await page.getByText('Live', { exact: true }).waitFor();
    await record('refunded_order', { properties: { order_id: 'ord_2' } });
    await record('fulfilled_order', { properties: { order_id: 'ord_1' } });
    await link(page, 'fulfilled_order').waitFor();
    expect(await link(page, 'refunded_order').count()).to.equal(0);

    await page.getByRole('button', { name: 'Clear' }).click();
    await link(page, 'refunded_order').waitFor();
    expect(new URL(page.url()).search).to.equal('');
  });

  it('finds an order by its number alone, and goes on by itself to what no index finds', async () => {
    const longAgo = new Date(Date.now() - 80 * 86_400_000).toISOString();
    await record('placed_order', { properties: { order_id: 'ord_1', coupon: 'SPRING' }, occurred_at: longAgo });
    const visits = Array.from({ length: 1_000 }, () => ({ event_type: 'visit', profile: { external_id: 'ada' } }));
    for (let n = 0; n < 5; n += 1) await client.post('/v1/events/bulk', { events: visits }, { expect: 201 });
    const page = await open();
    await link(page, 'visit').first().waitFor();
    await page.getByLabel('Value').fill('ord_1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await link(page, 'placed_order').waitFor();
    expect(await page.getByLabel('Property').inputValue()).to.equal('order_id');

    await page.getByRole('button', { name: 'Clear' }).click();
    await link(page, 'visit').first().waitFor();
    await page.getByLabel('Property').fill('coupon');
    await page.getByLabel('Value').fill('SPRING');
    await page.getByRole('button', { name: 'Apply' }).click();
    await link(page, 'placed_order').waitFor();
    // Wherever in its row one clicks.
    await page
      .getByRole('table', { name: 'Events' })
      .getByRole('row')
      .last()
      .click({ position: { x: 5, y: 5 } });
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Event' }).waitFor({ state: 'detached' });
    await page.goBack();
    await link(page, 'placed_order').waitFor();
    expect(await page.getByRole('dialog', { name: 'Event' }).count()).to.equal(0);
  });

  it('loads older events page by page', async () => {
    const events = Array.from({ length: 60 }, (_, index) => ({
      event_type: `event_${index}`,
      profile: { external_id: 'ada' },
      occurred_at: new Date(Date.now() - index * 60_000).toISOString(),
    }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const page = await open();
    await link(page, 'event_49').waitFor();
    expect(await link(page, 'event_50').count()).to.equal(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await link(page, 'event_59').waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).to.equal(0);
  });

  it('shows all of an event at an address of its own, with its customer and as a command that records it', async () => {
    const properties = { order_id: 'ord_1', note: "it's paid", items: [{ sku: 'a', price: 1.5 }] };
    const profile = { email: 'ada@example.com' };
    const { body } = await record('placed_order', { profile, properties, idempotency_key: 'ord_1-placed' });
    const page = await open();
    await page.getByRole('table').getByRole('link', { name: 'ada@example.com' }).waitFor();
    await link(page, 'placed_order').click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByRole('link', { name: 'ada@example.com' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/events/${body.id}`);
    const shown = await drawer.getByRole('region', { name: 'Properties', exact: true }).textContent();
    expect(JSON.parse(shown ?? '')).to.deep.equal(properties);

    const command = (await drawer.getByRole('region', { name: 'curl command' }).textContent()) ?? '';
    const [, sent = ''] = /-d '(.*)'$/s.exec(command) ?? [];
    const again = await client.post('/v1/events', JSON.parse(sent.replaceAll("'\\''", "'")), { expect: 201 });
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.body).to.deep.equal(body);

    await page.reload();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.waitForURL('**/dashboard/events');
  });

  it('shows the end of the id of a customer who has no name and no identifier', async () => {
    const profile = { data: { type: 'profile', attributes: { anonymous_id: 'visitor' } } };
    const metric = { data: { type: 'metric', attributes: { name: 'Visit' } } };
    await client.post(
      '/compat/v1/events',
      { data: { type: 'event', attributes: { metric, profile } } },
      { expect: 202 },
    );
    await record('visit', { profile: { email: 'ada@example.com' } });
    const page = await open();
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    expect(await page.getByRole('link', { name: /^Customer …[0-9a-f]{8}$/ }).count()).to.equal(1);
  });

  it('shows times in the zone of who looks, and in UTC to who points at them', async () => {
    await record('visit', { occurred_at: '2026-01-31T23:30:15.250Z' });
    const page = await dashboard.open(service, key, '/events', { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    await page.getByText('1 Feb 2026, 08:30:15').hover();
    await page.getByRole('tooltip', { name: '2026-01-31 23:30:15.250 UTC' }).waitFor();
    await page.getByLabel('From').fill('2026-02-01T08:31');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No events match these filters').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).to.equal('2026-01-31T23:31:00.000Z');
  });

  it('never runs what was recorded', async () => {
    const markup = `<img src=x onerror="globalThis.hasRun = true"><script>globalThis.hasRun = true</script>`;
    const { body } = await record(markup, {
      profile: { external_id: markup },
      properties: { [markup]: markup, order_id: markup, link: 'javascript:globalThis.hasRun=true' },
      idempotency_key: markup,
    });
    const page = await open();
    await link(page, markup).first().waitFor();
    await page.goto(`${service.url}/dashboard/events/${body.id}`);
    await page.getByRole('region', { name: 'curl command' }).waitFor();
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('figure').getByText(markup).first().waitFor();
    await page.getByRole('table', { name: 'Events by type' }).getByRole('link', { name: markup }).click();
    // The customer has the same name, once it is read.
    await link(page, markup).first().waitFor();
    expect(await page.evaluate('globalThis.hasRun')).to.equal(undefined);
    expect(await page.locator('img[src=x]').count()).to.equal(0);
  });
});
