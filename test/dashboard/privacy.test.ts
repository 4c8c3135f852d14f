import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { dialog } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', isOfColours: true },
  { width: 1280, colorScheme: 'light' },
];
const ADA = { email: 'ada@example.com', external_id: 'cust_1001' };
const GUEST = { email: 'lovelace@example.com' };

describe('The dashboard: Privacy', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key, storeId } = await service.newKey());
    client = (await service.client()).as(key);
  });

  const upsert = async (identifiers: object, attributes: object = {}): Promise<string> =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 201 })).body.id;
  const open = (path: string, options = {}) => dashboard.open(service, key, path, options);
  const privacy = (page: Page) => page.getByRole('region', { name: 'Privacy' });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('merges two customers once it was shown what comes of it, and by the keyboard alone', async () => {
    const id = await upsert(ADA, { first_name: 'Ada' });
    const guest = await upsert(GUEST, { first_name: 'Augusta', gift_wrap: true });
    await client.post('/v1/events', { event_type: 'visit', profile: GUEST }, { expect: 201 });
    const page = await open(`/profiles/${id}`);
    await privacy(page).getByRole('button', { name: 'Merge with another customer' }).press('Enter');
    await dialog(page).getByLabel('Search for').fill('lovelace');
    await dialog(page).getByRole('button', { name: 'Choose Augusta' }).press('Enter');
    const changes = dialog(page).getByLabel('What would change');
    await changes.getByText('lovelace@example.com (email)').waitFor();
    await changes.getByText('gift_wrap').waitFor();
    await changes.getByText('first_name').waitFor();
    expect(await button(page, 'Merge').isDisabled()).to.equal(true);
    await expectSound(page, 'the preview', LOOKS);
    // Nothing has happened yet.
    expect((await client.get(`/v1/profiles/${guest}`, { expect: 200 })).body.id).to.equal(guest);
    await dialog(page).getByRole('checkbox').press('Space');
    await button(page, 'Merge').press('Enter');
    await page.waitForURL(/\/privacy\/merges\//);
    await page.getByText('Complete').waitFor();
    await page.getByRole('region', { name: 'Both profiles before' }).getByText('Augusta').waitFor();
    await expectSound(page, 'a merge', LOOKS);
    expect((await client.get(`/v1/profiles/${guest}`, { expect: 200 })).body.id).to.equal(id);

    await page.goto(`${service.url}/dashboard/privacy`);
    await page.getByRole('table', { name: 'Merges' }).getByRole('link', { name: 'Ada' }).waitFor();
    await expectSound(page, 'the list', LOOKS);
    await page.goto(`${service.url}/dashboard/profiles/${guest}`);
    await page.getByText('was merged into this one').waitFor();
  });

  it('chooses another customer again, and finds none who is the same', async () => {
    const id = await upsert(ADA);
    await upsert(GUEST);
    const page = await open(`/profiles/${id}`);
    await privacy(page).getByRole('button', { name: 'Merge with another customer' }).click();
    await dialog(page).getByLabel('Search for').fill('ada@');
    await dialog(page).getByText('No other customer is found by this.').waitFor();
    await dialog(page).getByLabel('Search for').fill('love');
    await dialog(page).getByRole('button', { name: 'Choose lovelace@example.com' }).click();
    await button(page, 'Choose another').click();
    await dialog(page).getByLabel('Search for').waitFor();
  });

  it('merges customers who have an address in two spellings, once it was said who stays', async () => {
    const [id, other] = [await upsert(ADA, { first_name: 'Ada' }), await upsert(GUEST, { first_name: 'Augusta' })];
    const owners = [
      { spelling: 'ada@example.com', profile_id: id },
      { spelling: 'Ada@example.com', profile_id: other },
    ];
    await service.database.query(`
      insert into identifier_split (store_id, kind, value, owners, found_at, seen_at)
      values ('${storeId}', 'email', 'ada@example.com', '${JSON.stringify(owners)}', now(), now())`);
    const page = await open('/privacy');
    const table = page.getByRole('table', { name: 'Customers with the same address or number' });
    await table.getByRole('link', { name: 'Augusta' }).waitFor();
    await expectSound(page, 'the splits', LOOKS);
    await button(page, 'Merge those of ada@example.com').press('Enter');
    await dialog(page).getByRole('radio', { name: 'Augusta' }).press('Space');
    await dialog(page).getByLabel('What would change').getByText('ada@example.com (email)').waitFor();
    await expectSound(page, 'the preview of a split', LOOKS);
    await dialog(page).getByRole('checkbox').press('Space');
    await button(page, 'Merge').press('Enter');
    await page.waitForURL(/\/privacy\/merges\//);
    await page.getByText('Complete').waitFor();
    expect((await client.get(`/v1/profiles/${id}`, { expect: 200 })).body.id).to.equal(other);
    await page.goto(`${service.url}/dashboard/privacy`);
    await page.getByRole('table', { name: 'Merges' }).waitFor();
    expect(await table.count()).to.equal(0);
  });

  it('erases a customer whose address was typed, and shows the proof', async () => {
    const id = await upsert(ADA);
    await client.post('/v1/events', { event_type: 'visit', profile: ADA }, { expect: 201 });
    const page = await open(`/profiles/${id}`, { allow: [/status of 404/] });
    await privacy(page).getByRole('button', { name: 'Erase this customer' }).click();
    const erase = button(page, 'Erase');
    expect(await erase.isDisabled()).to.equal(true);
    await dialog(page).getByLabel('Type ada@example.com to go on').fill('ada@example');
    expect(await erase.isDisabled()).to.equal(true);
    await dialog(page).getByLabel('Type ada@example.com to go on').fill('ada@example.com');
    await expectSound(page, 'the confirmation', LOOKS);
    await erase.click();
    await page.waitForURL(/\/privacy\/erasures\//);
    await page.getByText('Complete').waitFor();
    await page.getByRole('table', { name: 'Deleted or emptied' }).getByText('profile identifier').waitFor();
    await expectSound(page, 'an erasure', LOOKS);
    expect(await page.getByRole('main').innerText()).not.to.include('ada@example.com');
    await client.get(`/v1/profiles/${id}`, { expect: 404 });

    await page.goto(`${service.url}/dashboard/privacy`);
    await page.getByRole('table', { name: 'Erasures' }).getByText('Complete').waitFor();
    await page.goto(`${service.url}/dashboard/profiles/${id}`);
    await page.getByText('Customer not found').waitFor();
  });

  it('saves all that is held about a customer', async () => {
    const id = await upsert(ADA);
    const page = await open(`/profiles/${id}`);
    for (const [name, ending] of [
      ['Export as JSON', 'json'],
      ['Export as CSV files', 'zip'],
    ] as const) {
      // Without a dialog of the system, which nobody would answer.
      await page.evaluate('delete window.showSaveFilePicker');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        privacy(page).getByRole('button', { name }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(`customer-${id}.${ending}`);
      const file = await readFile(await download.path());
      if (ending === 'json') expect(JSON.parse(file.toString()).profile.email).to.equal(ADA.email);
      else expect(file.subarray(0, 2).toString()).to.equal('PK');
      await privacy(page).getByRole('button', { name }).waitFor();
    }
  });

  it('is for those who may', async () => {
    const id = await upsert(ADA);
    const { key: other } = await service.newKey({ storeId, scopes: ['profiles:read', 'events:read'] });
    const page = await dashboard.open(service, other, `/profiles/${id}`);
    await page.getByRole('region', { name: 'Identifiers' }).waitFor();
    await page.getByRole('region', { name: 'Attributes' }).waitFor();
    expect(await privacy(page).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'Privacy' }).count()).to.equal(0);
  });
});
