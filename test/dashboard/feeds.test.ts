import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInBothSchemes } from '../support/axe.ts';
import { settled } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const HEAD = 'id,title,price,color\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `p${from + i},Tea ${from + i},2.50 EUR,green\n`).join('');
const WRONG = 'p90,A tea,cheap,red\n';
const PHONE = { width: 390, height: 844 };

describe('Feeds in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let client: Client;
  let url: string;
  let body = '';
  let status = 200;
  const server = createServer((_, response) => void response.writeHead(status).end(body));

  before(async () => {
    service = await TestService.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed?token=secret`;
  });
  beforeEach(async () => {
    ({ key } = await service.newKey());
    client = (await service.client()).as(key);
    status = 200;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await service?.stop();
  });

  const expectFit = async (page: Page) => {
    await settled(page);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    const before = page.viewportSize();
    await page.setViewportSize(PHONE);
    await settled(page);
    expect(await layoutFaults(page)).to.deep.equal([]);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    if (before) await page.setViewportSize(before);
  };
  const create = async (more: object = {}) =>
    (await client.post<any>('/v1/catalog/feeds', { name: 'Teas', url, is_paused: true, ...more }, { expect: 201 }))
      .body;
  const run = async (id: string) => {
    const get = async () => (await client.get<any>(`/v1/catalog/feeds/${id}`, { expect: 200 })).body;
    const before = (await get()).last_run?.id;
    await client.post(`/v1/catalog/feeds/${id}/run`, {}, { expect: 200 });
    await until(async () => {
      const { last_run, is_running } = await get();
      return last_run && last_run.id !== before && !is_running;
    }, 'the feed is read');
  };

  it('are previewed, made, read now, and lead to what was wrong by line', async () => {
    body = HEAD + rows(0, 3) + WRONG;
    const page = await dashboard.open(service, key, '/feeds');
    await page.getByText('No feeds yet').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create a feed' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All teas');
    await page.getByRole('textbox', { name: 'URL' }).fill(url);
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('1 of them would be left out').waitFor();
    await preview.getByText('is not an amount of money').waitFor();
    await preview.getByRole('table', { name: 'Columns' }).getByText('Attribute').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'All teas', level: 1 }).waitFor();
    await page.getByRole('table', { name: 'Runs' }).getByText('Complete').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await until(
      async () => (await page.getByRole('table', { name: 'Runs' }).getByRole('link').count()) === 2,
      '2 runs',
    );
    await expectFit(page);
    expect(await page.content()).not.to.include('secret&');
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
    await page.getByRole('table', { name: 'Errors' }).getByText('is not an amount of money').waitFor();
    await expectFit(page);
  }).timeout(90_000);

  it('say why a URL is none, and keep the URL when another thing is changed', async () => {
    body = '<!doctype html>';
    const page = await dashboard.open(service, key, '/feeds', { allow: [/status of 400/] });
    await page.getByRole('button', { name: 'Create a feed' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All teas');
    await page.getByRole('textbox', { name: 'URL' }).fill(url);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('url is not a feed: the file is a page of HTML').waitFor();
    const feed = await create();
    await page.goto(`${service.url}/dashboard/feeds/${feed.id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Other teas');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Other teas', level: 1 }).waitFor();
    body = HEAD + rows(0, 1);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('table', { name: 'Runs' }).getByText('Complete').waitFor();
  });

  it('wait for somebody before they hide much, on every page, with the numbers', async () => {
    const feed = await create();
    body = HEAD + rows(0, 60);
    await run(feed.id);
    body = HEAD + rows(0, 20);
    await run(feed.id);
    const page = await dashboard.open(service, key, '/catalog');
    const banner = page.getByRole('status').filter({ hasText: 'A feed of the catalog needs you' });
    await banner.getByText('it would hide many items').waitFor();
    await banner.getByRole('link', { name: 'Teas' }).click();
    await page.getByText('Should 40 items be hidden?').waitFor();
    await page.getByText('about 66.7% of all').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Leave them' }).click();
    await page.getByText('Should 40 items be hidden?').waitFor({ state: 'detached' });
    await run(feed.id);
    await page.reload();
    await page.getByRole('button', { name: 'Hide them' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Should 40 items be hidden?').waitFor({ state: 'detached' });
    const hidden = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1).getByText('40');
    await hidden.waitFor();
  }).timeout(60_000);

  it('say on every page that they fail again and again, until they do not', async () => {
    const feed = await create();
    status = 500;
    for (let n = 0; n < 5; n += 1) await run(feed.id);
    const page = await dashboard.open(service, key, '/');
    const banner = page.getByRole('status').filter({ hasText: 'A feed of the catalog needs you' });
    await banner.getByText('it has failed 5 times in a row').waitFor();
    await banner.getByRole('link', { name: 'Teas' }).click();
    await page.getByText('It has failed 5 times in a row', { exact: true }).waitFor();
    await page.getByText('The server answers with 500').first().waitFor();
    await expectFit(page);
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    status = 200;
    body = HEAD + rows(0, 1);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('It has failed 5 times in a row', { exact: true }).waitFor({ state: 'detached' });
  }).timeout(60_000);

  it('are uploaded as a file, which is looked at first', async () => {
    const page = await dashboard.open(service, key, '/feeds');
    await page.getByRole('button', { name: 'Create a feed' }).click();
    await page.getByText('An uploaded file').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Pots');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Pots', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Upload a file' }).click();
    const file = { name: 'pots.csv', mimeType: 'text/csv', buffer: Buffer.from(HEAD + rows(0, 3) + WRONG) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('1 of them would be left out').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Upload and read' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Runs' }).getByText('Complete').waitFor();
    const { body: items } = await client.get<any>('/v1/catalog/items', { expect: 200 });
    expect(items.items).to.have.length(3);
  }).timeout(60_000);

  it('can not be changed by a key that may not, and are deleted by one that may', async () => {
    const { storeId, key: own } = await service.newKey();
    client = (await service.client()).as(own);
    const feed = await create();
    const { key: reader } = await service.newKey({ storeId, scopes: ['catalog:read'] });
    const page = await dashboard.open(service, reader, `/feeds/${feed.id}`);
    await page.getByText('It has not been read in the last 30 days.').waitFor();
    expect(await page.getByRole('button', { name: 'Run now' }).count()).to.equal(0);
    const owner = await dashboard.open(service, own, `/feeds/${feed.id}`);
    await owner.getByRole('button', { name: 'Delete' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await owner.getByText('No feeds yet').waitFor();
  });
});
