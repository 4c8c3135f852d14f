import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import { useDashboard } from '../support/dashboard.ts';
import { invitationTo, PASSWORD } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const REFUSED = { allow: [/status of 40[0134]/] };

describe('People in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('join by the link of the first start, invite a colleague who joins too, change the role and remove', async () => {
    const storeId = await service.newStore('Löwe');
    const token = await invitationTo(service, storeId, 'owner');
    const page = await dashboard.openSignedOut(`${service.url}/dashboard/setup#${token}`, REFUSED);
    await page.getByRole('heading', { name: 'Join Löwe' }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel(/^Name/).fill('Ada');
    await page.getByLabel(/^Password/).fill('short');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('password must have at least 12 characters').waitFor();
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('banner').getByText('Ada').waitFor();
    expect(page.url()).not.to.contain(token);

    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByText('ada@example.com').waitFor();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ben@example.com');
    await page.getByLabel('analyst').check();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = (await page.getByRole('region', { name: 'Link of the invitation' }).textContent()) as string;
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).getByText('ben@example.com').waitFor();

    const other = await dashboard.openSignedOut(link, REFUSED);
    await other.getByText('You become an analyst of this store.').waitFor();
    await other.getByLabel(/^Name/).fill('Ben');
    await other.getByLabel(/^Password/).fill(PASSWORD);
    await other.getByRole('button', { name: 'Join' }).click();
    await other.getByRole('banner').getByText('Ben').waitFor();
    expect(await other.getByRole('link', { name: 'People', exact: true }).count()).to.equal(0);

    await page.reload();
    await page.getByRole('button', { name: 'Change the role of Ben' }).click();
    await page.getByLabel('support').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Ben' }).getByText('support').waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await other.reload();
    await other.getByText('Your session has ended').waitFor();
    await other.getByLabel('E-mail address').fill('ben@example.com');
    await other.getByLabel(/^Password/).fill('not the right one');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('The e-mail address or the password is not right').waitFor();
    await other.getByLabel(/^Password/).fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('banner').getByText('Ben').waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByRole('row').filter({ hasText: 'updatePerson' }).getByRole('button', { name: 'Ada' }).waitFor();
    await log.getByText('refused 401').waitFor();
    await page.getByLabel('Operation').fill('updatePerson');
    await log.getByText('refused 401').waitFor({ state: 'detached' });
    await log.getByText('role', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Audit log' }).hover();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.evaluate('delete window.showSaveFilePicker');
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect((await file).suggestedFilename()).to.equal('audit-log.csv');
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    const keySignIn = page.getByRole('switch', { name: 'People may sign in with an API key' });
    await keySignIn.click({ force: true });
    await until(async () => !(await keySignIn.isChecked()), 'it is switched off');
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    const [store] = await service.database.query(`select key_sign_in from store where id = '${storeId}'`);
    expect(store).to.deep.equal({ key_sign_in: false });
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Ben' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Ben can not sign in to this store any more.').waitFor();
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The last owner of a store stays').waitFor();
  });

  it('says of a link that it is not valid any more', async () => {
    const page = await dashboard.openSignedOut(`${service.url}/dashboard/invitation#nothing`, REFUSED);
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });

  it('are invited by nobody who may not, whatever the address says', async () => {
    const { key } = await service.newKey({ scopes: ['messages:read', 'messages:write'] });
    const page = await dashboard.open(service, key, '/settings/people#new', REFUSED);
    await page.getByText('settings:manage').first().waitFor();
    expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).to.equal(0);
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('see another of their stores where they choose it', async () => {
    const [first, second] = [await service.newStore('First shop'), await service.newStore('Second shop')];
    const page = await dashboard.openSignedOut(
      `${service.url}/dashboard/setup#${await invitationTo(service, first, 'owner')}`,
      REFUSED,
    );
    await page.getByLabel('E-mail address').fill('two@example.com');
    await page.getByLabel(/^Name/).fill('Two');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('banner').getByText('First shop').waitFor();
    await page.goto('about:blank');
    await page.goto(
      `${service.url}/dashboard/invitation#${await invitationTo(service, second, 'owner', 'two@example.com')}`,
    );
    await page.getByText('Give the password that you have from another store.').waitFor();
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    const store = page.getByRole('banner').getByLabel('Store');
    expect(await store.inputValue()).to.equal(second);
    await store.selectOption('First shop');
    const isFirst = async () => (await store.inputValue()) === first;
    await until(isFirst, 'the first is shown');
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.getByRole('heading', { name: 'Store', level: 1 }).waitFor();
  });
});
