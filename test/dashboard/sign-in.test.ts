import { expect } from 'chai';
import { signIn, useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

/** What the console says of the answers that these tests are about, and of what a tab asks for while another one signs out. */
const REFUSED = { allow: [/status of 40[13]/] };

describe('Signing in to the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('takes a key that is valid, and says of any other that it is not', async () => {
    const { key } = await service.newKey();
    const page = await dashboard.openSignedOut(`${service.url}/dashboard`, REFUSED);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    for (const [wrong, said] of [
      ['no key', 'This is not an API key.'],
      [`${key.slice(0, -1)}?`, 'This key is not valid.'],
    ] as const) {
      await page.getByLabel('API key').fill(wrong);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(said).waitFor();
    }
    await page.getByRole('button', { name: 'Use an e-mail address' }).click();
    await signIn(page, key);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await page.title()).to.equal('Home – Footfall');
  });

  it('keeps the key where no script can read it, for all tabs of the browser, until one of them signs out', async () => {
    const { key } = await service.newKey();
    const page = await dashboard.openAlone(service, key, '/settings/api-keys', REFUSED);
    await page.reload();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(page.url()).to.equal(`${service.url}/dashboard/settings/api-keys`);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.to.contain(key);
    const [cookie] = await page.context().cookies(`${service.url}/v1`);
    expect(cookie).to.include({ value: key, path: '/v1', httpOnly: true, sameSite: 'Strict', expires: -1 });

    const other = await page.context().newPage();
    await other.goto(`${service.url}/dashboard/events`);
    await other.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await until(async () => (await page.context().cookies(`${service.url}/v1`)).length === 0, 'the cookie is gone');
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('opens another tab by Ctrl-click, and shows the store of another key in all tabs when that signs in', async () => {
    const { key } = await service.newKey({ name: 'First till' });
    const page = await dashboard.openAlone(service, key, '/', REFUSED);
    await page.getByRole('banner').getByText('First till').waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Profiles' }).click({ modifiers: ['ControlOrMeta'] });
    const other = await opened;
    await other.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();

    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(other, (await service.newKey({ name: 'Second till' })).key);
    for (const tab of [page, other]) await tab.getByRole('banner').getByText('Second till').waitFor();
  });

  it('says which store and key they are, and marks the key in the list', async () => {
    const storeId = await service.newStore('Analytical Engines');
    const { key } = await service.newKey({ storeId, name: 'Owner' });
    await service.newKey({ storeId, name: 'Shop' });
    const page = await dashboard.open(service, key, '/settings/api-keys');
    const header = page.getByRole('banner');
    await header.getByText('Analytical Engines').waitFor();
    await header.getByText('Owner').waitFor();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Owner').getByText('this key').waitFor();
    expect(await row('Shop').getByText('this key').count()).to.equal(0);

    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Analytical Engines').waitFor();
  });

  it('shows what the scopes of the key permit, and names the one that is missing', async () => {
    const { key, storeId } = await service.newKey({ scopes: ['events:read'] });
    const writer = await service.client({ storeId });
    await writer.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const page = await dashboard.open(service, key, '/', REFUSED);
    await page.getByRole('table', { name: 'Events by type' }).waitFor();
    expect(await page.getByRole('region', { name: 'Revenue' }).count()).to.equal(0);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('Your key does not allow this').waitFor();

    const none = await service.newKey({ scopes: ['events:write'] });
    const other = await dashboard.open(service, none.key, '/events', REFUSED);
    await other.getByText('It needs the scope events:read.').first().waitFor();
  });

  it('ends, and says why, when the key is revoked', async () => {
    const { key, id } = await service.newKey();
    const page = await dashboard.openAlone(service, key, '/events', REFUSED);
    await page.getByText('Live', { exact: true }).waitFor();
    await service.keys.revoke(id);
    await page.getByText('Your session has ended').waitFor();
    expect(await page.content()).not.to.contain(key);
  });
});
