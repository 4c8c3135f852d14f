import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import { startCertified } from '../support/certified-provider.ts';
import { useDashboard } from '../support/dashboard.ts';
import { REACHES_PROVIDERS } from '../support/identity-provider.ts';
import { invitationTo, PASSWORD } from '../support/people.ts';
import { TestService } from '../support/service.ts';

describe('The identity provider in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start(REACHES_PROVIDERS);
  });
  after(() => service?.stop());

  it('is set by an owner, signs a colleague in with the role of a group, and says what goes wrong', async () => {
    const storeId = await service.newStore('Löwe & Söhne');
    const account = { email: 'ben@example.com', name: 'Ben', groups: ['crm'] };
    const callback = `${service.url}/dashboard/sign-in/${storeId}/callback`;
    const provider = await startCertified(account, { secret: 'of the client', callback });
    const options = { allow: [/status of 40[14]/], origins: [provider.issuer] };
    const token = await invitationTo(service, storeId, 'owner');
    const page = await dashboard.openSignedOut(`${service.url}/dashboard/setup#${token}`, options);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel(/^Name/).fill('Ada');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('button', { name: 'Set up the identity provider' }).click();
    expect(await page.getByRole('region', { name: 'Callback address' }).textContent()).to.equal(callback);
    await page.getByLabel('Issuer').fill('https://localhost');
    await page.getByLabel('Client ID').fill('footfall');
    await page.getByLabel('Client secret').fill('of the client');
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByLabel('Group 1', { exact: true }).fill('crm');
    await page.getByLabel('Role of group 1').selectOption('marketer');
    await page.getByRole('switch', { name: 'Nobody signs in otherwise' }).check({ force: true });
    await page.getByLabel('Owner who keeps the password').selectOption({ label: 'Ada, ada@example.com' });
    await page.getByLabel('Issuer').fill(provider.issuer);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const address = await page.getByRole('region', { name: 'Sign-in address' }).textContent();
    expect(address).to.equal(`${service.url}/dashboard/sign-in/${storeId}`);
    expect(await page.getByLabel('Client secret').inputValue()).to.equal('');

    const other = await dashboard.openSignedOut(`${service.url}/dashboard/segments`, options);
    await other.getByRole('button', { name: 'Use the account of your company' }).click();
    await other.getByLabel('Store').fill('nothing of the kind');
    expect(await violationsInBothSchemes(other)).to.deep.equal([]);
    await other.getByRole('button', { name: 'Go on' }).click();
    await other.getByText('There is no store of this name').waitFor();
    await other.goto(`${service.url}/dashboard/segments`);
    await other.getByRole('button', { name: 'Use the account of your company' }).click();
    await other.getByLabel('Store').fill('Löwe & Söhne');
    await other.getByRole('button', { name: 'Go on' }).click();
    await other.getByRole('button', { name: 'It is me' }).click();
    await other.getByText('You are not in this store.').waitFor();
    // Led there by the provider's own page.
    await other.goto(provider.issuer);
    await other.evaluate(`location.assign("${service.url}/dashboard/sign-in/${storeId}")`);
    await other.getByText('Go on only if it is yours').waitFor();
    expect(await other.getByLabel('Store').inputValue()).to.equal('Löwe & Söhne');
    expect(await violationsInBothSchemes(other)).to.deep.equal([]);

    const link = await invitationTo(service, storeId, 'analyst', 'ben@example.com');
    await other.goto(`${service.url}/dashboard/invitation#${link}`);
    await other.getByRole('link', { name: 'Join with the account of your company' }).waitFor();
    expect(await other.getByLabel('Password').count()).to.equal(0);
    await other.goto(`${service.url}/dashboard/segments`);
    await other.getByRole('button', { name: 'Use the account of your company' }).click();
    await other.getByRole('button', { name: 'Go on' }).click();
    await other.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
    await other.getByRole('banner').getByText('Ben').waitFor();
    expect(other.url()).to.equal(`${service.url}/dashboard/segments`);
    await other.goto(`${service.url}/dashboard/settings/account`);
    await other.getByText('You are signed in with the account of your company').waitFor();
    expect(await other.getByRole('heading', { name: 'Password' }).count()).to.equal(0);
    expect(await violationsInBothSchemes(other)).to.deep.equal([]);

    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'ben@example.com' });
    await row.getByText('company account').waitFor();
    await row.getByText('marketer').waitFor();
    await page.getByRole('button', { name: 'Set up the identity provider' }).click();
    await page.getByRole('button', { name: 'Remove the identity provider' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Set up the identity provider' }).waitFor();
    await other.reload();
    await other.getByText('Your session has ended').waitFor();
    await provider.stop();
  });
});
