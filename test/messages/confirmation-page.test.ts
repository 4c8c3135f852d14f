import { expectSound } from '../dashboard/support/looks.ts';
import { useBrowser } from '../support/browser.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

describe('The page to confirm a subscription, in a browser', () => {
  const browser = useBrowser();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('works by the keyboard alone, without a script, and cuts nothing at any width', async () => {
    const shop = await Shop.open(service);
    const customer = await shop.customer(ADA, 'none');
    const body = { name: 'News', public_name: 'long-name-'.repeat(9), opt_in: 'double' };
    const { id: list } = (await shop.client.post<any>('/v1/lists', body, { expect: 201 })).body;
    const data = {
      type: 'profile-subscription-bulk-create-job',
      attributes: { profiles: { data: [{ type: 'profile', attributes: { email: ADA } }] } },
      relationships: { list: { data: { type: 'list', id: list } } },
    };
    await shop.client.post('/compat/v1/api/profile-subscription-bulk-create-jobs', { data }, { expect: 202 });
    const { messages } = (await shop.client.get<any>(`/v1/profiles/${customer}/messages`, { expect: 200 })).body;
    await shop.ended(messages[0].id);
    const [, path] = /(\/m\/confirm\/[\w-]+)/.exec((await shop.content(messages[0].id)).html) ?? [];
    const page = await browser.open(`${service.url}${path}`, { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'Do you want to get news?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();

    await shop.query(`update list_confirmation set confirmed_at = null where list_id = '${list}'`);
    const again = await browser.open(`${service.url}${path}`);
    await again.getByRole('button', { name: 'Subscribe' }).waitFor();
    await expectSound(again, 'the question', [
      { width: 390, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'light' },
    ]);
  });
});
