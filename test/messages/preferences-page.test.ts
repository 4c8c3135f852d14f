import { expect } from 'chai';
import { expectSound } from '../dashboard/support/looks.ts';
import { useBrowser } from '../support/browser.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

describe('The page of preferences, in a browser', () => {
  const browser = useBrowser();
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let url: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    for (const name of ['Sales', 'long-name-'.repeat(9)]) await shop.client.post('/v1/lists', { name, topic: true });
    const body =
      '<p><a href="{{ unsubscribe_url }}">Unsubscribe</a> <a href="{{ preferences_url }}">Preferences</a></p>';
    const translations = { de: { subject: 'Hallo' } };
    const id = await shop.send(await shop.template({ body, translations }), ADA);
    await shop.ended(id);
    const [, path] = /(\/m\/p\/[\w-]+)/.exec((await shop.content(id)).html) ?? [];
    url = `${service.url}${path}`;
  });

  it('works by the keyboard alone, without a script', async () => {
    const page = await browser.open(url, { javaScriptEnabled: false });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab', 'Space', 'Tab', 'Tab', 'Space', 'Tab', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Tab', 'Enter');
    await page.getByRole('heading', { name: 'Your preferences are saved' }).waitFor();
    expect(await page.getByLabel('News by e-mail').isChecked()).to.equal(false);
    expect(await page.getByLabel('Sales').isChecked()).to.equal(true);
    const { body } = await shop.client.get<any>(`/v1/profiles/${customer}`, { expect: 200 });
    expect(body.consent.email.status).to.equal('unsubscribed');
    await page.getByRole('button', { name: 'Unsubscribe from all' }).focus();
    await press('Enter');
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await page.getByRole('link', { name: 'Choose again what you get.' }).click();
    expect(await page.getByLabel('Sales').isChecked()).to.equal(false);
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    await shop.client.post('/v1/suppressed-addresses', { addresses: [ADA] }, { expect: 200 });
    const page = await browser.open(url);
    await page.getByText('Nothing is sent to your e-mail address').waitFor();
    await expectSound(page, 'the form', [
      { width: 390, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'light' },
    ]);
  });
});
