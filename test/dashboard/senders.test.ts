import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { ACCOUNT, Shop, TOKEN } from '../messages/support/shop.ts';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
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

describe('The dashboard: Senders', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let shop: Shop;
  let key: string;
  let relay: ScriptedServer;

  before(async () => {
    service = await TestService.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  });
  after(() => service?.stop());
  beforeEach(async () => {
    shop = await Shop.open(service);
    ({ key } = await service.newKey({ storeId: shop.storeId, name: 'Owner' }));
    relay = await ScriptedServer.start();
  });
  afterEach(() => relay[Symbol.asyncDispose]());

  const open = (path = '/senders', options = {}) => dashboard.open(service, key, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const senders = (page: Page) => page.getByRole('table', { name: 'Senders' }).getByRole('row');
  const sender = async (id: string) => (await shop.client.get<any>(`/v1/senders/${id}`, { expect: 200 })).body;
  const all = async () => (await shop.client.get<any>('/v1/senders', { expect: 200 })).body.senders;

  it('creates a sender, says at its field what is wrong, and keeps the password when it is changed', async () => {
    const page = await open('/senders', { allow: [/status of 400/] });
    await senders(page).getByRole('link', { name: 'Outbox' }).waitFor();
    await press(page, 'Create a sender');
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Relay');
    await dialog(page).getByLabel('From, the address').fill('hello@shop.example, other@shop.example');
    await dialog(page).getByRole('textbox', { name: 'Server', exact: true }).fill('127.0.0.1');
    await dialog(page).getByLabel('Port').fill(String(relay.port));
    await dialog(page).getByLabel('User').fill('shop');
    await dialog(page).getByRole('textbox', { name: 'Password' }).fill('a password');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await dialog(page).getByText('from_email must').waitFor();
    await dialog(page).getByLabel('From, the address').fill('hello@shop.example');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Relay', level: 1 }).waitFor();
    await page.getByText(`127.0.0.1:${relay.port}, STARTTLS, as shop`).waitFor();

    await press(page, 'Edit');
    await dialog(page).getByLabel('Messages in a second').fill('14');
    await dialog(page).getByLabel('Messages in a day').fill('20000');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('14 in a second, 20,000 in a day, 4 at a time').waitFor();
    const [newest] = await all();
    expect(newest).to.include({ name: 'Relay', max_per_second: 14, max_per_day: 20_000 });
    expect(newest.settings).to.include({ user: 'shop', password_set: true });
    expect(JSON.stringify(newest)).not.to.include('a password');
  });

  it('creates one that sends by Twilio, and warms up', async () => {
    const page = await open();
    await press(page, 'Create a sender');
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Texts');
    await dialog(page).getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Text messages, by Twilio' }).click();
    await dialog(page).getByLabel('Account SID').fill(ACCOUNT);
    await dialog(page).getByRole('textbox', { name: 'Auth token' }).fill(TOKEN);
    await dialog(page).getByLabel('From', { exact: true }).fill('+15005550006');
    await dialog(page).getByLabel('Warm up').check();
    await dialog(page).getByLabel('Warm with as many in a day').fill('400');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByText('From 50 to 400 in a day: 50 today, and warm after 3 days on which it sends').waitFor();
    await page.getByText('0 of 50 sent, 50 left', { exact: true }).waitFor();
    await page.getByText(ACCOUNT).waitFor();
    await expectSound(page, 'a sender by Twilio', LOOKS);
    await press(page, 'Edit');
    await dialog(page).getByLabel('Warm up').uncheck();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await until(async () => (await all())[0].warm_up === null, 'it warms up no more');
    expect((await all())[0].settings).to.include({ account_sid: ACCOUNT, from: '+15005550006' });
  });

  it('checks a sender and names what to mend first, tests it, and deletes it', async () => {
    const id = await shop.relay(relay.port);
    await shop.query(`update sender set checks = '[]', checked_at = null where id = '${id}'`);
    const page = await open(`/senders/${id}`);
    await page.getByText('It sends nothing before.').waitFor();
    await press(page, 'Check');
    const first = page.getByRole('status').filter({ hasText: 'Mend this first' });
    await first.getByText('The service has a public address').waitFor();
    const checks = page.getByRole('list', { name: 'Checks' });
    await checks.getByText('The domain says who may send for it (SPF)').waitFor();
    expect((await sender(id)).first_failing).to.equal('public_url');

    await press(page, 'Test');
    await dialog(page).getByLabel('To').fill('me@shop.example');
    await dialog(page).getByRole('button', { name: 'Send a test' }).click();
    await dialog(page).getByText('The server has taken it').waitFor();
    expect(relay.messages).to.have.length(1);
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await press(page, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is sent by “Relay” any more.').waitFor();
    await senders(page).getByRole('link', { name: 'Outbox' }).waitFor();
    expect(await senders(page).getByRole('link', { name: 'Relay' }).count()).to.equal(0);
    await page.getByLabel('Deleted, too').click();
    await senders(page).getByRole('link', { name: 'Relay' }).waitFor();
  });

  it('changes what the store says of all its messages', async () => {
    await shop.relay(relay.port);
    const page = await open();
    await page.getByLabel('Postal address').fill('Café Löwe, Marktplatz 1');
    await page.getByRole('combobox', { name: 'Default sender', exact: true }).click();
    await page.getByRole('option', { name: 'Relay' }).click();
    await page.getByLabel('Limit the marketing that a customer gets').check();
    await page.getByLabel('Messages, at most').fill('2');
    await page.getByLabel('Leave time between two of them').uncheck();
    await page.getByLabel('Count who opens messages').uncheck();
    await page.getByRole('combobox', { name: 'Events that are orders' }).fill('booked');
    await page.keyboard.press('Enter');
    await page.getByLabel('Credit an order to a click for', { exact: true }).fill('7');
    await page.getByLabel('Credit an order to an open, too').check();
    await press(page, 'Save');
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await shop.client.get<any>('/v1/message-settings', { expect: 200 });
    expect(body).to.deep.include({
      postal_address: 'Café Löwe, Marktplatz 1',
      caps: { most: 2, within: 'P7D' },
      smart_sending: null,
      tracking: { opens: false, clicks: true, transactional: false, sent: false, delivered: false },
      attribution: {
        conversion_types: ['placed_order', 'booked'],
        refund_types: ['refunded_order'],
        click_window: 'P7D',
        open_window: 'P1D',
      },
    });
    expect((await sender(body.default_sender_id)).name).to.equal('Relay');
  });

  it('is told what comes back, by a provider that is named there', async () => {
    const page = await open();
    await senders(page).getByRole('link', { name: 'Outbox' }).click();
    await page.getByText(/\/m\/hooks\/[\w-]+\/events$/).waitFor();
    await page.getByRole('combobox', { name: 'Who tells it' }).click();
    await page.getByRole('option', { name: 'Mailgun' }).click();
    await page.getByLabel('Webhook signing key').fill('key-0123456789abcdef');
    await page.getByLabel('Secret of your choice').fill('a-secret-of-24-characters');
    await press(page, 'Save');
    await page.getByText('It is saved.').waitFor();
    const { body } = await shop.client.get<any>('/v1/senders', { expect: 200 });
    const feedback = (await shop.client.get<any>(`/v1/senders/${body.senders[0].id}/feedback`, { expect: 200 })).body;
    expect(feedback).to.include({ provider: 'mailgun', secret_set: true, key_set: true });
  });

  it('can be read without the scope to send, by which nothing can be changed', async () => {
    const scopes: Scope[] = ['messages:read'];
    const { key: reading } = await service.newKey({ storeId: shop.storeId, scopes });
    const page = await dashboard.open(service, reading, '/senders');
    await page.getByLabel('Postal address').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Create a sender' }).count()).to.equal(0);
    await senders(page).getByRole('link', { name: 'Outbox' }).click();
    await page.getByText('Outbox: keeps messages, and sends nothing').waitFor();
    expect(await page.getByRole('button', { name: 'Check' }).count()).to.equal(0);
  });

  it('is used by the keyboard alone, from a new sender to its deletion', async () => {
    const page = await open();
    const enter = async (name: string, within: Pick<Page, 'getByRole'> = page) => {
      await within.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await enter('Create a sender');
    const inField = `document.activeElement.matches('[role=dialog] input')`;
    await until(() => page.evaluate<boolean>(inField), 'the focus is in a field');
    await page.keyboard.type('Relay');
    await page.keyboard.press('Tab');
    const inKind = `document.activeElement.labels?.[0]?.textContent === 'Kind'`;
    expect(await page.evaluate(inKind)).to.equal(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('hello@shop.example');
    await dialog(page).getByRole('textbox', { name: 'Server', exact: true }).focus();
    await page.keyboard.type('relay.shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Relay', level: 1 }).waitFor();
    await enter('Delete');
    await dialog(page).waitFor();
    await enter('Delete', dialog(page));
    await page.getByText('Nothing is sent by “Relay” any more.').waitFor();
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    const id = await shop.relay(relay.port, { name: 'long-name-'.repeat(9), from_name: 'long-name-'.repeat(9) });
    await shop.client.post(`/v1/senders/${id}/check`, {}, { expect: 200 });
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    await senders(page).nth(2).waitFor();
    await page.getByLabel('Postal address').waitFor();
    await check('the list');
    await press(page, 'Create a sender');
    await dialog(page).getByRole('textbox', { name: 'Server', exact: true }).waitFor();
    await check('the form');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await senders(page).getByRole('link', { name: 'long-name' }).click();
    await page.getByText('Mend this first').waitFor();
    await check('a sender');
    await press(page, 'Test');
    await dialog(page).getByLabel('To').waitFor();
    await check('testing');
  });
});
