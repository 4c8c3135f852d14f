import { expect } from 'chai';
import { bytesOf, codeOf, stepAt } from '../../src/domain/people/totp.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { Browser, invitationTo, PASSWORD, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const REFUSED = { allow: [/status of 40[0134]/] };
const FROM_DASHBOARD = { headers: { 'X-Requested-With': 'footfall-dashboard' } };
const NEXT = 'another way to the sea';

describe('Your account in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('sets up the second factor that the store asks for, signs in with it, and helps a colleague', async () => {
    const storeId = await service.newStore('Löwe');
    const ben = await signedIn(service, storeId, 'analyst', 'ben@example.com');
    const link = `${service.url}/dashboard/setup#${await invitationTo(service, storeId, 'owner', 'ada@example.com')}`;
    const page = await dashboard.openSignedOut(link, REFUSED);
    await page.getByLabel(/^Name/).fill('Ada');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('banner').getByText('Ada').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await service.database.query(`update store set requires_second_factor = true where id = '${storeId}'`);
    // Sessions are read anew after a second.
    await until(async () => {
      const session = await page.context().request.get(`${service.url}/v1/session`, FROM_DASHBOARD);
      return (await session.json()).lacks_second_factor;
    }, 'the store asks for it');
    await page.reload();
    await page.getByText('Löwe asks for one of everybody.').waitFor();
    expect(page.url()).to.contain('/settings/account');
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    expect(await layoutFaults(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Set it up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    const key = await dialog.getByRole('region', { name: 'Key for the authenticator app' }).textContent();
    const secret = bytesOf((key as string).replaceAll(' ', ''));
    const codeIn = (steps: number) => codeOf(secret, stepAt(Date.now()) + steps);
    await dialog.getByLabel(/^Code/).fill(codeIn(9));
    await page.keyboard.press('Enter');
    await dialog.getByText('code is not right, or was used already').waitFor();
    await dialog.getByLabel(/^Code/).fill(codeIn(0));
    await page.keyboard.press('Enter');
    const codes = await dialog.getByRole('region', { name: 'Recovery codes' }).textContent();
    expect(codes?.split('\n')).to.have.length(10);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();
    await page.getByText('Löwe asks for one of everybody.').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Code/).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    // The keyboard is in the field already.
    await page.keyboard.type(codes?.split('\n')[0] as string);
    await page.keyboard.press('Enter');
    await page.getByText('9 recovery codes are left.').waitFor();

    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Ada' }).getByText('second factor').waitFor();
    expect(await page.getByLabel('Everybody needs a second factor').isChecked()).to.equal(true);
    await page.getByRole('button', { name: 'Help Somebody in analyst to sign in' }).click();
    await page.getByRole('button', { name: 'Make a link for a new password' }).click();
    const reset = await page.getByRole('region', { name: 'Link for a new password' }).textContent();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);

    const other = await dashboard.openSignedOut(reset as string, REFUSED);
    await other.getByLabel(/^New password/).fill('short');
    await other.keyboard.press('Enter');
    await other.getByText('password must have at least 12 characters').waitFor();
    expect(await violationsInBothSchemes(other)).to.deep.equal([]);
    await other.getByLabel(/^New password/).fill(NEXT);
    await other.keyboard.press('Enter');
    await other.getByText('Your password is changed. Sign in with it.').waitFor();
    expect((await ben.signIn('ben@example.com', NEXT)).status).to.equal(204);
  });

  it('changes the name and the password, and signs out elsewhere', async () => {
    const storeId = await service.newStore('Other');
    const elsewhere = await signedIn(service, storeId, 'support', 'cleo@example.com');
    const page = await dashboard.openSignedOut(`${service.url}/dashboard/settings/account`, REFUSED);
    await page.getByLabel('E-mail address').fill('cleo@example.com');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cleo');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('banner').getByText('Cleo').waitFor();
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByText('this one').waitFor();
    expect(await sessions.getByRole('row').count()).to.equal(3);
    await sessions.getByRole('button', { name: /^Sign out A browser/ }).click();
    await sessions.getByRole('button').waitFor({ state: 'detached' });
    expect((await elsewhere.send('GET', '/dashboard/account')).status).to.equal(401);
    await page.getByLabel(/^Present password/).fill('not the right one');
    await page.getByLabel(/^New password/).fill(NEXT);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('current_password is not right').waitFor();
    await page.getByLabel(/^Present password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('You are signed out everywhere else.').waitFor();
    expect((await new Browser(service.url).signIn('cleo@example.com', NEXT)).status).to.equal(204);
  });
});
