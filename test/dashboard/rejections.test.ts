import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const MARKUP = `<img src=x onerror="globalThis.hasRun = true">`;

describe('The dashboard: Rejections', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key } = await service.newKey({ name: 'Shop' }));
    client = (await service.client()).as(key);
  });

  const open = () => dashboard.open(service, key, '/rejections');
  const causes = (page: Page) => page.getByRole('button', { expanded: false }).filter({ hasText: 'validation_error' });

  it('shows a request that is refused while one looks, and why', async () => {
    const page = await open();
    await page.getByText('No requests were refused').waitFor();
    await client.post('/v1/events', { event_type: 'visit', profile: {}, propertys: {} }, { expect: 400 });
    await causes(page).filter({ hasText: '1 request' }).waitFor();
  });

  it('has one cause for all that were refused for the same reason, with the last of them', async () => {
    const wrong = { event_type: 'visit', profile: {} };
    const right = { event_type: 'visit', profile: { external_id: 'ada' } };
    await client.post('/v1/events/bulk', { events: [wrong] }, { expect: 400 });
    const { body } = await client.post('/v1/events/bulk', { events: [right, wrong] }, { expect: 400 });
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada' } }, { expect: 400 });
    const page = await open();
    const cause = causes(page).filter({ hasText: 'createEventsBulk' });
    await cause.filter({ hasText: 'events[…].profile' }).filter({ hasText: '2 requests' }).waitFor();
    expect(await causes(page).count()).to.equal(2);
    await cause.click();
    const examples = page.getByRole('table', { name: /^Latest requests refused for this/ });
    await examples.getByText(body.error.request_id).waitFor();
    await examples.getByText('events[1].profile').waitFor();
    expect(await examples.getByRole('row').count()).to.equal(3);
    await examples.getByText('Shop').first().waitFor();
  });

  it('leaves out what was the fault of the service', async () => {
    const { storeId } = await service.newKey();
    const own = await service.newKey({ storeId, name: 'Shop' });
    await client.as(own.key).post('/v1/events', {}, { expect: 400 });
    const query = `select 1 from rejection where store_id = '${storeId}'`;
    await until(async () => (await service.database.query(query)).length === 1, 'it is recorded');
    await service.database.query(`
      insert into rejection select (jsonb_populate_record(r, jsonb_build_object(
        'id', gen_random_uuid(), 'status', 500, 'code', 'database_error', 'message', 'The database failed'))).*
      from rejection r where store_id = '${storeId}'`);
    const page = await dashboard.open(service, own.key, '/rejections');
    await causes(page).filter({ hasText: '1 request' }).waitFor();
    expect(await page.getByText('The database failed').count()).to.equal(0);
  });

  it('shows no value of what was refused, and never runs it', async () => {
    await client.post('/v1/events', { event_type: MARKUP, profile: { email: MARKUP } }, { expect: 400 });
    await client.post('/v1/events', { [MARKUP]: 'secret' }, { expect: 400 });
    const page = await open();
    await causes(page).first().waitFor();
    expect(await page.evaluate('document.body.textContent')).not.to.include('secret');
    expect(await page.evaluate('globalThis.hasRun')).to.equal(undefined);
    expect(await page.locator('img[src=x]').count()).to.equal(0);
  });

  it('can be used with the keyboard alone', async () => {
    await client.post('/v1/events', {}, { expect: 400 });
    const page = await open();
    await causes(page).first().waitFor();
    await page.getByRole('heading', { name: 'Rejections', level: 1 }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: /^Latest requests/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: /^Latest requests/ }).waitFor({ state: 'hidden' });
  });

  it('has nothing that axe complains of, in light and dark colours', async () => {
    await client.post('/v1/events', {}, { expect: 400 });
    const page = await open();
    await causes(page).first().click();
    await page.getByRole('table', { name: /^Latest requests/ }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });
});
