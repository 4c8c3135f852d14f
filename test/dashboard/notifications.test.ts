import { expect } from 'chai';
import { violationsInBothSchemes } from '../support/axe.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { PASSWORD, signedIn } from '../support/people.ts';
import { TestService } from '../support/service.ts';

describe('Notifications in the dashboard', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('are chosen by each, and have a sender that an owner chooses', async () => {
    const storeId = await service.newStore('Löwe');
    const { email } = await signedIn(service, storeId, 'owner', 'ada@example.com');
    const page = await dashboard.openSignedOut(`${service.url}/dashboard/settings/account`, {
      allow: [/status of 401/],
    });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('When something needs attention').check();
    await page.getByText('No sender is chosen for them').waitFor();
    await page.getByLabel('The report of the week').check();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    expect(await layoutFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save your choice' }).click();
    await page.getByText('Your choice is saved.').waitFor();

    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    // What is pointed at has less contrast.
    await page.mouse.move(700, 500);
    await page.getByText('Nobody is sent mails').waitFor();
    await page.getByRole('table', { name: 'Recipients' }).getByText(email).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('combobox', { name: 'Sender of the mails' }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByText('Nobody is sent mails').waitFor({ state: 'detached' });

    // What is told of a week that nobody was told of.
    await service.database.query(`
      update notification_settings set reported_week = reported_week - 7, check_at = now() where store_id = '${storeId}'`);
    await page.reload();
    const sent = page.getByRole('table', { name: 'Notifications' });
    await sent.getByText('Löwe: the week of').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    expect(await layoutFaults(page)).to.deep.equal([]);
  });
});
