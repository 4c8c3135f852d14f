import { expect } from 'chai';
import { Shop } from '../messages/support/shop.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { ADA, dialog, select, send, sending, WAITING } from './support/automations.ts';

describe('The dashboard: simulations', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key } = await service.newKey({ name: 'Owner' }));
    client = (await service.client()).as(key);
  });

  const open = (path = '/automations', options = {}) => dashboard.open(service, key, path, options);

  it('simulates a recent event, with what the customer did afterwards or not, and a made-up one', async () => {
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { tier: 'gold' } });
    await send(client, 'joined', { club: 'c1' }, { external_id: 'cust_1' });
    await send(client, 'joined', { club: 'c1' });
    await send(client, 'gift_sent', {});
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const page = await open(`/automations/${body.id}`);
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('Of the last 2, 1 would enter.').waitFor();
    await page.getByText('Failed at: the customer’s “tier” is “gold”; there was no value').waitFor();
    const entering = page.getByRole('table', { name: 'Recent events' }).getByRole('row').filter({ hasText: 'yes' });
    const timeline = page.getByRole('list', { name: 'Timeline of the simulation' });
    await entering.getByRole('button').click();
    await timeline.getByText('It did not come in time').waitFor();
    expect(await page.getByRole('list', { name: 'Effects' }).count()).to.equal(0);
    await page.getByLabel('Follow what the customer really did afterwards').check();
    await entering.getByRole('button').click();
    await timeline.getByText('On gift_sent').waitFor();
    await timeline.getByText('If the customer’s “tier” is “gold”').waitFor();
    await page.getByRole('list', { name: 'Effects' }).getByText('gifted true').waitFor();

    await page.getByRole('radio', { name: 'A made-up one' }).check();
    await page.getByLabel('Which').fill('ada@example.com');
    await dialog(page).locator('form').getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('No: the event has no key.').waitFor();
    await page.getByLabel('Properties of the event').fill('{"club": "c2"}');
    await dialog(page).locator('form').getByRole('button', { name: 'Simulate' }).click();
    await timeline.getByText('Key c2').waitFor();
    expect((await client.get(`/v1/automations/${body.id}/runs`)).body.runs).to.deep.equal([]);
  });

  it('shows what an e-mail would say, in a frame that can do nothing, and why it would not be sent', async () => {
    const shop = Shop.of(service.database, client, '');
    const template_id = await shop.template({ name: 'Gift' });
    await shop.customer('ada@example.com', 'unsubscribed');
    const definition = {
      name: 'Gifts',
      trigger: { type: 'manual' },
      start: 'write',
      steps: [{ id: 'write', type: 'send_email', template_id, next: null }],
    };
    const { body } = await client.post<any>('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}`);
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByLabel('Which').fill('ada@example.com');
    await dialog(page).locator('form').getByRole('button', { name: 'Simulate' }).click();
    const effects = page.getByRole('list', { name: 'Effects' });
    await effects.getByText('do not send “Gift”, version 1, to ada@example.com from Outbox').waitFor();
    await effects.getByText('The customer has unsubscribed from e-mail.').waitFor();
    await effects.getByText('Subject: “Hello Ada”').waitFor();
    await effects.getByRole('button', { name: 'Show what it says' }).click();
    const frame = effects.getByTitle('What “Hello Ada” says');
    expect(await frame.getAttribute('sandbox')).to.equal('');
    await frame.contentFrame().getByText('Your order is here.').waitFor();
  });

  it('assumes what else happens, and shows the request that would be sent', async () => {
    const input = { url: 'https://hooks.shop.example/', name: 'Mailer' };
    const { body: made } = await client.post('/v1/webhook-endpoints', input, { expect: 201 });
    const { id } = made.endpoint;
    const definition = sending(id, { include: ['profile', 'event'], expires_after: 'PT2H' });
    const [greet] = definition.steps;
    const gift = {
      id: 'gift',
      type: 'wait',
      for: [{ event_type: 'gift_sent', next: 'lots' }],
      timeout: 'P1D',
      on_timeout: null,
    };
    const lots = {
      id: 'lots',
      type: 'split',
      weights: [
        { percent: 1, next: 'greet' },
        { percent: 99, next: null },
      ],
    };
    const { body } = await client.post('/v1/automations', {
      definition: { ...definition, start: 'gift', steps: [gift, lots, greet] },
    });
    await send(client, 'joined', { club: 'c1' });
    const page = await open(`/automations/${body.id}`);
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'What else happens' }).click();
    await dialog(page).getByRole('button', { name: 'Assume an event' }).click();
    await dialog(page).getByLabel('Type of event').fill('gift_sent');
    await dialog(page).getByLabel('After the trigger', { exact: true }).fill('2');
    await select(page, 'After the trigger: unit', 'hours');
    await dialog(page).getByLabel('Its properties as JSON').fill('{"gift"');
    await dialog(page).getByText('This is not an object of JSON').waitFor();
    await dialog(page).getByLabel('Its properties as JSON').fill('{"gift": "socks"}');
    await dialog(page).getByRole('button', { name: 'Assume a change of the customer' }).click();
    await dialog(page).getByLabel('After the trigger', { exact: true }).last().fill('0');
    await dialog(page).getByLabel('Attributes with their new values, as JSON').fill('{"first_name": "Ada"}');
    await dialog(page).getByRole('button', { name: 'Assume a lot' }).click();
    await dialog(page)
      .getByRole('button', { name: /^Simulate the event/ })
      .click();

    const timeline = page.getByRole('list', { name: 'Timeline of the simulation' });
    await timeline.getByText('An assumed event').waitFor();
    await timeline.getByText('club.joined to Mailer').waitFor();
    expect(await timeline.getByText('The delivery').count()).to.equal(0);
    const effects = page.getByRole('list', { name: 'Effects' });
    await effects.getByText('send club.joined to Mailer').waitFor();
    await effects.getByText('It would not be sent after').waitFor();
    const message = JSON.parse(
      (await effects.getByRole('region', { name: 'Body of club.joined' }).textContent()) ?? '',
    );
    expect(message).to.deep.include({ type: 'club.joined', data: { club: 'c1' } });
    expect(message.profile.identifiers).to.deep.equal(ADA);
    expect(message.profile.attributes).to.deep.equal({ first_name: 'Ada' });
    expect(message.event).to.deep.include({ event_type: 'joined', properties: { club: 'c1' } });
    const { body: list } = await client.get(`/v1/webhook-endpoints/${id}/deliveries`);
    expect(list.deliveries).to.deep.equal([]);
  });
});
