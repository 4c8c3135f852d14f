import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Lists and segments', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    const created = await service.newKey({ name: 'Owner' });
    key = created.key;
    client = await service.client({ storeId: created.storeId });
  });

  const open = (path: string, options = {}) => dashboard.open(service, key, path, options);
  const dialog = (page: Page) => page.getByRole('dialog');
  const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('row');

  async function order(email: string): Promise<string> {
    const event = { event_type: 'placed_order', profile: { email } };
    return (await client.post('/v1/events', event, { expect: 201 })).body.profile_id;
  }

  it('creates a list, adds customers to it and says who is unknown, and saves it as a file', async () => {
    await order('ada@example.com');
    const page = await open('/lists');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'Create a list' }).click();
    await dialog(page).getByLabel('Name').fill('=Newsletter');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '=Newsletter', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add or remove customers' }).click();
    await dialog(page).getByRole('textbox').fill('ada@example.com\nnobody-knows');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page).getByText('1 added').waitFor();
    await dialog(page).getByRole('table', { name: 'Refused' }).getByText('nobody-knows').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await rows(page, 'Members').getByRole('link', { name: 'ada@example.com' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\r\n')[0]).to.equal('profile_id,joined_at,how,source');
    expect(text.trim().split('\r\n')).to.have.length(2);
  });

  it('creates a segment by a sentence, with a preview, and shows who is in it and why', async () => {
    const id = await order('ada@example.com');
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'bob@example.com' } });
    const page = await open('/segments');
    await page.getByRole('link', { name: 'Create a segment' }).click();
    await page.getByLabel('Name').first().fill('Buyers');
    await page.getByLabel('Condition 1: type of event').fill('placed_order');
    await page.getByRole('button', { name: 'Who would be in it?' }).click();
    await page.getByText('1 of 2 customers').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Buyers', level: 1 }).waitFor();
    await page.getByText('did placed_order').first().waitFor();
    const { body } = await client.get('/v1/segments', { expect: 200 });
    const isLive = async () => (await client.get(`/v1/segments/${body.segments[0].id}`)).body.state === 'live';
    await until(isLive, 'it is built', 30_000);
    await page.reload();
    await rows(page, 'Members').getByRole('button', { name: 'Why?' }).click();
    await dialog(page).getByText('The customer belongs to it.').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${service.url}/dashboard/profiles/${id}`);
    await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'Buyers' }).waitFor();
  });

  for (const [what, definition] of [
    ['is no definition', {}],
    ['has conditions that are none', { all: [null] }],
    ['names a list by a number', { list: 5 }],
    [
      'filters by a property',
      { event: { type: 'placed_order', where: [{ property: 'value', op: 'gte', value: 50 }] } },
    ],
    ['asks for a sum', { event: { type: 'placed_order', measure: 'sum', property: 'value', op: 'gte', value: 100 } }],
  ] as const) {
    it(`leaves JSON that ${what} as it is`, async () => {
      const page = await open('/segments/new');
      const json = page.getByLabel('The definition as JSON');
      await page.getByLabel('Name').first().fill('Buyers');
      await page.getByRole('tab', { name: 'JSON' }).click();
      await json.fill(JSON.stringify(definition));
      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByText('more than the form can show').waitFor();
      await page.getByRole('tab', { name: 'JSON' }).click();
      expect(JSON.parse(await json.inputValue())).to.deep.equal(definition);
      await json.fill('{ "event"');
      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByText('This is not JSON.').waitFor();
      expect(await page.getByLabel('Name').first().inputValue()).to.equal('Buyers');
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no barrier, and fits a narrow screen, with ${colorScheme} colours`, async () => {
      await order('ada@example.com');
      const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
      await client.post(`/v1/lists/${list}/members`, { members: [{ email: 'ada@example.com' }] }, { expect: 200 });
      const definition = { event: { type: 'placed_order' } };
      const segment = (await client.post('/v1/segments', { name: 'Buyers', definition }, { expect: 201 })).body.id;
      for (const path of [
        '/lists',
        `/lists/${list}`,
        '/segments',
        `/segments/${segment}`,
        `/segments/${segment}/edit`,
      ]) {
        const page = await open(path, { colorScheme, viewport: { width: 390, height: 800 } });
        await page.getByRole('heading', { level: 2 }).first().waitFor();
        expect(await violations(page), path).to.deep.equal([]);
        expect(await layoutFaults(page), path).to.deep.equal([]);
        await page.close();
      }
    });
  }
});
