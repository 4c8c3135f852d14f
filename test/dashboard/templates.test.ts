import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { USUAL_DRAFT } from '../support/templates.ts';
import { dialog, select } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', isOfColours: true },
  { width: 1280, colorScheme: 'light' },
];
const UNSUBSCRIBE = '<a href="{{ unsubscribe_url }}">Unsubscribe</a>';

describe('The dashboard: Templates', () => {
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

  const open = (path = '/templates', options = {}) => dashboard.open(service, key, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const create = async (template: object): Promise<string> =>
    (await client.post<any>('/v1/templates', template, { expect: 201 })).body.id;
  const template = async (id: string) => (await client.get<any>(`/v1/templates/${id}`, { expect: 200 })).body;
  const publish = (id: string, revision = 1) =>
    client.post(`/v1/templates/${id}/publish`, { revision }, { expect: 200 });
  const frame = (page: Page) => page.frameLocator('iframe[title="The HTML of the preview"]');

  it('sends what the preview shows to an address, as a test', async () => {
    const id = await create({
      name: 'Delivered',
      kind: 'html',
      subject: 'Hello you',
      body: `<p>Hello</p>${UNSUBSCRIBE}`,
    });
    const page = await open(`/templates/${id}`);
    await press(page, 'Send a test');
    await dialog(page).getByLabel('To').fill('me@shop.example');
    await dialog(page).getByRole('button', { name: 'Send a test' }).click();
    await dialog(page).getByText('The server has taken it').waitFor();
    await dialog(page).getByText('[Test] Hello you', { exact: true }).waitFor();
    await expectSound(page, 'a test', LOOKS);
  });

  it('creates a message in HTML, shows what it says to a customer, and publishes it', async () => {
    const profile = { identifiers: { email: 'ada@example.com' }, attributes: { first_name: '<b>Ada</b>' } };
    await client.post('/v1/profiles/upsert', profile);
    const page = await open();
    await page.getByText('No templates yet').waitFor();
    await press(page, 'Create a template');
    await dialog(page).getByLabel('Name').fill('Delivered');
    await select(page, 'Kind', 'E-mail, in HTML');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByText('Saved, revision 1').waitFor();

    await page.getByLabel('Subject').fill('Order {{ event.properties.order_id }}');
    await page
      .getByLabel('Body, in HTML')
      .fill(
        `<style>p { color: rgb(0, 0, 255) }</style><p style="font-size: 30px">Hello {{ profile.attributes.first_name }}</p>\n${UNSUBSCRIBE}`,
      );
    await press(page, 'Save');
    await page.getByText('Saved, revision 2').waitFor();
    await page.getByLabel('Which').fill('ada@example.com');
    await page.getByText('A made-up one').click();
    await page.getByLabel('Properties of the event as JSON').fill('{ "order_id": "ord_1" }');
    await press(page, 'Show');
    await page.getByText('Order ord_1', { exact: true }).waitFor();
    const hello = frame(page).getByText('Hello <b>Ada</b>');
    await hello.waitFor();
    const style = await hello.evaluate((element: any) => {
      const { fontSize, color } = element.ownerDocument.defaultView.getComputedStyle(element);
      return [fontSize, color];
    });
    expect(style).to.deep.equal(['30px', 'rgb(0, 0, 255)']);
    await page.getByText('KB of HTML of the 102 KB that Gmail shows').waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    expect(await page.getByRole('region', { name: 'Text of the preview' }).textContent()).to.include(
      'Hello <b>Ada</b>',
    );

    await press(page, 'Publish');
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 1 is published.').waitFor();
    await page.getByRole('table', { name: 'Versions' }).getByRole('button', { name: 'Show version 1' }).click();
    await dialog(page).getByText('Hello {{ profile.attributes.first_name }}').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All templates' }).click();
    const row = page.getByRole('table', { name: 'Templates' }).getByRole('row').filter({ hasText: 'Delivered' });
    await row.getByText('published').waitFor();
    await row.getByText('Marketing').waitFor();
  });

  it('shows a preview as in the dark, and what should be known of it', async () => {
    const style =
      '<style>p { color: rgb(1, 1, 1) } @media (prefers-color-scheme: dark) { p { color: rgb(2, 2, 2) !important } }</style>';
    const body = `${style}<p>Hello</p>${UNSUBSCRIBE}`;
    const id = await create({ name: 'Dark', kind: 'html', subject: 'Hello', body });
    const page = await dashboard.openAlone(service, key, `/templates/${id}`);
    await page.getByRole('region', { name: 'Preview' }).getByText('Marketing has to say where the store is').waitFor();
    const color = async () => {
      const hello = frame(page).getByText('Hello');
      await hello.waitFor();
      return await hello.evaluate((element: any) => element.ownerDocument.defaultView.getComputedStyle(element).color);
    };
    expect(await color()).to.equal('rgb(1, 1, 1)');
    await page.getByLabel('Dark', { exact: true }).check();
    await until(async () => (await color()) === 'rgb(2, 2, 2)', 'it is dark');
  });

  it('loads no image of another host for a preview before somebody wants it, and follows no link', async () => {
    const id = await create({
      name: 'Images',
      kind: 'html',
      subject: 'Images',
      body: `<p style="background: url(https://images.invalid/a.png)">Here</p><img src="https://images.invalid/b.png" alt="A cup"><a href="https://shop.invalid/">Shop</a>${UNSUBSCRIBE}`,
    });
    const asked: string[] = [];
    const page = await dashboard.openAlone(service, key, `/templates/${id}`, {
      origins: ['https://images.invalid'],
      allow: [/images\.invalid/, /Blocked opening/],
    });
    // What the policy refuses does not come here.
    await page.route(/\.invalid\//, async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    await page.reload();
    await frame(page).getByText('Here').waitFor();
    await frame(page).getByText('Shop').click();
    expect(asked).to.deep.equal([]);
    await page.getByLabel('Load images of other hosts').check();
    await until(async () => new Set(asked).size === 2, 'the images are asked for');
    expect(asked).to.have.members(['https://images.invalid/a.png', 'https://images.invalid/b.png']);
    expect(page.context().pages()).to.have.length(1);
  });

  it('builds an e-mail of blocks by the keyboard alone', async () => {
    const page = await open();
    const enter = async (name: string, role: 'button' | 'menuitem' | 'checkbox' = 'button') => {
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const add = async (name: string, to = 'Add a block') => {
      await enter(to);
      await until(() => page.evaluate<boolean>("!!document.activeElement?.closest('[role=menu]')"), 'the menu is open');
      await enter(name, 'menuitem');
    };
    const focused = () => page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`);
    const untilFocused = (name: string) => until(async () => (await focused()) === name, `the focus is on ${name}`);
    await enter('Create a template');
    await dialog(page).getByLabel('Name').fill('News');
    await page.keyboard.press('Enter');
    await page.getByText('Saved, revision 1').waitFor();
    await add('Button');
    await untilFocused('Edit 4, Button');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('See it');
    await page.getByLabel('Where it leads').fill('https://shop.example/');
    await enter('Move up 4, Button');
    await untilFocused('Move up 3, Button');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await untilFocused('Move down 1, Button');
    await enter('Delete 2, Heading');
    await untilFocused('Edit 2, Text');
    await add('Columns');
    await untilFocused('Edit 4, Columns');
    await add('Heading', 'Add to: Blocks of column 2');
    await page.getByRole('list', { name: 'Blocks of column 2' }).getByRole('textbox', { name: 'Text' }).fill('Right');
    await enter('Move up 4, Columns');
    await enter('Save');
    await page.getByText('Saved, revision 2').waitFor();
    const { templates } = (await client.get<any>('/v1/templates')).body;
    expect((await template(templates[0].id)).draft.body).to.deep.equal({
      blocks: [
        { type: 'button', text: 'See it', url: 'https://shop.example/' },
        { type: 'text', text: 'What we wanted to tell you.' },
        { type: 'columns', columns: [{ blocks: [] }, { blocks: [{ type: 'heading', text: 'Right' }] }] },
        { type: 'footer' },
      ],
    });
    await frame(page).getByText('Right').waitFor();
  });

  it('has a form for each type of block', async () => {
    const blocks = [
      { type: 'heading', text: 'A', level: 2 },
      { type: 'text', text: 'B' },
      { type: 'button', text: 'C', url: 'https://shop.example/' },
      { type: 'image', url: 'https://shop.example/i.png', alt: 'D' },
      { type: 'columns', columns: [{ blocks: [] }, { blocks: [] }] },
      { type: 'divider' },
      { type: 'spacer', height: 10 },
      { type: 'product' },
      { type: 'repeat', over: 'event.properties.items', blocks: [{ type: 'product' }] },
      { type: 'social', links: [{ name: 'E', url: 'https://social.example/' }] },
      { type: 'footer' },
      { type: 'html', html: '<p>F</p>' },
      { type: 'recommend', kind: 'also_bought' },
    ];
    const id = await create({ name: 'All', kind: 'blocks', body: { blocks } });
    const page = await open(`/templates/${id}`);
    const list = page.getByRole('list', { name: 'Blocks', exact: true });
    const fill = async (block: string, label: string, value: string, of = list) => {
      await of.getByRole('button', { name: `Edit ${block}`, exact: true }).click();
      const form = of.getByRole('listitem', { name: block, exact: true });
      await form.getByLabel(label, { exact: true }).first().fill(value);
    };
    await fill('1, Heading', 'Text', 'Aa');
    await fill('2, Text', 'Size in pixels', '20');
    await fill('3, Button', 'Colour', '#112233');
    await fill('4, Image', 'Width in pixels', '280');
    await fill('5, Columns', 'Width in percent', '40');
    await fill('6, Line', 'Thickness in pixels', '3');
    await fill('7, Space', 'Height in pixels', '24');
    await fill('8, Product', 'Currency of the price', 'EUR');
    await fill('9, Repetition', 'How many at most', '3');
    await fill('10, Links elsewhere', 'Text', 'Ee');
    await fill('11, Footer', 'Link to unsubscribe', 'Abmelden');
    await fill('12, HTML', 'HTML', '<p>Ff</p>');
    await fill('13, Recommendations', 'Bought with this item', 'TEA-1');
    await page.getByRole('button', { name: 'How all of it looks' }).click();
    await page.getByLabel('Width of the content in pixels').fill('640');
    await press(page, 'Save');
    await page.getByText('Saved, revision 2').waitFor();
    expect((await template(id)).draft.body).to.deep.equal({
      style: { width: 640 },
      blocks: [
        { type: 'heading', text: 'Aa', level: 2 },
        { type: 'text', text: 'B', size: 20 },
        { type: 'button', text: 'C', url: 'https://shop.example/', color: '#112233' },
        { type: 'image', url: 'https://shop.example/i.png', alt: 'D', width: 280 },
        { type: 'columns', columns: [{ blocks: [], width: 40 }, { blocks: [] }] },
        { type: 'divider', thickness: 3 },
        { type: 'spacer', height: 24 },
        { type: 'product', currency: 'EUR' },
        { type: 'repeat', over: 'event.properties.items', blocks: [{ type: 'product' }], limit: 3 },
        { type: 'social', links: [{ name: 'Ee', url: 'https://social.example/' }] },
        { type: 'footer', unsubscribe: 'Abmelden' },
        { type: 'html', html: '<p>Ff</p>' },
        { type: 'recommend', kind: 'also_bought', item: 'TEA-1' },
      ],
    });
  });

  it('names what is wrong with its line, and publishes nothing before that is mended', async () => {
    const id = await create({ name: 'Faulty', kind: 'html', body: '<p>\n{{ store.name | shout }}</p>' });
    const page = await open(`/templates/${id}`);
    const problems = page.getByRole('list', { name: 'Problems', exact: true }).first();
    await problems.getByText('There is no filter').waitFor();
    await problems.getByText('body, line 2').waitFor();
    await page.getByRole('button', { name: 'Line 2' }).click();
    const at = '[document.activeElement.tagName, document.activeElement.selectionStart]';
    expect(await page.evaluate(at)).to.deep.equal(['TEXTAREA', 20]);
    await page.getByText('There would be no message').waitFor();
    await press(page, 'Publish');
    expect(await dialog(page).getByRole('button', { name: 'Publish' }).isDisabled()).to.equal(true);
  });

  it('says it in other languages, with settings, and keeps both when somebody else has saved meanwhile', async () => {
    const layout = await create({ name: 'Frame', kind: 'html', use: 'layout', body: '{{ content }}' });
    await publish(layout);
    const id = await create({ name: 'Two', kind: 'html', subject: 'Hello', body: `<p>Hello</p>${UNSUBSCRIBE}` });
    const page = await open(`/templates/${id}`, { allow: [/status of 400/] });
    await page.getByRole('tab', { name: 'Languages' }).click();
    await press(page, 'Add a language');
    await page.getByLabel('Subject').fill('Hallo');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Transactional').check();
    await page.getByRole('combobox', { name: 'Layout around it' }).click();
    await page.getByRole('option', { name: 'Frame' }).click();
    await client.send(
      'PUT',
      `/v1/templates/${id}`,
      JSON.stringify({ ...USUAL_DRAFT, revision: 1, name: 'Theirs', kind: 'html', body: 'x' }),
      {
        expect: 200,
        headers: { 'Content-Type': 'application/json' },
      },
    );
    await press(page, 'Save');
    await page.getByText('Somebody else has changed this draft').waitFor();
    await press(page, 'Save mine in place of theirs');
    await page.getByText('Saved, revision 3').waitFor();
    const { draft } = await template(id);
    expect(draft).to.include({ name: 'Two', class: 'transactional', subject: 'Hello', layout_id: layout });
    expect(draft.translations).to.deep.equal({ de: { subject: 'Hallo' } });
    await page.getByLabel('Language', { exact: true }).last().fill('de');
    await press(page, 'Show');
    await page.getByText('Hallo', { exact: true }).waitFor();
    await page.getByLabel('Name').fill('Unsaved');
    await page.getByRole('link', { name: 'Events' }).click();
    await dialog(page).getByText('What you have changed in this draft is lost.').waitFor();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  });

  it('names the templates that hold an older copy of a snippet, and archives one for good', async () => {
    const snippet = await create({ name: 'Footer', kind: 'html', use: 'snippet', body: `<p>${UNSUBSCRIBE}</p>` });
    await publish(snippet);
    const message = await create({ name: 'With it', kind: 'html', subject: 'A', body: `{% snippet "${snippet}" %}` });
    await publish(message);
    const page = await open(`/templates/${snippet}`);
    await page.getByLabel('Body, in HTML').fill(`<p>New: ${UNSUBSCRIBE}</p>`);
    await press(page, 'Save');
    await page.getByText('Saved, revision 2').waitFor();
    await press(page, 'Publish');
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByRole('link', { name: 'With it' }).click();
    await page.getByRole('heading', { name: 'With it', level: 1 }).waitFor();
    await press(page, 'Archive');
    await dialog(page).getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This template is archived').waitFor();
    expect(await page.getByLabel('Body, in HTML').isDisabled()).to.equal(true);
    expect((await template(message)).status).to.equal('archived');
  });

  it('can be read without the scope to write, and is not shown without one to read', async () => {
    const { storeId } = await service.newKey();
    const as = async (...scopes: Scope[]) => (await service.newKey({ storeId, scopes })).key;
    const owner = (await service.client()).as(await as('messages:write'));
    const { id } = (await owner.post<any>('/v1/templates', { name: 'Theirs', kind: 'sms', body: 'Hi' })).body;
    const reader = await dashboard.open(service, await as('messages:read'), `/templates/${id}`);
    await reader.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    expect(await reader.getByLabel('Text', { exact: true }).isDisabled()).to.equal(true);
    expect(await reader.getByRole('button', { name: 'Save' }).count()).to.equal(0);
    expect(await reader.getByRole('heading', { name: 'Preview' }).count()).to.equal(0);
    const blind = await dashboard.open(service, await as('events:read'), '/events');
    await blind.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    expect(await blind.getByRole('link', { name: 'Templates' }).count()).to.equal(0);
  });

  it('cuts nothing, and has nothing for axe to complain of, at every width, in light and dark colours', async () => {
    const long = 'a-long-word-'.repeat(12);
    const columns = {
      type: 'columns',
      columns: [{ blocks: [{ type: 'repeat', over: '', blocks: [{ type: 'text', text: long }] }] }, { blocks: [] }],
    };
    const id = await create({
      name: long.slice(0, 100),
      kind: 'blocks',
      subject: long,
      body: { blocks: [columns, { type: 'heading', text: long }, { type: 'footer' }] },
      translations: { de: { subject: 'Hallo' } },
    });
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    await page.getByRole('link', { name: 'a-long-word' }).waitFor();
    await check('the list');
    await press(page, 'Create a template');
    await dialog(page).getByLabel('Name').waitFor();
    await check('creating');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'a-long-word' }).click();
    await page.getByRole('button', { name: 'Edit 1, Columns' }).click();
    await page.getByRole('button', { name: 'Edit 1, Repetition' }).click();
    await page.getByRole('button', { name: 'Edit 1, Text' }).click();
    await page.getByRole('button', { name: 'How all of it looks' }).click();
    await check('blocks');
    await page.getByRole('tab', { name: 'Languages' }).click();
    await page.getByLabel('Another body in this language').check();
    await check('languages');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await check('settings');
    expect(await template(id)).to.have.property('status', 'draft');
  });
});
