import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { Scope } from '../../src/domain/caller.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from '../webhooks/support/merchant.ts';
import { type Received, Receiver } from '../webhooks/support/receiver.ts';
import { chooseFrom, dialog, publish, runOf, send, sending, visit } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', isOfColours: true },
  { width: 1024, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: Webhooks', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;
  let key: string;

  before(async () => {
    service = await TestService.start(RECEIVABLE);
  });
  after(() => service?.stop());
  beforeEach(async () => {
    merchant = await Merchant.open(service);
    ({ key } = await service.newKey({ storeId: merchant.storeId, name: 'Owner' }));
    receiver = await Receiver.start();
  });
  afterEach(() => receiver[Symbol.asyncDispose]());

  const open = (path = '/webhooks', options = {}) => dashboard.open(service, key, path, options);
  const endpoints = (page: Page) => page.getByRole('table', { name: 'Endpoints' }).getByRole('row');
  const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'A webhook endpoint is disabled' });
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
  const disable = (id: string, why: string) =>
    merchant.query(
      `update webhook_endpoint set disabled_at = now(), disabled_reason = '${why}' where store_id = $store and id = '${id}'`,
    );

  it('creates an endpoint, shows its secret this once, and tests it', async () => {
    receiver.respond = (response) => response.writeHead(418).end('<b>I am a teapot</b>');
    const page = await open('/webhooks', { allow: [/status of 400/] });
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Create an endpoint' }).click();
    await dialog(page).getByLabel('Name').fill('Mailer');
    await dialog(page).getByLabel('URL').fill('https://10.0.0.1/');
    await press(page, 'Create');
    await dialog(page).getByText('url must').waitFor();
    await dialog(page).getByLabel('URL').fill(receiver.url);
    await dialog(page).getByLabel('Requests in a second').fill('7');
    await press(page, 'Create');
    const secret = (await dialog(page).getByRole('region', { name: 'The secret' }).textContent()) ?? '';
    expect(secret).to.match(/^whsec_/);
    await press(page, 'I have copied it');
    expect(await page.content()).not.to.contain(secret);

    await endpoints(page).getByRole('link', { name: 'Mailer' }).click();
    await page.getByText('7 requests in a second, 10 at a time').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await dialog(page).getByText('Answered 418').waitFor();
    await dialog(page).getByText('<b>I am a teapot</b>').waitFor();
    const [{ body, headers }] = receiver.received as [Received];
    new Webhook(secret).verify(body, headers as Record<string, string>);
    await dialog(page).getByRole('link', { name: 'What was sent' }).click();

    await page.getByRole('heading', { name: 'webhook.test', level: 1 }).waitFor();
    await page.getByText('A test', { exact: true }).waitFor();
    const shown = (await page.getByRole('region', { name: 'Headers' }).textContent()) ?? '';
    for (const line of shown.split('\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name !== 'webhook-signature') expect(headers[name], name).to.equal(value);
    }
    const indented = (await page.getByRole('region', { name: 'Body, indented' }).textContent()) ?? '';
    expect(JSON.parse(indented)).to.deep.equal(JSON.parse(body));
    await page.getByRole('tab', { name: 'As it is sent' }).click();
    expect(await page.getByRole('region', { name: 'Body', exact: true }).textContent()).to.equal(body);
  });

  it('changes an endpoint, rotates its secret, and deletes it if nothing needs it', async () => {
    const { id, secret } = await merchant.endpoint(receiver.url);
    const automation = await publish(merchant.client, sending(id));
    const page = await open(`/webhooks/${id}`, { allow: [/status of 400/] });
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page).getByLabel('Name').fill('Renamed');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();

    await chooseFrom(page, 'More', 'Rotate the secret…');
    await press(page, 'Rotate');
    const rotated = (await dialog(page).getByRole('region', { name: 'The secret' }).textContent()) ?? '';
    await dialog(page).getByText('every message has two signatures').waitFor();
    await press(page, 'I have copied it');
    await page.getByText('The one before signs, too').waitFor();
    await merchant.queue(id);
    await until(() => Promise.resolve(receiver.received.length === 1), 'it is received');
    const [{ body, headers }] = receiver.received as [Received];
    for (const one of [secret, rotated]) new Webhook(one).verify(body, headers as Record<string, string>);

    await chooseFrom(page, 'More', 'Delete…');
    await press(page, 'Delete');
    await dialog(page).getByText('The endpoint was not deleted').waitFor();
    await press(page, 'Cancel');
    await merchant.client.send('PUT', `/v1/automations/${automation}/status`, '{"status":"archived"}', {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    await chooseFrom(page, 'More', 'Delete…');
    await press(page, 'Delete');
    await page.getByText('Nothing is sent to “Renamed” any more.').waitFor();
    await page.getByRole('link', { name: 'All endpoints' }).click();
    await page.getByText('No endpoints yet').waitFor();
    await page.locator('label').filter({ hasText: 'Deleted' }).click();
    await endpoints(page).getByRole('link', { name: 'Renamed' }).click();
    await deliveries(page).getByRole('link', { name: 'test.queued' }).waitFor();
    expect(await page.getByRole('button', { name: 'Test' }).count()).to.equal(0);
  });

  it('says on every page that an endpoint is disabled, enables it, and sends what was held', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await disable(id, 'gone');
    await merchant.queue(id, 3);
    await merchant.untilAll(id, 'held');
    const page = await open('/profiles');
    await banner(page).getByText('it answered 410').waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    await banner(page).getByRole('link', { name: 'Test' }).click();
    await chooseFrom(page, 'More', 'Enable…');
    await dialog(page).getByLabel('Send what was held, too').check();
    await press(page, 'Enable');
    await banner(page).waitFor({ state: 'detached' });
    await merchant.untilAll(id, 'delivered');
    await chooseFrom(page, 'More', 'Disable…');
    await press(page, 'Disable');
    await banner(page).getByText('somebody has disabled it').waitFor();
    await banner(page).getByRole('button', { name: 'Dismiss' }).click();
    await banner(page).waitFor({ state: 'detached' });
    await page.reload();
    await deliveries(page).nth(1).waitFor();
    expect(await banner(page).count()).to.equal(0);
  });

  it('finds deliveries by status and time, and replays one or several', async () => {
    receiver.respond = (response) => response.writeHead(500).end('no');
    const { id } = await merchant.endpoint(receiver.url);
    const [first = '', ...others] = await merchant.queue(id, 4);
    await until(() => Promise.resolve(receiver.received.length === 4), 'all are tried');
    await until(async () => (await merchant.delivery(others[2] ?? '')).attempts.length === 1, 'that is recorded');
    await merchant.query(
      `update webhook_delivery set status = 'failed', due_at = null, finished_at = now() where store_id = $store`,
    );
    receiver.respond = (response) => response.writeHead(204).end();
    const page = await open(`/webhooks/${id}`);
    await deliveries(page).nth(4).getByText('failed').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'delivered' }).click();
    await page.getByText('No deliveries match these filters').waitFor();
    expect(new URL(page.url()).search).to.equal('?status=delivered');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByText('No deliveries match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();

    await page.getByRole('table', { name: 'Deliveries' }).locator(`a[href$="${first}"]`).click();
    const attempts = page.getByRole('list', { name: 'Attempts' });
    await attempts.getByText('Answered 500').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await attempts.getByText('Answered 204').waitFor();
    await page.getByText('It was answered with a 2xx.').waitFor();
    const sent = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === first);
    expect(sent()).to.have.length(2);
    await page.getByRole('button', { name: 'Replay' }).click();
    await dialog(page).getByText('It has been delivered.').waitFor();
    await press(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    expect(sent()).to.have.length(2);
    await page.getByRole('button', { name: 'Replay' }).click();
    await press(page, 'Send again');
    await until(() => sent().length === 3, 'it is sent once more');

    await page.getByRole('link', { name: 'Test', exact: true }).click();
    await page.getByRole('button', { name: 'Replay several' }).click();
    await dialog(page).getByRole('radio', { name: 'Held' }).check();
    await press(page, 'Replay');
    await page.getByText('There was nothing to replay.').waitFor();
    await page.getByRole('button', { name: 'Replay several' }).click();
    await press(page, 'Replay');
    await page.getByText('Sent once more: 3 deliveries.').waitFor();
    await merchant.untilAll(id, 'delivered');
  });

  it('leads from a run to its delivery and back, and tells Home of what fails', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await publish(merchant.client, sending(id));
    await send(merchant.client, 'joined', { club: '<i>c1</i>' });
    const run = await runOf(merchant.client, automation);
    await until(async () => (await merchant.health(id)).failures > 0, 'it fails');
    const page = await open(`/automations/${automation}/runs/${run.id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('club.joined to Test').waitFor();
    await timeline.getByRole('link', { name: 'The delivery' }).click();
    await page.getByRole('heading', { name: 'club.joined', level: 1 }).waitFor();
    await page.getByText('"club": "<i>c1</i>"').waitFor();
    await page.getByRole('link', { name: 'The run of an automation' }).click();
    await timeline.waitFor();

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('1 live').waitFor();
    const troubled = page.getByRole('list', { name: 'Endpoints in trouble' });
    await troubled.getByText('failing').waitFor();
    await troubled.getByRole('link', { name: 'Test' }).click();
    await page.getByText('1 failure since').waitFor();
  });

  it('shows none of it to a key without the scope, and all of it to one with nothing else', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await disable(id, 'failing');
    const as = async (...scopes: Scope[]) => (await service.newKey({ storeId: merchant.storeId, scopes })).key;
    const blind = await dashboard.open(service, await as('profiles:read'), '/profiles');
    await blind.getByText('No customers yet').waitFor();
    expect(await blind.getByRole('link', { name: 'Webhooks' }).count()).to.equal(0);
    expect(await banner(blind).count()).to.equal(0);

    const keeper = await dashboard.open(service, await as('webhooks:manage'), `/webhooks/${id}`, {
      allow: [/status of 404/],
    });
    await keeper.getByText('Nothing was sent to it yet').waitFor();
    await banner(keeper).waitFor();
    const stranger = await service.client();
    const { body } = await stranger.post<any>('/v1/webhook-endpoints', { url: receiver.url, name: 'Theirs' });
    await visit(keeper, `/webhooks/${body.endpoint.id}`, 'Endpoint not found');
  });

  it('is used by the keyboard alone, from a new endpoint to its deletion', async () => {
    const page = await open();
    const enter = async (name: string, role: 'button' | 'menuitem' | 'link' = 'button') => {
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const untilFocused = (selector: string) =>
      until(
        () => page.evaluate<boolean>(`!!document.activeElement?.closest('${selector}')`),
        `the focus is in ${selector}`,
      );
    await enter('Create an endpoint');
    await untilFocused('[role=dialog] input');
    await page.keyboard.type('Mailer');
    await page.keyboard.press('Tab');
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Copy it now').waitFor();
    await page.keyboard.press('Escape');
    await enter('I have copied it');
    await enter('Mailer', 'link');
    await enter('Test');
    await dialog(page).getByText('Answered 204').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await enter('More');
    await untilFocused('[role=menu]');
    await enter('Delete…', 'menuitem');
    await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor();
    await enter('Delete');
    await page.getByText('Nothing is sent to “Mailer” any more.').waitFor();
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    receiver.respond = (response) => response.writeHead(410).end('gone-'.repeat(100));
    const { id } = await merchant.endpoint(`${receiver.url}/${'a-long-path-'.repeat(12)}`, {
      name: 'long-name-'.repeat(9),
    });
    await merchant.endpoint(receiver.url, { name: 'Another' });
    const automation = await publish(
      merchant.client,
      sending(id, { message_type: 'a.type.'.repeat(15), include: ['profile'] }),
    );
    await send(merchant.client, 'joined', { club: 'c'.repeat(200) });
    await until(async () => (await merchant.health(id)).status === 'disabled', 'it is disabled');
    const [delivery] = await merchant.deliveries(id);
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    const close = async () => {
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    };
    await endpoints(page).getByRole('link', { name: 'Another' }).waitFor();
    await banner(page).waitFor();
    await check('the list');
    await page.getByRole('button', { name: 'Create an endpoint' }).click();
    await dialog(page).getByLabel('URL').waitFor();
    await check('the form');
    await close();
    await visit(page, `/webhooks/${id}`, 'Replay several');
    await deliveries(page).nth(1).waitFor();
    await check('an endpoint');
    await page.getByRole('button', { name: 'Replay several' }).click();
    await dialog(page).getByText('The endpoint is disabled').waitFor();
    await check('replaying');
    await close();
    await page.getByRole('button', { name: 'Test' }).click();
    await dialog(page).getByText('Answered 410').waitFor();
    await check('a test');
    await close();
    await chooseFrom(page, 'More', 'Rotate the secret…');
    await press(page, 'Rotate');
    await dialog(page).getByText('Copy it now').waitFor();
    await check('a secret');
    await press(page, 'I have copied it');
    await visit(page, `/webhooks/${id}/deliveries/${delivery.id}`, 'webhook-signature');
    await check('a delivery');
    await visit(page, `/automations/${automation}/edit`, 'Saved, revision 1');
    await page.getByRole('button', { name: 'Edit greet' }).click();
    await dialog(page).getByLabel('Type of message').waitFor();
    await check('a step');
    await close();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await dialog(page).getByRole('button', { name: 'What else happens' }).click();
    await dialog(page).getByRole('button', { name: 'Assume an event' }).click();
    await dialog(page)
      .getByRole('button', { name: /^Simulate the event/ })
      .click();
    await page.getByRole('list', { name: 'Effects' }).waitFor();
    await check('a simulation');
    await close();
    await visit(page, '/', '1 live');
    await page.getByRole('list', { name: 'Endpoints in trouble' }).waitFor();
    await check('Home');
  });
});
