import { expect } from 'chai';
import { signIn, useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';

/** What the console says of the answers that these tests are about. */
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
    for (const [wrong, said] of [
      ['no key', 'This is not an API key.'],
      [`${key.slice(0, -1)}?`, 'This key is not valid.'],
    ] as const) {
      await page.getByLabel('API key').fill(wrong);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(said).waitFor();
    }
    await signIn(page, key);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await page.title()).to.equal('Overview – Footfall');
  });

  it('keeps the key for this tab alone, out of addresses, cookies and what other tabs see', async () => {
    const { key } = await service.newKey();
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await page.reload();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(page.url()).to.equal(`${service.url}/dashboard/settings/api-keys`);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.contain(key);
    expect(await page.context().cookies()).to.deep.equal([]);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.to.contain(key);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('shows what the scopes of the key permit, and names the one that is missing', async () => {
    const { key, storeId } = await service.newKey({ scopes: ['events:read'] });
    const writer = await service.client({ storeId });
    await writer.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const page = await dashboard.open(service, key, '/', REFUSED);
    await page.getByRole('table', { name: 'Events by type' }).waitFor();
    const limits = page.getByRole('region', { name: 'Rate limits' });
    await limits.getByText('It needs the scope keys:manage.').waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('Your key does not permit this').waitFor();

    const none = await service.newKey({ scopes: ['events:write'] });
    const other = await dashboard.open(service, none.key, '/events', REFUSED);
    await other.getByText('It needs the scope events:read.').first().waitFor();
  });

  it('ends, and says why, when the key is revoked', async () => {
    const { key, id } = await service.newKey();
    const page = await dashboard.open(service, key, '/events', REFUSED);
    await page.getByText('Live', { exact: true }).waitFor();
    await service.keys.revoke(id);
    await page.getByText('Your key is no longer valid').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.to.contain(key);
  });
});
