import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violations, violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Lists and segments', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    const created = await service.newKey({ name: 'Owner' });
    ({ key, storeId } = created);
    client = await service.client({ storeId });
  });

  const open = (path: string, options = {}) => dashboard.open(service, key, path, options);
  const dialog = (page: Page) => page.getByRole('dialog');
  const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('row');

  /** The lines of the file that is saved. */
  async function save(page: Page): Promise<string[]> {
    const download = page.waitForEvent('download');
    await page.evaluate('delete window.showSaveFilePicker');
    await page
      .getByRole('region', { name: 'Members', exact: true })
      .getByRole('button', { name: 'Download as CSV' })
      .click();
    return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  }

  async function choose(page: Page, what: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: what, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }

  async function order(email: string): Promise<string> {
    const event = { event_type: 'placed_order', profile: { email } };
    return (await client.post('/v1/events', event, { expect: 201 })).body.profile_id;
  }

  it('creates a list, adds customers to it and says who is unknown, and saves it as a file', async () => {
    const id = await order('ada@example.com');
    const page = await open('/lists');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'Create a list' }).click();
    await dialog(page).getByLabel('Name').fill('=Newsletter');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '=Newsletter', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add or remove customers' }).click();
    await dialog(page).getByRole('textbox').fill('ada@example.com\nnobody-knows');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page).getByText('1 added').waitFor();
    await dialog(page).getByRole('table', { name: 'Refused' }).getByText('nobody-knows').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await rows(page, 'Members').getByRole('link', { name: 'ada@example.com' }).waitFor();
    const [header, member, ...others] = await save(page);
    expect(header).to.equal('profile_id,email,phone,external_id,joined_at,how,source');
    expect(member).to.match(new RegExp(`^${id},ada@example\\.com,,,20`));
    expect(others).to.deep.equal([]);
  });

  it('makes a list a topic of the preferences of customers', async () => {
    const list = (await client.post('/v1/lists', { name: 'Sales 2026' }, { expect: 201 })).body.id;
    const page = await open(`/lists/${list}`);
    await page.getByText('Not among them').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog(page).getByLabel('Customers choose by themselves').check();
    await dialog(page).getByLabel('What they read there').fill('Sales');
    expect(await violations(page)).to.deep.equal([]);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Customers choose “Sales” by themselves').waitFor();
    const { body } = await client.get<any>(`/v1/lists/${list}`, { expect: 200 });
    expect(body).to.include({ topic: true, public_name: 'Sales', name: 'Sales 2026' });
  });

  it('has those who subscribe to a list confirm it, and shows who has not yet', async () => {
    const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
    const page = await open(`/lists/${list}`);
    await page.getByText('Single: those who subscribe join at once').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog(page).getByLabel('Those who subscribe confirm it by a message').check();
    await dialog(page).getByPlaceholder('A short text in English').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Double: those who subscribe confirm it by a message').waitFor();
    const { body } = await client.get<any>(`/v1/lists/${list}`, { expect: 200 });
    expect(body).to.include({ opt_in: 'double', confirmation_template_id: null, name: 'Newsletter' });

    const profile = await order('ada@example.com');
    const data = {
      type: 'profile-subscription-bulk-create-job',
      attributes: { profiles: { data: [{ type: 'profile', attributes: { email: 'ada@example.com' } }] } },
      relationships: { list: { data: { type: 'list', id: list } } },
    };
    await client.post('/compat/v1/api/profile-subscription-bulk-create-jobs', { data }, { expect: 202 });
    const customer = await open(`/profiles/${profile}`);
    await customer.getByText(/asked on .*, not confirmed/).waitFor();
    await customer.getByText('Please confirm').click();
    await customer.getByText('The text that asks to confirm a subscription').waitFor();
    expect(await violations(customer)).to.deep.equal([]);
  });

  it('saves an empty list as a file without rows', async () => {
    await order('ada@example.com');
    const list = (await client.post('/v1/lists', { name: 'Empty' }, { expect: 201 })).body.id;
    expect(await save(await open(`/lists/${list}`))).to.have.length(1);
  });

  it('saves members with what identifies them, which no spreadsheet runs and which can be imported again', async () => {
    const ada = { email: 'ada@example.com', phone: '+442079460958', external_id: '=1+1' };
    await client.post('/v1/profiles/upsert', { identifiers: ada });
    const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
    await client.post(`/v1/lists/${list}/members`, { members: [{ email: ada.email }] }, { expect: 200 });
    const lines = await save(await open(`/lists/${list}`));
    expect(lines[1]).to.include(`,ada@example.com,'+442079460958,'=1+1,`);
    const mapping = ['email', 'phone', 'external_id'].map((name) => ({ column: name, identifier: name }));
    const { id } = (await client.post('/v1/imports', { mapping }, { expect: 201 })).body;
    await client.send('PUT', `/v1/imports/${id}/parts/1`, JSON.stringify({ text: lines.join('\n') }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await client.post(`/v1/imports/${id}/start`, {}, { expect: 202 });
    const imported = async () => (await client.get(`/v1/imports/${id}`, { expect: 200 })).body;
    await until(async () => (await imported()).ended_at !== null, 'the import has ended');
    expect((await imported()).rows).to.include({ read: 1, created: 0, failed: 0 });
    expect((await client.get('/v1/profiles', { expect: 200 })).body.profiles).to.have.length(1);
  });

  it('saves the members of a segment as a file', async () => {
    const ada = { email: 'ada@example.com', external_id: 'cust_1001' };
    const profile = (await client.post('/v1/profiles/upsert', { identifiers: ada })).body.id;
    const definition = { identifier: 'email' };
    const { id } = (await client.post('/v1/segments', { name: 'Reachable', definition }, { expect: 201 })).body;
    const isLive = async () => (await client.get(`/v1/segments/${id}`)).body.status === 'live';
    await until(isLive, 'it is built');
    const page = await open(`/segments/${id}`);
    await page.getByText('counted from the present build').waitFor();
    const [header, member] = await save(page);
    expect(header).to.equal('profile_id,email,phone,external_id,entered_at');
    expect(member).to.match(new RegExp(`^${profile},ada@example\\.com,,cust_1001,20`));
  });

  it('shows a list, but not who is in it, with a key that may not read profiles', async () => {
    const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
    const limited = await service.newKey({ storeId, scopes: ['audiences:read'] });
    const page = await dashboard.open(service, limited.key, `/lists/${list}`, { allow: [/status of 403/] });
    await page.getByRole('heading', { name: 'Newsletter', level: 1 }).waitFor();
    await page.getByText('It needs the scope profiles:read').waitFor();
  });

  it('creates a segment by a sentence, with a preview, and shows who is in it and why', async () => {
    const id = await order('ada@example.com');
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'bob@example.com' } });
    const page = await open('/segments');
    await page.getByRole('link', { name: 'Create a segment' }).click();
    await page.getByLabel('Name').first().fill('Buyers');
    await page.getByRole('combobox', { name: 'Condition 1: type of event' }).fill('placed_order');
    await page.getByText('1 of 2 customers').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Buyers', level: 1 }).waitFor();
    await page.getByText('who had a “placed_order” event at any time').first().waitFor();
    const { body } = await client.get('/v1/segments', { expect: 200 });
    const isLive = async () => (await client.get(`/v1/segments/${body.segments[0].id}`)).body.status === 'live';
    await until(isLive, 'it is built');
    await page.reload();
    await rows(page, 'Members').getByRole('button', { name: 'Why?' }).click();
    await dialog(page).getByText('The customer belongs to it.').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${service.url}/dashboard/profiles/${id}`);
    await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'Buyers' }).waitFor();
  });

  for (const [what, definition] of [
    ['is no definition', {}],
    ['has conditions that are none', { all: [null] }],
    ['names a list by a number', { list: 5 }],
    ['has values of several types', { attribute: { name: 'tier', op: 'in', value: ['gold', 1] } }],
    ['has a span that is none', { event: { type: 'placed_order', window: { last: 'a while' } } }],
    ['denies a denial', { not: { not: { identifier: 'email' } } }],
  ] as const) {
    it(`leaves JSON that ${what} as it is`, async () => {
      const page = await open('/segments/new', { allow: [/status of 400/] });
      const json = page.getByLabel('The definition as JSON');
      await page.getByLabel('Name').first().fill('Buyers');
      await page.getByRole('tab', { name: 'JSON' }).click();
      await json.fill(JSON.stringify(definition));
      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByText('more than the form can show').waitFor();
      await page.getByRole('tab', { name: 'JSON' }).click();
      expect(JSON.parse(await json.inputValue())).to.deep.equal(definition);
      await json.fill('{ "event"');
      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByText('This is not JSON.').waitFor();
      expect(await page.getByLabel('Name').first().inputValue()).to.equal('Buyers');
    });
  }

  const DEEP = {
    all: [
      {
        did: {
          event_type: 'placed_order',
          at_least: 2,
          window: { last: 'P30D', calendar: true, time_zone: 'Europe/Berlin' },
          from_client: true,
        },
      },
      {
        any: [
          {
            did: {
              event_type: 'placed_order',
              sum: { property: 'value', op: 'gt', value: 100 },
              filter: { property: 'currency', op: 'eq', value: 'EUR' },
            },
          },
          {
            not: {
              all: [
                { attribute: 'tier', op: 'in', value: ['gold', 'silver'] },
                { identifier: 'phone', op: 'exists' },
              ],
            },
          },
        ],
      },
      { profile: { time: 'last_event_at', window: { ago: { min: 'P30D', max: 'P60D' } } } },
      { did: { event_type: 'visit', window: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' } } },
      { not: { any: [{ consent: { channel: 'email', status: 'suppressed' } }] } },
      {
        did: {
          event_type: 'visit',
          at_least: 2,
          at_most: 5,
          within: 'P1DT12H',
          filter: {
            any: [{ property: ['page', 'name'], op: 'eq', value: 'home' }, { not: { property: 'page', op: 'exists' } }],
          },
        },
      },
      {
        did: {
          event_type: 'placed_order',
          filter: {
            all: [
              {
                items: {
                  property: 'items',
                  where: {
                    all: [
                      { property: 'brand', op: 'eq', value: 'Acme' },
                      { property: 'price', op: 'gt', value: 50 },
                    ],
                  },
                },
              },
              { items: { property: 'gifts', match: 'none', where: { property: 'brand', op: 'exists' } } },
              { not: { items: { property: 'gifts', match: 'all', where: { property: 'brand', op: 'exists' } } } },
            ],
          },
        },
      },
      { identifier: 'email', op: 'contains', value: '@example' },
    ],
  };
  const IN_WORDS =
    'Everyone who had at least 2 “placed_order” events in the last 30 calendar days (Europe/Berlin) ' +
    '(also from pages and apps) and ' +
    '(whose “placed_order” events where “currency” is “EUR” add up to more than 100 in “value” or ' +
    '(whose “tier” is none of “gold” and “silver” or who has no phone number)) and ' +
    'whose last event happened between 30 and 60 days ago and ' +
    'who had a “visit” event from 1 Nov 2026 (UTC) to just before 1 Dec 2026 (UTC) and who is not suppressed for e-mails and ' +
    'who had 2 to 5 “visit” events in the last 1 day 12 hours where “page › name” is “home” or “page” is not set and ' +
    'who had a “placed_order” event at any time where ' +
    '“items” has an item where (“brand” is “Acme” and “price” is more than 50) and ' +
    '“gifts” is a list without an item where “brand” is set and “gifts” does not have only items where “brand” is set and ' +
    'whose e-mail address contains “@example”';

  it('shows sums, properties, windows and groups, says them in words, and gives them back as they were', async () => {
    const page = await open('/segments/new', { timezoneId: 'UTC' });
    const json = page.getByLabel('The definition as JSON');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await json.fill(JSON.stringify(DEEP));
    await page.getByRole('tab', { name: 'Conditions' }).click();
    expect(await page.getByRole('note', { name: 'In words' }).textContent()).to.equal(IN_WORDS);
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(JSON.parse(await json.inputValue())).to.deep.equal(DEEP);
  });

  it('says at a condition what is wrong with it, and what is likely to be', async () => {
    await order('ada@example.com');
    const page = await open('/segments/new', { allow: [/status of 400/] });
    await page.getByLabel('Name').first().fill('Buyers');
    await page.getByRole('combobox', { name: 'Condition 1: type of event' }).fill('order_placed');
    await page.getByRole('group', { name: 'Condition 1' }).getByRole('note').getByText('no event').waitFor();
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByRole('combobox', { name: 'Condition 2.1: type of event' }).fill('placed_order');
    await page.getByRole('combobox', { name: 'Condition 2.1: when' }).click();
    await page.getByRole('option', { name: 'between … and … ago' }).click();
    await page.getByLabel('Condition 2.1: at least ago', { exact: true }).fill('90');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page
      .getByRole('group', { name: 'Condition 2.1' })
      .getByRole('alert')
      .getByText('must be longer than min')
      .waitFor();
    expect(await page.getByRole('group', { name: 'Condition 1' }).getByRole('alert').count()).to.equal(0);
  });

  it('neither tries nor saves conditions without a number, and says where it is missing', async () => {
    await order('ada@example.com');
    const page = await open('/segments/new');
    const isMissing = page.getByRole('group', { name: 'Condition 1' }).getByText('Type a number');
    const number = page.getByLabel('Condition 1: number', { exact: true });
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await page.getByLabel('Name').first().fill('Buyers');
    await page.getByRole('combobox', { name: 'Condition 1: type of event' }).fill('placed_order');
    await choose(page, 'Condition 1: how often', 'a number of times');
    await page.getByText('1 of 1 customers').waitFor();
    for (const none of ['', '-']) {
      await number.fill(none);
      await isMissing.waitFor();
      await page.getByText('once all conditions are filled in').waitFor();
      await page.getByText('Everyone who had at least … “placed_order” events').waitFor();
      await create.click();
      expect((await client.get('/v1/segments', { expect: 200 })).body.segments).to.deep.equal([]);
    }
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('tab', { name: 'Conditions' }).click();
    await isMissing.waitFor();
    await number.fill('1');
    await isMissing.waitFor({ state: 'detached' });
    await page.getByText('1 of 1 customers').waitFor();
    await create.click();
    await page.getByRole('heading', { name: 'Buyers', level: 1 }).waitFor();
  });

  it('saves what is written as JSON, whatever the form lacks', async () => {
    const page = await open('/segments/new');
    await page.getByLabel('Name').first().fill('Reachable');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByLabel('The definition as JSON').fill('{ "identifier": "email" }');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Reachable', level: 1 }).waitFor();
  });

  it('offers types, properties and values that were recorded, with how often they were', async () => {
    for (const channel of ['web', 'shop', 'web']) {
      const event = { event_type: 'placed_order', profile: { email: 'ada@example.com' }, properties: { channel } };
      await client.post('/v1/events', event, { expect: 201 });
    }
    const items = [{ brand: 'Acme' }, { brand: 'Other' }];
    const event = { event_type: 'placed_order', profile: { email: 'ada@example.com' }, properties: { items } };
    await client.post('/v1/events', event, { expect: 201 });
    await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'bob' }, attributes: { tier: 'gold' } });
    const page = await open('/segments/new');
    const pick = async (field: string, option: string, often: number) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: new RegExp(`^${option} ?${often}$`) }).click();
      expect(await page.getByRole('combobox', { name: field }).inputValue()).to.equal(option);
    };
    await pick('Condition 1: type of event', 'placed_order', 4);
    await page.getByRole('button', { name: 'Condition 1: only events with a property' }).click();
    await pick('Condition 1: only events where, condition 1: name of the property', 'channel', 3);
    await pick('Condition 1: only events where, condition 1: value', 'web', 2);
    await page.getByText('“channel”').first().waitFor();
    const filter = 'Condition 1: only events where, condition 1';
    await choose(page, `${filter}: what is asked`, 'has items');
    await pick(`${filter}: list of items`, 'items', 1);
    await choose(page, `${filter}: how many items`, 'no item of');
    await pick(`${filter}: items where, condition 1: name of the property`, 'brand', 2);
    await pick(`${filter}: items where, condition 1: value`, 'Acme', 1);
    await page.getByText('“items” is a list without an item where “brand” is “Acme”').first().waitFor();
    await choose(page, 'Condition 1: what is asked', 'has an attribute');
    await pick('Condition 1: name of the attribute', 'tier', 1);
    await pick('Condition 1: value', 'gold', 1);
    await page.getByText('1 of 2 customers').waitFor();
  });

  it('makes no number of a value that is none', async () => {
    const page = await open('/segments/new');
    const value = page.getByRole('textbox', { name: 'Condition 1: value' });
    const tags = page.getByRole('combobox', { name: 'Condition 1: value' });
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await choose(page, 'Condition 1: what is asked', 'has an attribute');
    await page.getByRole('combobox', { name: 'Condition 1: name of the attribute' }).fill('points');
    await tags.fill('gold');
    await choose(page, 'Condition 1: comparison', 'is more than');
    await condition.getByText('Type a number').waitFor();
    await value.pressSequentially('-2.05');
    await page.getByText('whose “points” is more than -2.05').first().waitFor();
    await choose(page, 'Condition 1: comparison', 'is one of');
    await tags.pressSequentially('gold\n');
    await condition.getByRole('alert').getByText('Not a number: gold').waitFor();
    await tags.pressSequentially('7\n');
    await condition.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('whose “points” is -2.05 or 7').first().waitFor();
  });

  it('takes only numbers for a list of numbers, also while it is empty', async () => {
    const page = await open('/segments/new');
    const tags = page.getByRole('combobox', { name: 'Condition 1: value' });
    await choose(page, 'Condition 1: what is asked', 'has an attribute');
    await page.getByRole('combobox', { name: 'Condition 1: name of the attribute' }).fill('points');
    await choose(page, 'Condition 1: comparison', 'is one of');
    await choose(page, 'Condition 1: type of value', 'a number');
    await tags.pressSequentially('gold\n');
    await page.getByRole('alert').getByText('Not a number: gold').waitFor();
    await tags.pressSequentially('5\n');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = JSON.parse(await page.getByLabel('The definition as JSON').inputValue());
    expect(json.value).to.deep.equal([5]);
  });

  it('never shows a preview of other conditions as that of these', async () => {
    await order('ada@example.com');
    const page = await open('/segments/new');
    await page.getByRole('combobox', { name: 'Condition 1: type of event' }).fill('placed_order');
    await page.getByText('1 of 1 customers').waitFor();
    await page.getByRole('table', { name: 'Some of them' }).getByRole('button', { name: 'Why?' }).click();
    await dialog(page).getByRole('table', { name: 'Reasons' }).getByText('Yes').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Condition 1: type of event' }).fill('visit');
    await page.getByText('Before the last change: 1 of 1 customers.').waitFor();
    expect(await page.getByRole('table', { name: 'Some of them' }).count()).to.equal(0);
    await page.getByText('0 of 1 customers').waitFor();
  });

  it('writes a file to where the browser lets one choose, as the rows come', async () => {
    const list = (await client.post('/v1/lists', { name: 'a/b' }, { expect: 201 })).body.id;
    const members = [];
    for (let n = 0; n < 120; n += 1) members.push({ profile_id: await order(`customer-${n}@example.com`) });
    await client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
    const page = await open(`/lists/${list}`);
    await page.evaluate(`
      window.written = [];
      window.showSaveFilePicker = async ({ suggestedName }) => ({
        createWritable: async () => ({
          write: async (text) => void window.written.push(text),
          close: async () => { window.savedAs = suggestedName; },
          abort: async () => {},
        }),
      });
    `);
    await page
      .getByRole('region', { name: 'Members', exact: true })
      .getByRole('button', { name: 'Download as CSV' })
      .click();
    await until(async () => (await page.evaluate('window.savedAs')) === 'a_b.csv', 'it is saved');
    const written = await page.evaluate<string>(`window.written.join('')`);
    expect(written.trim().split('\r\n')).to.have.length(121);
    for (const n of [0, 119]) expect(written).to.include(`,customer-${n}@example.com,`);
  });

  it('says of any segment why a customer is not in it', async () => {
    const id = await order('ada@example.com');
    const definition = { attribute: { name: 'tier', op: 'eq', value: 'gold' } };
    await client.post('/v1/segments', { name: 'Gold', definition }, { expect: 201 });
    const page = await open(`/profiles/${id}`);
    await page.getByRole('button', { name: 'Why, or why not?' }).click();
    await dialog(page).getByRole('combobox', { name: 'Segment' }).click();
    await page.getByRole('option', { name: 'Gold' }).click();
    await dialog(page).getByText('The customer does not belong to it.').waitFor();
    await dialog(page).getByText('whose “tier” is “gold”').waitFor();
    expect(await violations(page)).to.deep.equal([]);
  });

  it('makes a segment by the keyboard alone', async () => {
    await order('ada@example.com');
    const page = await open('/segments/new');
    await page.getByLabel('Name').first().focus();
    await page.keyboard.type('Buyers');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`;
        if ((await page.evaluate(focused)) === name) return;
      }
      throw new Error(`Tab does not lead to "${name}"`);
    };
    await tabTo('Condition 1: type of event');
    await page.keyboard.type('placed_order');
    await tabTo('Add a group');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Condition 2.1: type of event' }).waitFor();
    await page.getByRole('button', { name: 'Remove group 2' }).focus();
    await page.keyboard.press('Space');
    await tabTo('Create');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Buyers', level: 1 }).waitFor();
  });

  for (const [what, path] of Object.entries<(list: string, segment: string) => string>({
    lists: () => '/lists',
    'a list': (list) => `/lists/${list}`,
    segments: () => '/segments',
    'a segment': (_, segment) => `/segments/${segment}`,
    'a new segment': () => '/segments/new',
    'the conditions of a segment': (_, segment) => `/segments/${segment}/edit`,
  })) {
    it(`has no barrier, in light and dark colours, and fits a narrow screen: ${what}`, async () => {
      await order('ada@example.com');
      const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
      await client.post(`/v1/lists/${list}/members`, { members: [{ email: 'ada@example.com' }] }, { expect: 200 });
      const segment = (await client.post('/v1/segments', { name: 'Buyers', definition: DEEP }, { expect: 201 })).body
        .id;
      const page = await open(path(list, segment), { viewport: { width: 390, height: 800 } });
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      expect(await violationsInBothSchemes(page)).to.deep.equal([]);
      expect(await layoutFaults(page)).to.deep.equal([]);
    });
  }
});
