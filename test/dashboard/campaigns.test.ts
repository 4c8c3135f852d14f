import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { addresses, Campaigns } from '../campaigns/support/campaigns.ts';
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

describe('The dashboard: Campaigns', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let campaigns: Campaigns;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    ({ key } = await service.newKey({ storeId: campaigns.shop.storeId, name: 'Owner' }));
  });

  const open = (path = '/campaigns', options = {}) => dashboard.open(service, key, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('writes a campaign in four steps, checks and sends it, and shows its results', async () => {
    const everybody = addresses(3);
    await campaigns.list(everybody);
    await campaigns.shop.customer(everybody[0] as string, 'unsubscribed');
    await campaigns.shop.template();
    const page = await open();
    await page.getByText('No campaigns yet').waitFor();
    await press(page, 'Create a campaign');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('We have moved');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
    await choose(page, 'Template', 'Delivered');
    await press(page, 'Next');
    await choose(page, 'Sent to', 'Regulars');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.getByText('2 of 3 customers would be sent it now.').waitFor();
    await page.getByText('Have unsubscribed: 1').waitFor();
    await press(page, 'Next');
    await page.getByRole('combobox', { name: 'When it begins' }).waitFor();
    await press(page, 'Next');
    await press(page, 'Check');
    await page.getByText('Messages that were made to see whether they can be: 2.').waitFor();
    await press(page, 'Send now…');
    await dialog(page).getByText('Recipients, about: 2.').waitFor();
    await dialog(page).getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Nothing is left to do.').waitFor();
    const results = page.getByRole('table', { name: 'Results' });
    await results.getByRole('row', { name: /^Recipients 3/ }).waitFor();
    await results.getByRole('row', { name: /^Handed over 2/ }).waitFor();
    await page.getByRole('group', { name: 'Skipped' }).getByText('Have unsubscribed: 1').waitFor();
    const { campaigns: all } = (await campaigns.shop.client.get<any>('/v1/campaigns', { expect: 200 })).body;
    expect(await campaigns.counts(all[0].id)).to.deep.equal({ sent: 2, 'skipped: unsubscribed': 1 });
  });

  it('has times by the clock of each recipient, and sends again to those who did not get it', async () => {
    const list = await campaigns.list(addresses(2));
    await campaigns.shop.customer(addresses(2)[0] as string, 'unsubscribed');
    const id = await campaigns.draft(list);
    const page = await open(`/campaigns/${id}`);
    await press(page, '3. Schedule');
    await choose(page, 'When it begins', 'At a time by the clock of each recipient');
    await page.getByLabel('Local time').fill('2035-01-01T09:00');
    await page.getByRole('textbox', { name: 'Spread over' }).fill('2');
    await choose(page, 'Spread over: unit', 'hours');
    await choose(page, 'Hours', 'Messages wait for these hours');
    await page.getByRole('checkbox', { name: 'Sunday' }).click();
    await page.getByLabel('Time zone of everybody else').fill('Europe/Berlin');
    await press(page, 'Next');
    await press(page, 'Check');
    await page.getByText('From its beginning to its last message').waitFor();
    await press(page, 'Schedule…');
    await dialog(page).getByText('It goes at 2035-01-01 09:00 by the clock of each.').waitFor();
    await dialog(page).getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('It waits for its time.').waitFor();
    const { timing, scheduled_at: at } = await campaigns.get(id);
    expect([at, timing.local_time]).to.deep.equal(['2034-12-31T19:00:00.000Z', '2035-01-01T09:00']);
    expect(timing.time_zone).to.deep.equal({ attribute: 'time_zone', default: 'Europe/Berlin' });
    expect(timing.hours.weekdays).to.deep.equal(['mon', 'tue', 'wed', 'thu', 'fri', 'sat']);
    const sent = await campaigns.draft(list);
    await campaigns.schedule(sent);
    await campaigns.reaches(sent, 'sent');
    await page.goto(`${new URL(page.url()).origin}/dashboard/campaigns/${sent}`);
    await press(page, 'Send again to…');
    await page.getByRole('menuitem', { name: 'Who was skipped' }).click();
    await page.getByRole('heading', { name: 'We have moved (skipped)' }).waitFor();
    await press(page, '2. Audience');
    await page.getByText('0 of 1 customers would be sent it now.').waitFor();
  });

  it('shows what became of its links, of domains, and of whoever was held out', async () => {
    const template_id = await campaigns.shop.template({
      body: '<p><a href="https://shop.example/sale?a=1&amp;b=2">Sale</a> <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
    });
    const id = await campaigns.draft(await campaigns.list(addresses(4)), { template_id, hold_out_percent: 50 });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    await campaigns.shop.query(`
      insert into campaign_link (store_id, campaign_id, template_id, link, clicks, machine_clicks, url)
      values ('${campaigns.shop.storeId}', '${id}', '${template_id}', 1, 1234, 5, 'https://shop.example/sale')`);
    await campaigns.shop.query(`
      update message set status = 'sent', reason = null, address = 'ada@mail.example' where source_id = '${id}' and id in (
        select id from message where source_id = '${id}' order by id limit 1)`);
    const page = await open(`/campaigns/${id}`);
    await page
      .getByRole('table', { name: 'Held out and others' })
      .getByRole('row', { name: /^All others/ })
      .waitFor();
    await page.getByText('There is nobody to compare with.').or(page.getByText('too few to tell them apart')).waitFor();
    const domains = page.getByRole('table', { name: 'Domains' });
    await domains.getByRole('row', { name: /^mail.example 1/ }).waitFor();
    const links = page.getByRole('table', { name: 'Links' });
    await links.getByRole('row', { name: /sale 1,234 5$/ }).waitFor();
    await press(page, 'Show them in the message');
    const message = page.frameLocator('iframe[title="The message with the clicks of its links"]');
    await message.getByText('1,234').waitFor();
    expect(await message.locator('body').innerText()).to.match(/Sale\s*1,234\s*Unsubscribe/);
    await expectSound(page, 'the results', LOOKS);
  });

  it('says how much more whoever was not held out brought, and that text messages wait for the day', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(4)), { hold_out_percent: 50 });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    const stats = await campaigns.stats(id);
    const of = { amount_per_recipient: '0.42', low: '0.1', high: '0.744' };
    const revenue_differences = [
      { ...of, currency: 'EUR', is_clear: true },
      { ...of, currency: 'USD', amount_per_recipient: '-0.2', low: '-0.5', is_clear: false },
      { currency: null, amount_per_recipient: '3', low: null, high: null, is_clear: false },
    ];
    const json = { ...stats, hold_out: { ...stats.hold_out, revenue_differences } };
    const page = await open();
    await page.route('**/stats', (route) => route.fulfill({ json }));
    await page.goto(`${service.url}/dashboard/campaigns/${id}`);
    for (const words of [
      'Each of the others brought €0.42 more, with a confidence of 95 % between €0.10 and €0.74.',
      'Each of the others brought $0.20 less, with a confidence of 95 % between -$0.50 and $0.74: it may well be chance.',
      'Each of the others brought 3 more: too few have ordered to tell that from chance.',
    ]) {
      await page.getByText(words, { exact: true }).waitFor();
    }
    await expectSound(page, 'the difference', LOOKS);
    const texts = (await campaigns.shop.client.post<any>('/v1/campaigns', { name: 'Sale', channel: 'sms' })).body;
    await page.goto(`${service.url}/dashboard/campaigns/${texts.id}`);
    await press(page, '3. Schedule');
    const hours = page.getByRole('combobox', { name: 'Hours', exact: true });
    expect(await hours.inputValue()).to.equal('Any, but marketing waits from 21:00 to 08:00');
    await expectSound(page, 'the hours of text messages', LOOKS);
  });

  it('has the number of many recipients typed', async () => {
    const list = await campaigns.list(addresses(1));
    const id = await campaigns.draft(list);
    const page = await open(`/campaigns/${id}`);
    const many = {
      audience_count: 12_000,
      included_count: 12_000,
      excluded: [],
      evaluated_count: 12_000,
      is_exact: true,
    };
    const check = {
      ...{ is_ready: true, problems: [], rendered_count: 200, estimate: many, sending_seconds: 24 },
      segments_per_message: { average: 1.25, most: 3 },
    };
    await page.route('**/check', (route) => route.fulfill({ json: check }), { times: 1 });
    await press(page, '4. Check and send');
    await press(page, 'Check');
    await page.getByText('12,000 of 12,000 customers').waitFor();
    await page.getByText('1.25 segments on average, the longest 3, and all together about 15,000.').waitFor();
    await press(page, 'Send now…');
    const send = dialog(page).getByRole('button', { name: 'Send now' });
    expect(await send.isDisabled()).to.equal(true);
    await dialog(page).getByLabel('Type the number').fill('12,000');
    expect(await send.isDisabled()).to.equal(false);
  });

  it('says what keeps a campaign from being sent', async () => {
    const page = await open();
    await press(page, 'Create a campaign');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Nothing');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
    await press(page, '4. Check and send');
    await page.getByRole('heading', { name: 'Step 4 of 4: Check and send' }).waitFor();
    await press(page, 'Check');
    await page.getByRole('list', { name: 'Problems' }).getByText('template_id must be chosen before').waitFor();
    expect(await page.getByRole('button', { name: 'Send now…' }).isDisabled()).to.equal(true);
  });

  it('takes a scheduled one back, cancels one, and decides about what is unknown', async () => {
    const list = await campaigns.list(addresses(1));
    const id = await campaigns.draft(list);
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    const page = await open(`/campaigns/${id}`);
    await page.getByText('It waits for its time.').waitFor();
    await press(page, 'Take back');
    await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    await campaigns.shop.query(`update message set status = 'unknown', reason = 'undecided' where source_id = '${id}'`);
    await page.getByText('Messages of which nobody knows whether they were sent: 1').waitFor();
    await press(page, 'Leave them');
    await page.getByText('Messages: 1').waitFor();
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 1 });
    const other = await campaigns.draft(list);
    await campaigns.schedule(other, '2035-01-01T08:00:00Z');
    const second = await open(`/campaigns/${other}`);
    await press(second, 'Cancel');
    await dialog(second).getByRole('button', { name: 'Cancel the campaign' }).click();
    await second.getByText('It is over; what had not begun was not sent.').waitFor();
  });

  it('goes on by itself once the service answers again', async () => {
    await campaigns.draft(await campaigns.list());
    const page = await dashboard.openAlone(service, key, '/campaigns', { allow: [/503/] });
    const campaign = page.getByRole('link', { name: 'We have moved' });
    await campaign.waitFor();
    await page.clock.install();
    const json = { error: { code: 'service_unavailable', message: 'No database.', field: null, request_id: 'r' } };
    await page.route(/\/v1\/campaigns(\?|$)/, (route) => route.fulfill({ status: 503, json }));
    const isRed = page.getByRole('alert').getByText('No database.');
    await until(() => page.clock.runFor(1_000).then(() => isRed.isVisible()), 'the page says what is wrong');
    await campaigns.draft(await campaigns.list(), { name: 'Sale' });
    await page.unrouteAll();
    await page.clock.runFor(20_000);
    await page.getByRole('link', { name: 'Sale' }).waitFor();
    expect(await isRed.isVisible()).to.equal(false);
  });

  it('can be read without the scope to write, by which nothing can be changed', async () => {
    await campaigns.draft(await campaigns.list());
    const scopes: Scope[] = ['messages:read'];
    const { key: reading } = await service.newKey({ storeId: campaigns.shop.storeId, scopes });
    const page = await dashboard.open(service, reading, '/campaigns');
    await page.getByRole('link', { name: 'We have moved' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create a campaign' }).count()).to.equal(0);
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(2)), { name: 'long-name-'.repeat(10) });
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    const link = page.getByRole('link', { name: 'long-name' });
    await link.waitFor();
    await check('the list');
    await link.click();
    await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
    await check('the content');
    await press(page, '2. Audience');
    await page.getByText('2 of 2 customers').waitFor();
    await check('the audience');
    await press(page, '4. Check and send');
    await press(page, 'Check');
    await page.getByText('whether they can be: 2.').waitFor();
    await check('the check');
    await campaigns.schedule(id);
    await page.getByText('Nothing is left to do.').waitFor();
    await page.getByRole('table', { name: 'Messages' }).waitFor();
    await check('the results');
  });
});
