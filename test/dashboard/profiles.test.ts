import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violations, violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';

const ADA = { email: 'ada@example.com', phone: '+442079460958', external_id: 'cust_1001' };

describe('The dashboard: Profiles', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key } = await service.newKey());
    client = (await service.client()).as(key);
  });

  const upsert = async (identifiers: object, attributes: object = {}) =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes })).body;
  const open = (path = '/profiles', options = {}) => dashboard.open(service, key, path, options);
  const found = (page: Page) => page.getByRole('table', { name: 'Profiles' }).getByRole('row');

  async function searchBy(page: Page, kind: string, text: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Search by' }).click();
    await page.getByRole('option', { name: kind }).click();
    await page.getByLabel('Search for').fill(text);
  }

  it('finds a customer by what each identifier is or begins with, and has the search in the address', async () => {
    await upsert(ADA, { first_name: 'Ada', last_name: 'Lovelace' });
    await upsert({ email: 'grace@example.com', phone: '+12025550123', external_id: 'cust_2002' });
    const page = await open();
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
    for (const [kind, text, parameter] of [
      ['Name', 'ada lov', 'name_prefix'],
      ['Name', 'LOVE', 'name_prefix'],
      ['Name', 'Ada@ex', 'email_prefix'],
      ['E-mail', 'ADA@', 'email_prefix'],
      ['E-mail', 'ada@example.com', 'email_prefix'],
      ['Phone', '+44 20 79', 'phone_prefix'],
      ['External id', 'cust_1', 'external_id_prefix'],
    ] as const) {
      await searchBy(page, kind, text);
      await page.waitForURL((url) => url.searchParams.get(parameter) === text);
      await page.getByRole('link', { name: 'grace@example.com' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    }
    await page.reload();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByLabel('Search for').inputValue()).to.equal('cust_1');
    expect(await found(page).count()).to.equal(2);
    await page.getByLabel('Search for').fill('nobody');
    await page.getByText('No customers found').waitFor();
  });

  it('takes what has an @ for an address, and for a name again without', async () => {
    await upsert(ADA, { first_name: 'Ada', last_name: 'Lovelace' });
    await upsert({ email: 'grace@example.com' });
    const page = await open();
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
    const search = async (text: string, query: string) => {
      await page.getByLabel('Search for').fill(text);
      await page.waitForURL((url) => url.search === query);
    };
    await search('ada@', '?email_prefix=ada%40');
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await search('grace', '?name_prefix=grace');
    await page.getByText('No customers found').waitFor();
    await search(' ', '');
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
  });

  it('shows a customer once whose first and last name begin alike, on however many pages', async () => {
    for (let n = 0; n < 30; n += 1) {
      await upsert({ external_id: `c${n}` }, { first_name: `Anna ${n}`, last_name: `Andersson ${n}` });
    }
    const page = await open('/profiles?name_prefix=an');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    expect(await found(page).count()).to.equal(1 + 30);
  });

  it('does not search by the old kind what was typed just before another was chosen', async () => {
    await upsert({ external_id: 'cust_1' });
    const page = await dashboard.openAlone(service, key, '/profiles');
    await page.getByRole('link', { name: 'cust_1' }).waitFor();
    await page.clock.install();
    await page.getByLabel('Search for').fill('cust');
    await page.getByRole('combobox', { name: 'Search by' }).click();
    await page.getByRole('option', { name: 'External id' }).click();
    await page.waitForURL((url) => url.searchParams.has('external_id_prefix'));
    // Longer than the pause after which it would have been searched for.
    await page.clock.runFor(500);
    expect(new URL(page.url()).search).to.equal('?external_id_prefix=cust');
    await page.getByRole('link', { name: 'cust_1' }).waitFor();
  });

  it('shows who a customer is, and what they did, newest first, page by page', async () => {
    const events = Array.from({ length: 25 }, (_, n) => ({
      event_type: `event_${n}`,
      profile: ADA,
      properties: { order_id: `ord_${n}` },
      occurred_at: new Date(Date.now() - n * 60_000).toISOString(),
    }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const { id } = await upsert(ADA, { first_name: 'Ada', loyalty_tier: 'gold' });
    const page = await open();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/profiles/${id}`);

    const identifiers = page.getByRole('region', { name: 'Identifiers' });
    for (const value of [...Object.values(ADA), id]) await identifiers.getByText(value, { exact: true }).waitFor();
    const attributes = page.getByRole('list', { name: 'All attributes' }).getByRole('listitem');
    await attributes.filter({ hasText: 'loyalty_tier' }).getByText('gold').waitFor();
    const timeline = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await timeline.first().waitFor();
    expect(await timeline.count()).to.equal(20);
    expect(await timeline.first().textContent()).to.match(/^event_0.*order_id: ord_0/);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'event_24' }).waitFor();
    expect(await timeline.count()).to.equal(25);
    await page.getByRole('link', { name: 'event_24' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('ord_24').first().waitFor();
  });

  it('finds the customer of an order, and knows them since their first event', async () => {
    const { id } = await upsert(ADA, { first_name: 'Ada' });
    const properties = { order_id: 'ord_77' };
    const occurred_at = '2021-05-04T12:00:00.000Z';
    await client.post(
      '/v1/events',
      { event_type: 'placed_order', profile: ADA, properties, occurred_at },
      { expect: 201 },
    );
    const page = await open();
    await searchBy(page, 'Order number', 'ord_77');
    const rows = page.getByRole('table', { name: 'Events of the order' }).getByRole('row');
    await rows.filter({ hasText: 'placed_order' }).getByRole('link', { name: 'Ada' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    const known = page.getByRole('region', { name: 'Identifiers' }).locator(`time[datetime="${occurred_at}"]`);
    await known.waitFor();
    await page.goBack();
    await page.getByLabel('Search for').fill('ord_7');
    await page.getByText('No order found').waitFor();
  });

  it('shows and changes what a customer has chosen, and has it all in the history', async () => {
    const { id } = await upsert(ADA, { first_name: 'Ada' });
    const page = await open(`/profiles/${id}`);
    const email = page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'E-mail' });
    await email.getByText('nothing recorded').waitFor();
    await page.getByRole('button', { name: 'Change the consent for e-mail' }).click();
    expect(await page.getByRole('radio', { checked: true }).count()).to.equal(0);
    const submit = page.getByRole('button', { name: 'Record' });
    expect(await submit.isDisabled()).to.equal(true);
    await page.getByLabel('The customer subscribes').click();
    await page.getByText('Record it only if you can prove that they agreed').waitFor();
    expect(await submit.isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const change = async (choice: string, fields: Record<string, string> = {}) => {
      await page.getByRole('button', { name: 'Change the consent for e-mail' }).click();
      await page.getByLabel(choice).click();
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Record' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await change('The customer subscribes', { Source: 'a call', When: '2026-03-01T12:00' });
    expect((await client.get(`/v1/profiles/${id}`)).body.consent.email.changed_at).to.match(/^2026-0[23]-/);
    await email.getByText('subscribed', { exact: true }).waitFor();
    await email.getByText('a call').waitFor();
    await change('Suppress', { Reason: 'mailbox full' });
    await email.getByText('mailbox full').waitFor();
    await change('Lift the suppression');
    await email.getByText('mailbox full').waitFor({ state: 'detached' });
    await change('The customer unsubscribes');
    await email.getByText('unsubscribed', { exact: true }).waitFor();
    const { body } = await client.get(`/v1/profiles/${id}`);
    expect(body.consent.email).to.deep.include({ status: 'unsubscribed', suppressed: null });

    const old = JSON.stringify({
      email: { status: 'subscribed', changed_at: '2025-03-01T12:00:00Z', source: 'old list' },
    });
    const headers = { 'Content-Type': 'application/json' };
    await client.send('PUT', `/v1/profiles/${id}/consent`, old, { expect: 200, headers });
    await page.getByRole('button', { name: 'History' }).click();
    const rows = page.getByRole('table', { name: 'Changes of the consent' }).getByRole('row');
    await rows.filter({ hasText: 'old list' }).getByText('without effect').waitFor();
    expect(await rows.count()).to.equal(1 + 5);
    // Not over a time, which would show a hint.
    await page.mouse.move(0, 0);
    expect(await violations(page)).to.deep.equal([]);
  });

  it('shows what has changed of a customer once the store keeps it', async () => {
    const { id } = await upsert(ADA, { first_name: 'Ada' });
    const page = await open('/settings/store');
    await page.getByLabel('History of customers, in days').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const table = page.getByRole('table', { name: 'Changes of the customer' });
    // Settings reach every process within a second.
    for (let n = 1; ; n++) {
      await upsert(ADA, { first_name: `Ada ${n}` });
      if ((await client.get(`/v1/profiles/${id}/history`, { expect: 200 })).body.changes.length > 0) break;
    }
    await page.goto(`${new URL(page.url()).origin}/dashboard/profiles/${id}`);
    await page.getByRole('button', { name: 'What has changed' }).click();
    await table.getByText('upsertProfile (native)').waitFor();
    await table.getByText(/first_name: "Ada( \d+)?" → "Ada \d+"/).waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await client.send('PATCH', '/v1/store', '{"history_days":0}', {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
  });

  it('says what a change needs, and offers none to a key that may not make it', async () => {
    const { id } = await upsert(ADA);
    const { storeId } = await service.newKey();
    const own = (await client.get('/v1/api-keys/current')).body.store.id;
    expect(own).not.to.equal(storeId);
    const reader = await service.newKey({ storeId: own, scopes: ['profiles:read', 'events:read'] });
    const page = await dashboard.open(service, reader.key, `/profiles/${id}`);
    await page.getByRole('list', { name: 'Channels' }).getByText('E-mail').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('Nothing was recorded yet').waitFor();
    expect(await page.getByRole('button', { name: /Change the consent/ }).count()).to.equal(0);
  });

  it('says so where there is no customer, and where there are none yet', async () => {
    const page = await open();
    await page.getByText('No customers yet').waitFor();
    const other = await open('/profiles/01936b2e-7c19-7a02-8c51-0d9f6a1e4b77', { allow: [/status of 404/] });
    await other.getByText('Customer not found').waitFor();
    await other.getByRole('link', { name: 'Find another customer' }).click();
    await other.getByText('No customers yet').waitFor();
  });

  it('can be used with the keyboard alone', async () => {
    await upsert(ADA, { first_name: 'Ada' });
    await upsert({ email: 'grace@example.com' });
    const page = await open();
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
    await page.getByRole('combobox', { name: 'Search by' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada');
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor({ state: 'detached' });
    while ((await page.evaluate('document.activeElement.textContent')) !== 'Ada') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('H1');
  });

  it('has nothing that axe complains of, in light and dark colours', async () => {
    await client.post('/v1/events', { event_type: 'visit', profile: ADA }, { expect: 201 });
    const { id } = await upsert(ADA, { first_name: 'Ada' });
    const page = await open();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('link', { name: 'visit' }).waitFor();
    expect(page.url()).to.include(id);
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });

  it('never runs what was recorded', async () => {
    const markup = `<img src=x onerror="globalThis.hasRun = true"><script>globalThis.hasRun = true</script>`;
    await upsert({ external_id: markup }, { first_name: markup, [markup]: 'javascript:globalThis.hasRun=true' });
    const profile = { external_id: markup };
    await client.post('/v1/events', { event_type: markup, profile, properties: { name: markup } }, { expect: 201 });
    const page = await open();
    await page.getByRole('link', { name: markup }).click();
    await page.getByRole('list', { name: 'Events' }).getByRole('link', { name: markup }).waitFor();
    expect(await page.evaluate('globalThis.hasRun')).to.equal(undefined);
    expect(await page.locator('img[src=x]').count()).to.equal(0);
  });
});
