import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { Shop } from '../messages/support/shop.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { dialog, select, visit } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', isOfColours: true },
  { width: 1280, colorScheme: 'light' },
];
const ADA = 'ada@example.com';

describe('The dashboard: Messages', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let shop: Shop;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    shop = await Shop.open(service);
    ({ key } = await service.newKey({ storeId: shop.storeId, name: 'Owner' }));
  });

  const open = (path = '/messages', options = {}) => dashboard.open(service, key, path, options);
  const messages = (page: Page) => page.getByRole('table', { name: 'Messages' }).getByRole('row');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const frame = (page: Page) => page.frameLocator('iframe[title="The HTML of the message"]');
  const become = (id: string, status: string, more = '') =>
    shop.query(`update message set status = '${status}', due_at = null${more} where id = '${id}'`);

  it('sends what a template says to a customer, and shows what the outbox has kept', async () => {
    await shop.customer(ADA);
    await shop.template();
    const page = await open();
    await page.getByText('No messages yet').waitFor();
    await press(page, 'Send a message');
    await select(page, 'Template', 'Delivered');
    await dialog(page).getByLabel('Which').fill(ADA);
    await dialog(page).getByLabel('Data as JSON').fill('{ "order": "<i>A-1</i>" }');
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Delivered', level: 1 }).waitFor();
    await page.getByText('The relay has taken it').waitFor();
    await frame(page).getByText('Your order <i>A-1</i>.').waitFor();
    await page.getByText('Hello Ada', { exact: true }).waitFor();
    await page.getByText('KB of HTML of the 102 KB that Gmail shows').waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('region', { name: 'Text of the message' }).getByText('Your order').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('region', { name: 'Headers' }).getByText('List-Unsubscribe').waitFor();
    await page.getByRole('link', { name: 'All messages' }).click();
    await messages(page).getByRole('link', { name: 'Delivered' }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'failed' }).click();
    await page.getByText('No messages match these filters').waitFor();
    await press(page, 'Clear');
    await messages(page).getByRole('link', { name: 'Delivered' }).waitFor();
  });

  it('says on the page of a customer why a message was not sent', async () => {
    const id = await shop.customer(ADA, 'none');
    await shop.ended(await shop.send(await shop.template(), ADA));
    const page = await open(`/profiles/${id}`);
    await messages(page).getByText('The customer has not subscribed to e-mail').waitFor();
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Send a message' }).click();
    expect(await dialog(page).getByLabel('Which').inputValue()).to.equal(ADA);
    await page.keyboard.press('Escape');
    await messages(page).getByRole('link', { name: 'Delivered' }).click();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('The customer has not subscribed to e-mail').waitFor();
    await timeline.getByText('Ask for their consent').waitFor();
  });

  it('says, of a customer who entered an automation, which e-mail they did not get, and why', async () => {
    const profile = await shop.customer(ADA, 'none');
    const definition = {
      name: 'Thanks',
      trigger: { type: 'event', event_type: 'paid' },
      start: 'thank',
      steps: [{ id: 'thank', type: 'send_email', template_id: await shop.template(), next: null }],
    };
    const { id } = (await shop.client.post<any>('/v1/automations', { definition }, { expect: 201 })).body;
    await shop.client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 200 });
    await shop.client.post('/v1/events', { event_type: 'paid', profile: { email: ADA } }, { expect: 201 });
    await until(async () => {
      const path = `/v1/automations/${id}/explanation?profile_id=${profile}`;
      const [candidate] = (await shop.client.get<any>(path, { expect: 200 })).body.candidates;
      return candidate?.unsent_messages[0]?.status === 'skipped';
    }, 'the message is skipped');
    const page = await open(`/profiles/${profile}`);
    await press(page, 'Why not?');
    await dialog(page).getByRole('combobox', { name: 'Automation' }).click();
    await page.getByRole('option', { name: 'Thanks' }).click();
    const occasion = page.getByRole('list', { name: 'Occasions to enter' }).getByRole('listitem').first();
    await occasion.getByText('The customer has not subscribed to e-mail').waitFor();
    await occasion.getByRole('link', { name: 'The run' }).click();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Ask for their consent').waitFor();
    await timeline.getByRole('link', { name: 'The message' }).click();
    await page.getByRole('heading', { name: 'Delivered', level: 1 }).waitFor();
  });

  it('cancels a message that waits, by the keyboard alone', async () => {
    await shop.customer(ADA);
    const id = await shop.send(await shop.template(), ADA, { send_at: '2035-01-01T08:00:00.000Z' });
    const page = await open(`/messages/${id}`);
    const enter = async (name: string, within: Pick<Page, 'getByRole'> = page) => {
      await within.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await enter('Cancel');
    await enter('Cancel the message', dialog(page));
    await page.getByText('Somebody has cancelled it.').waitFor();
    expect((await shop.message(id)).status).to.equal('cancelled');
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).to.equal(0);
  });

  it('explains a message of which nobody knows whether it was sent, and has somebody decide', async () => {
    await shop.customer(ADA);
    const template = await shop.template({ class: 'transactional' });
    const [first, second] = [await shop.send(template, ADA), await shop.send(template, ADA)];
    for (const id of [first, second]) {
      await shop.ended(id);
      await become(id, 'unknown', ", reason = 'undecided'");
    }
    const page = await open(`/messages/${first}`);
    await page.getByText('Resolve it: send it again, which the customer may get twice, or leave it.').waitFor();
    await press(page, 'Leave it');
    await page.getByText('The message counts as sent.').waitFor();
    expect((await shop.message(first)).status).to.equal('sent');
    await visit(page, `/messages/${second}`, 'Resolve it: send it again');
    await press(page, 'Send it again');
    await page.getByText('The message is sent once more.').waitFor();
    expect((await shop.ended(second)).status).to.equal('sent');
  });

  it('shows the content to those alone who may see what is in it, and nothing to others', async () => {
    await shop.customer(ADA);
    const id = await shop.send(await shop.template(), ADA);
    await shop.ended(id);
    const as = async (...scopes: Scope[]) => (await service.newKey({ storeId: shop.storeId, scopes })).key;
    const reader = await dashboard.open(service, await as('messages:read', 'profiles:read'), `/messages/${id}`);
    await reader.getByText('The relay has taken it').waitFor();
    expect(await reader.locator('iframe').count()).to.equal(0);
    expect(await reader.getByRole('link', { name: 'Senders' }).count()).to.equal(1);
    const blind = await dashboard.open(service, await as('profiles:read'), '/profiles');
    await blind.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
    expect(await blind.getByRole('link', { name: 'Messages' }).count()).to.equal(0);
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    const email = `${'long-name-'.repeat(6)}@example.com`;
    const customer = await shop.customer(email);
    const template = await shop.template({ name: 'long-name-'.repeat(9), class: 'transactional' });
    const [first, second] = [await shop.send(template, email), await shop.send(template, email)];
    await shop.ended(first);
    await shop.ended(second);
    await become(second, 'unknown', ", reason = 'undecided'");
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    await messages(page).nth(2).waitFor();
    await check('the list');
    await press(page, 'Send a message');
    await dialog(page).getByLabel('Which').waitFor();
    await check('sending');
    await page.keyboard.press('Escape');
    await visit(page, `/messages/${first}`, 'bytes in all');
    await check('a message');
    await visit(page, `/messages/${second}`, 'Resolve it: send it again');
    await check('an unknown one');
    await visit(page, `/profiles/${customer}`, 'nobody knows whether it was sent');
    await check('a customer');
  });
});
