import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const PHONE = { width: 390, height: 844 };
const ADA = { external_id: 'cust_1001', email: 'ada@example.com' };

describe('The page of a customer', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let storeId: string;
  let key: string;
  let client: Client;
  let id: string;

  before(async () => {
    service = await TestService.start();
    storeId = await service.newStore();
    ({ key } = await service.newKey({ storeId }));
    client = (await service.client()).as(key);
    const attributes = { first_name: 'Ada', points: 12, is_vip: false, sizes: { shoe: 38 } };
    ({
      body: { id },
    } = await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes }, { expect: 201 }));
    const send = (event_type: string, properties: object) =>
      client.post('/v1/events', { event_type, profile: ADA, properties }, { expect: 201 });
    await send('placed_order', { order_id: 'A-1', value: 59.9, currency: 'EUR' });
    await send('placed_order', { order_id: 'A-2', value: 20.1, currency: 'EUR' });
    await send('refunded_order', { order_id: 'A-2', value: 5 });
    await send('viewed_product', { title: 'Tea' });
    for (const name of ['Newsletter', 'VIP']) await client.post('/v1/lists', { name }, { expect: 201 });
    const definition = {
      ...{ name: 'Call back', trigger: { type: 'manual' }, start: 'end' },
      steps: [{ id: 'end', type: 'exit' }],
    };
    const { body: automation } = await client.post('/v1/automations', { definition }, { expect: 201 });
    await client.post(`/v1/automations/${automation.id}/publish`, { revision: 1 });
    await until(async () => {
      const { body } = await client.get(`/v1/profiles/${id}/order-summary`);
      return body.revenue[0]?.order_count === 2 && body.revenue[0].refunded_amount === '5';
    }, 'the orders are read');
  });
  after(() => service?.stop());

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('answers on a phone: orders, lists, attributes and the timeline by kind', async () => {
    const page = await dashboard.open(service, key, `/profiles/${id}`, { viewport: PHONE });
    await part(page, 'Orders').getByText('€75.00').waitFor();
    const figures = (await part(page, 'Orders').innerText()).replaceAll('\n', ' ');
    for (const figure of [
      'Orders 2',
      'Total €75.00 after refunds of €5.00',
      'Average €40.00',
      'First order',
      'Last order',
    ]) {
      expect(figures).to.include(figure);
    }
    const timeline = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await timeline.filter({ hasText: 'viewed_product' }).waitFor();
    const kinds = page.getByLabel('Show in the timeline');
    await kinds.selectOption('Orders');
    await timeline.filter({ hasText: 'viewed_product' }).waitFor({ state: 'detached' });
    await timeline.filter({ hasText: 'refunded_order' }).waitFor();
    expect(await timeline.count()).to.equal(3);
    await kinds.selectOption('On the site');
    await timeline.filter({ hasText: 'viewed_product' }).waitFor();
    expect(await timeline.count()).to.equal(1);
    await kinds.selectOption('Consent');
    await page.getByText('Nothing was recorded yet').waitFor();
    await kinds.selectOption('Messages');
    await page.getByText('This customer was sent none', { exact: true }).waitFor();

    const lists = part(page, 'Lists');
    await lists.getByRole('combobox', { name: 'Add to a list' }).click();
    await page.getByRole('option', { name: 'VIP' }).click();
    await lists.getByRole('button', { name: 'Add', exact: true }).click();
    await lists.getByRole('link', { name: 'VIP' }).waitFor();
    await kinds.selectOption('Lists');
    await page.getByRole('listitem').filter({ hasText: 'Joined VIP' }).waitFor();
    expect(await layoutFaults(page)).to.deep.equal([]);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await lists.getByRole('button', { name: 'Remove from VIP' }).click();
    await lists.getByText('This customer is in none.').waitFor();
    expect((await client.get(`/v1/profiles/${id}/lists`)).body.lists).to.deep.equal([]);
  });

  it('has attributes that are changed where they stand, each with its type', async () => {
    const page = await dashboard.open(service, key, `/profiles/${id}`, { viewport: PHONE, allow: [/status of 400/] });
    const attributes = part(page, 'Attributes');
    const change = async (name: string, text: string) => {
      await attributes.getByRole('button', { name: `Change ${name}`, exact: true }).click();
      await page.getByLabel(name, { exact: true }).fill(text);
    };
    const save = async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    };
    await change('points', '12x');
    await attributes.getByText('This is not a number').waitFor();
    await page.getByLabel('points', { exact: true }).fill('9007199254740993');
    await attributes.getByText('make it a text').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByLabel('points', { exact: true }).fill('13.5');
    await page.keyboard.press('Enter');
    await attributes.getByText('13.5', { exact: true }).waitFor();
    await change('sizes', '{"shoe": 39}');
    await save();
    await attributes.getByRole('button', { name: 'Change is_vip' }).click();
    await page.getByLabel('is_vip', { exact: true }).selectOption('yes');
    await save();
    await attributes.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('__proto__');
    await page.getByRole('textbox', { name: 'Value' }).fill('x');
    await page.getByRole('button', { name: 'Save' }).click();
    await attributes
      .getByText(/__proto__ /)
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('city');
    await save();
    await attributes.getByRole('button', { name: 'Change first_name' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: ADA.email, level: 1 }).waitFor();
    const { body } = await client.get(`/v1/profiles/${id}`);
    expect(body.attributes).to.deep.equal({ points: 13.5, is_vip: true, sizes: { shoe: 39 }, city: 'x' });
  });

  it('keeps notes, which one can take back', async () => {
    const page = await dashboard.open(service, key, `/profiles/${id}`, { viewport: PHONE });
    const notes = part(page, 'Notes');
    await notes.getByText('Nothing is written down yet.').waitFor();
    await notes.getByLabel('New note').fill('Asked for decaf.\nCalls on Fridays.');
    await notes.getByRole('button', { name: 'Write it down' }).click();
    const note = notes.getByRole('listitem').filter({ hasText: 'Calls on Fridays.' });
    await note.getByText(/^test, /).waitFor();
    expect(await notes.getByLabel('New note').inputValue()).to.equal('');
    expect(await layoutFaults(page)).to.deep.equal([]);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await note.getByRole('button', { name: 'Delete the note' }).click();
    await notes.getByText('Nothing is written down yet.').waitFor();
  });

  it('starts an automation for the customer, or says why not', async () => {
    const page = await dashboard.open(service, key, `/profiles/${id}`);
    await page.getByRole('button', { name: 'Start one' }).click();
    await page.getByRole('combobox', { name: 'Automation' }).click();
    await page.getByRole('option', { name: 'Call back' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/runs\//);
  });

  it('shows who may read less what they may, and no button that is refused', async () => {
    const { key: narrow } = await service.newKey({ storeId, scopes: ['profiles:read'] });
    const page = await dashboard.open(service, narrow, `/profiles/${id}`, { allow: [/status of 403/] });
    await part(page, 'Attributes').waitFor();
    for (const name of ['Orders', 'Lists', 'Segments', 'Automations', 'Messages']) {
      expect(await part(page, name).count(), name).to.equal(0);
    }
    expect(await page.getByRole('button', { name: /^Change|^Add|^Start/ }).count()).to.equal(0);
  });
});
