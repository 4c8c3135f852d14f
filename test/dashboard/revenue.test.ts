import { addresses, Campaigns } from '../campaigns/support/campaigns.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: what messages earn', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let campaignId: string;

  before(async () => {
    service = await TestService.start();
    const campaigns = await Campaigns.open(service);
    const { shop } = campaigns;
    ({ key } = await service.newKey({ storeId: shop.storeId, name: 'Owner' }));
    campaignId = await campaigns.draft(await campaigns.list(addresses(1)));
    await campaigns.schedule(campaignId);
    await campaigns.reaches(campaignId, 'sent');
    for (const [value, currency, refunded] of [
      [10.5, 'EUR', 0],
      [2, 'EUR', 1],
      [1_000, 'JPY', 0],
    ]) {
      await shop.query(`
        insert into attribution (store_id, event_id, profile_id, message_id, source_id, ordered_at, click_window_ms,
          is_placed, source, value, currency, refunded)
        select store_id, gen_random_uuid(), profile_id, id, source_id, now(), 1, true, 'campaign', ${value}, '${currency}',
          ${refunded}
        from message where source_id = '${campaignId}'`);
    }
  });
  after(() => service?.stop());

  it('is shown with a campaign, by currency and with the rule', async () => {
    const page = await dashboard.open(service, key, `/campaigns/${campaignId}`);
    const table = page.getByRole('table', { name: 'Revenue' });
    await table.getByRole('row', { name: /^EUR 2 €1\.00 €11\.50$/ }).waitFor();
    await table.getByRole('row', { name: /^JPY 1 ¥0 ¥1,000$/ }).waitFor();
    await page.getByText('whose link its customer followed in the 5 days before it.').waitFor();
  });

  it('is shown with messages, by what sent them', async () => {
    const page = await dashboard.open(service, key, '/messages');
    await page
      .getByRole('table', { name: 'Earned' })
      .getByRole('row', { name: 'Campaigns 3 €11.50, ¥1,000' })
      .waitFor();
  });

  it('cuts nothing, and has nothing for axe to complain of', async () => {
    const page = await dashboard.open(service, key, `/campaigns/${campaignId}`);
    await page.getByRole('table', { name: 'Revenue' }).waitFor();
    await expectSound(page, 'revenue', LOOKS);
  });
});
