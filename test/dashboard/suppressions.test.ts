import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { Shop } from '../messages/support/shop.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { dialog } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', isOfColours: true },
  { width: 1280, colorScheme: 'light' },
];

describe('The dashboard: Suppressions', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let shop: Shop;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    shop = await Shop.open(service);
    ({ key } = await service.newKey({ storeId: shop.storeId, name: 'Owner' }));
  });

  const open = (path = '/suppressions', options = {}) => dashboard.open(service, key, path, options);
  const rows = (page: Page) => page.getByRole('table', { name: 'Suppressed addresses' }).getByRole('row');
  const row = (page: Page, address: string) => rows(page).filter({ hasText: address });
  const add = (page: Page) => page.getByRole('button', { name: 'Suppress addresses', exact: true });
  const suppress = (addresses: string[], reason = 'manual') =>
    shop.client.post('/v1/suppressed-addresses', { addresses, reason }, { expect: 200 });
  const suppressed = async () =>
    (await shop.client.get<any>('/v1/suppressed-addresses', { expect: 200 })).body.addresses.map(
      ({ address, reason }: any) => [address, reason],
    );

  it('suppresses what is pasted, names what is no address, and releases one', async () => {
    const page = await open('/suppressions', { allow: [/status of 400/] });
    await page.getByText('No addresses are suppressed').waitFor();
    await add(page).click();
    const field = dialog(page).getByLabel('Addresses');
    await field.fill('eve@example.com, mallory@example.com\nnobody');
    await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).click();
    await dialog(page).getByText('“nobody” is no e-mail address').waitFor();
    expect(await suppressed()).to.deep.equal([]);
    await field.fill('eve@example.com, mallory@example.com\nEVE@example.com\n');
    await dialog(page).getByRole('combobox', { name: 'Why' }).click();
    await page.getByRole('option', { name: 'Its owner has complained' }).click();
    await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByText('2 are suppressed now; 1 were already.').waitFor();
    await row(page, 'mallory@example.com').getByText('its owner has complained').waitFor();

    await row(page, 'eve@example.com').getByRole('button', { name: 'Release' }).click();
    await dialog(page).getByRole('button', { name: 'Release' }).click();
    await page.getByText('Messages to eve@example.com are sent again.').waitFor();
    await row(page, 'eve@example.com').waitFor({ state: 'detached' });
    expect(await suppressed()).to.deep.equal([['mallory@example.com', 'complaint']]);
  });

  it('refuses more addresses than one request may have, before it is sent', async () => {
    const page = await open();
    await add(page).click();
    const addresses = Array.from({ length: 1_001 }, (_, i) => `customer${i}@example.com`);
    await dialog(page).getByLabel('Addresses').fill(addresses.join('\n'));
    await dialog(page).getByText('These are 1,001').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).isDisabled()).to.equal(true);
  });

  it('finds an address and those of a reason, without the address in its own URL', async () => {
    await suppress(['eve@example.com'], 'hard_bounce');
    await suppress(['mallory@example.com']);
    const page = await open();
    await row(page, 'mallory@example.com').waitFor();
    await page.getByRole('searchbox', { name: 'Address' }).fill('Eve@example.com');
    await row(page, 'mallory@example.com').waitFor({ state: 'detached' });
    await row(page, 'eve@example.com').getByText('there is no such mailbox').waitFor();
    await page.getByRole('searchbox', { name: 'Address' }).fill('eve');
    await page.getByText('This is no whole address').waitFor();
    await page.getByRole('searchbox', { name: 'Address' }).fill('');
    await page.getByRole('combobox', { name: 'Why' }).click();
    await page.getByRole('option', { name: 'The store says so' }).click();
    await row(page, 'eve@example.com').waitFor({ state: 'detached' });
    await row(page, 'mallory@example.com').waitFor();
    expect(new URL(page.url()).search).to.equal('');
  });

  it('explains at a message and at a customer why nothing was sent', async () => {
    const customer = await shop.customer('eve@example.com');
    await suppress(['eve@example.com'], 'hard_bounce');
    const id = await shop.send(await shop.template(), 'eve@example.com');
    expect(await shop.ended(id)).to.include({ status: 'skipped', reason: 'address_suppressed' });
    const page = await open(`/messages/${id}`);
    await page.getByText('Nothing is sent to this address, whoever has it').waitFor();
    await page.getByRole('link', { name: 'The suppression' }).click();
    await page.getByRole('heading', { name: 'Suppressions', level: 1 }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Address' }).inputValue()).to.equal('eve@example.com');
    await row(page, 'eve@example.com').waitFor();
    expect(page.url()).not.to.include('eve');

    await page.goto(`${service.url}/dashboard/profiles/${customer}`);
    const consent = page.getByRole('region', { name: 'Consent' });
    await consent.getByText('Nothing is sent to eve@example.com since').waitFor();
    await consent.getByRole('link', { name: 'The suppression' }).click();
    await row(page, 'eve@example.com').waitFor();
  });

  it('leads from a message that a suppressed customer was not sent to their consent', async () => {
    const customer = await shop.customer('eve@example.com');
    await shop.consent(customer, { suppressed: true });
    const id = await shop.send(await shop.template(), 'eve@example.com');
    expect(await shop.ended(id)).to.include({ status: 'skipped', reason: 'suppressed' });
    const page = await open(`/messages/${id}`);
    await page.getByRole('link', { name: 'Their consent says why' }).click();
    await page.getByRole('region', { name: 'Consent' }).getByText('Nothing is to be sent since').waitFor();
  });

  it('can be read without the scope to write, by which nothing can be changed', async () => {
    await suppress(['eve@example.com']);
    const scopes: Scope[] = ['messages:read', 'profiles:read'];
    const { key: reading } = await service.newKey({ storeId: shop.storeId, scopes });
    const page = await dashboard.open(service, reading, '/suppressions');
    await row(page, 'eve@example.com').waitFor();
    expect(await add(page).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Release' }).count()).to.equal(0);
  });

  it('is used by the keyboard alone', async () => {
    const page = await open();
    await add(page).focus();
    await page.keyboard.press('Enter');
    await until(
      () => page.evaluate<boolean>(`document.activeElement.matches('[role=dialog] textarea')`),
      'it has the focus',
    );
    await page.keyboard.type('eve@example.com');
    await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).focus();
    await page.keyboard.press('Enter');
    await row(page, 'eve@example.com').getByRole('button', { name: 'Release' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Release' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No addresses are suppressed').waitFor();
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    await suppress([`${'long-name-'.repeat(6)}@${'long-name-'.repeat(6)}example.com`], 'soft_bounces');
    await suppress(['eve@example.com']);
    const page = await open();
    await rows(page).nth(2).waitFor();
    await expectSound(page, 'the list', LOOKS);
    await add(page).click();
    await dialog(page).getByLabel('Addresses').waitFor();
    await expectSound(page, 'suppressing', LOOKS);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await row(page, 'eve@example.com').getByRole('button', { name: 'Release' }).click();
    await dialog(page).waitFor();
    await expectSound(page, 'releasing', LOOKS);
  });
});
