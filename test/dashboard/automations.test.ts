import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/caller.ts';
import { violations } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ADA = { email: 'ada@example.com' };
/** Waits for a gift, or a day. */
const WAITING = {
  name: 'Gifts',
  trigger: { type: 'event', event_type: 'joined' },
  key: { property: 'club' },
  entry_condition: { attribute: 'tier', op: 'eq', value: 'gold' },
  start: 'gift',
  steps: [
    { id: 'gift', type: 'wait', for: [{ event_type: 'gift_sent', next: 'known' }], timeout: 'P1D', on_timeout: null },
    {
      id: 'known',
      type: 'branch',
      cases: [{ when: { attribute: 'tier', op: 'eq', value: 'gold' }, next: 'mark' }],
      else: null,
    },
    { id: 'mark', type: 'set_profile', set: { gifted: true }, next: 'end' },
    { id: 'end', type: 'exit', reason: 'has a gift' },
  ],
};

describe('The dashboard: Automations', () => {
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
    ({ key, storeId } = await service.newKey({ name: 'Owner' }));
    client = (await service.client()).as(key);
  });

  const open = (path = '/automations', options = {}) => dashboard.open(service, key, path, options);
  const send = (event_type: string, properties: object = {}, profile: object = ADA) =>
    client.post('/v1/events', { event_type, profile, properties }, { expect: 201 });
  const steps = (page: Page) => page.getByRole('list', { name: 'Steps', exact: true });
  const runs = (page: Page) => page.getByRole('table', { name: 'Runs' }).getByRole('row');
  const dialog = (page: Page) => page.getByRole('dialog');

  /** An automation that is live. */
  async function publish(definition: object): Promise<string> {
    const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
    await client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
    return body.id;
  }

  /** The first run of an automation, once there is one that fits. */
  async function runOf(id: string, fits: (run: any) => boolean = () => true): Promise<any> {
    let found: any;
    await until(async () => {
      const { body } = await client.get(`/v1/automations/${id}/runs`, { expect: 200 });
      found = body.runs.find(fits);
      return found !== undefined;
    }, 'there is a run');
    return found;
  }

  async function chooseFrom(page: Page, menu: string, item: string): Promise<void> {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  it('goes from a template over its steps to a run of a customer, and ends that', async () => {
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { first_name: 'Ada' } });
    const page = await open();
    await page.getByText('No automations yet').waitFor();
    await page.getByRole('button', { name: 'Create: Abandoned cart' }).click();
    await page.getByRole('heading', { name: 'Edit “Abandoned cart”' }).waitFor();

    await page.getByRole('button', { name: 'Edit hour' }).click();
    await dialog(page).getByLabel('How long', { exact: true }).fill('3');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await steps(page).getByText('Wait 3 hours').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByText('This is the first version').waitFor();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 1 is published.').waitFor();

    const since = Date.now();
    await send('started_checkout', { cart_id: '<b>c1</b>', value: 20 });
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await page.getByRole('heading', { name: 'Abandoned cart', level: 1 }).waitFor();
    await page.getByText('started_checkout happens, if cart_id of the event is there').waitFor();
    await page.getByRole('link', { name: '1 here now' }).click();
    await runs(page).getByRole('link', { name: 'Ada' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?status=active&step=hour');
    await runs(page).nth(1).getByRole('link').last().click();

    await page.getByRole('heading', { name: 'Run', level: 1 }).waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Key <b>c1</b>').waitFor();
    const until3 = await timeline.getByText('Until').locator('time').getAttribute('datetime');
    expect(Date.parse(until3 ?? '') - since).to.be.within(3 * 3_600_000 - 5_000, 3 * 3_600_000 + 60_000);
    await page.getByRole('button', { name: 'End the run' }).click();
    await timeline.getByText('somebody ended it').waitFor();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    await runs(page).getByRole('link', { name: 'Abandoned cart' }).waitFor();
    await runs(page).getByText('somebody ended it').waitFor();
  });

  it('pauses, resumes and archives, and lists each with its status', async () => {
    const id = await publish({ ...WAITING, entry_condition: undefined });
    const page = await open(`/automations/${id}`);
    const change = async (item: string, status: string) => {
      await chooseFrom(page, 'More', `${item}…`);
      await dialog(page).getByRole('button', { name: item }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByText(status, { exact: true }).waitFor();
    };
    await change('Pause', 'paused');
    await send('joined', { club: 'c1' });
    await page.getByText('1: the automation was paused').waitFor({ timeout: 30_000 });
    await chooseFrom(page, 'More', 'Resume…');
    await dialog(page).getByRole('radio', { name: 'Go on' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await change('Resume', 'live');
    await change('Archive', 'archived');
    expect(await page.getByRole('button', { name: 'More' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Automations', exact: true }).click();
    const row = page.getByRole('table', { name: 'Automations' }).getByRole('row').filter({ hasText: 'Gifts' });
    await row.getByText('archived').waitFor();
    await row.getByText('joined happens').waitFor();
  });

  it('adds, moves, changes and removes steps by the keyboard alone', async () => {
    const page = await open();
    await chooseFrom(page, 'Create', 'An empty one');
    const press = async (name: string, role: 'button' | 'menuitem' = 'button') => {
      const control = page.getByRole(role, { name, exact: true });
      await control.focus();
      await page.keyboard.press('Enter');
    };
    const add = async (type: string) => {
      await press(type);
      await dialog(page).getByLabel('Id', { exact: true }).waitFor();
      await press('Done');
      await dialog(page).waitFor({ state: 'detached' });
    };
    const choose = async (id: string, item: string) => {
      await press(`More for ${id}`);
      // It takes the focus once it is open.
      await until(() => page.evaluate<boolean>("!!document.activeElement?.closest('[role=menu]')"), 'the menu is open');
      await press(item, 'menuitem');
    };
    /** Waits until the ids of the steps are these, in the order of the list. */
    const expectOrder = (...ids: string[]) =>
      until(async () => {
        const shown = await page.evaluate<string>(
          `[...document.querySelectorAll('[data-step]')].map((e) => e.dataset.step).join()`,
        );
        return shown === ids.join();
      }, `the steps are ${ids}`);
    await press('Add a step');
    await add('Delay');
    await choose('delay', 'Add a step after');
    await add('Branch');
    await press('Add a step to way 1 from branch');
    await add('Record an event');
    await choose('record', 'Add a step before');
    await add('Change the profile');
    await expectOrder('delay', 'branch', 'change', 'record');
    await choose('record', 'Move up');
    await expectOrder('delay', 'branch', 'record', 'change');
    await choose('record', 'Move up');
    await expectOrder('delay', 'record', 'branch', 'change');
    await choose('delay', 'Delete');
    await expectOrder('record', 'branch', 'change');

    await press('Edit change');
    await dialog(page).getByRole('button', { name: 'Add a value' }).click();
    await dialog(page).getByLabel('Name').fill('welcomed');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await press('Save');
    await page.getByText('Saved, revision 2').waitFor();
    const { body: list } = await client.get('/v1/automations');
    const { body } = await client.get(`/v1/automations/${list.automations[0].id}`);
    expect(body.draft.start).to.equal('record');
    expect(body.draft.steps).to.have.deep.members([
      { id: 'record', type: 'emit_event', event_type: 'something_due', next: 'branch' },
      {
        id: 'branch',
        type: 'branch',
        cases: [{ when: { identifier: 'email', op: 'exists' }, next: 'change' }],
        else: null,
      },
      { id: 'change', type: 'set_profile', set: { welcomed: '' }, next: null },
    ]);
    expect(body.problems).to.deep.equal([]);
  });

  it('edits trigger, conditions, exits and time zone by forms', async () => {
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const page = await open(`/automations/${body.id}/edit`);
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    await page.getByLabel('Name').fill('Presents');
    await page.getByLabel('Not for events older than', { exact: true }).fill('2');
    const filter = page.getByRole('group', { name: 'Only where', exact: true });
    await filter.getByRole('button', { name: 'Add a condition' }).click();
    const row = page.getByRole('group', { name: 'Only where, condition 1' });
    await row.getByLabel('Property').fill('cart > value');
    await row.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'is at least' }).click();
    await row.getByLabel('Value').fill('20.5');
    await page.getByRole('button', { name: 'Add an event that ends it' }).click();
    await page.getByLabel('Property with the same key').fill('club');
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByLabel('Time zone', { exact: true }).fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    expect(after.draft).to.deep.equal({
      ...WAITING,
      name: 'Presents',
      trigger: {
        ...WAITING.trigger,
        max_age: 'P2D',
        filter: { property: ['cart', 'value'], op: 'gte', value: 20.5 },
      },
      exit_on: [{ event_type: 'placed_order', match_key: { property: 'club' } }],
      time_zone: { default: 'Europe/Berlin' },
    });
  });

  it('edits all of it as JSON, with what is wrong at its line, and asks before changes are lost', async () => {
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const page = await open(`/automations/${body.id}/edit`, { allow: [/status of 400/] });
    await page.getByRole('tab', { name: 'JSON' }).click();
    const area = page.getByLabel('Definition as JSON');
    const text = await area.inputValue();
    expect(JSON.parse(text)).to.deep.equal(WAITING);
    await area.fill(text.slice(0, -2));
    await page.getByText('This is not JSON').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    await area.fill(text.replace('"joined"', '7'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The draft was not saved').waitFor();
    const line = text.slice(0, text.indexOf('"joined"')).split('\n').length;
    await page.getByRole('button', { name: `Line ${line}` }).waitFor();

    // Saved, though it can't be published.
    await area.fill(text.replace('"next": "mark"', '"next": "nowhere"'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It can’t be published yet').waitFor();
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.getByText('Leads to nowhere, which is missing.').waitFor();
    await page.locator('[data-step=known]').getByRole('list', { name: 'Problems' }).first().waitFor();
    await page.getByText('Nothing leads to these steps').waitFor();

    await page.getByRole('button', { name: 'More for gift' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Gifts', level: 1 }).waitFor();
  });

  it('says that somebody else has changed the draft, and keeps either', async () => {
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const page = await open(`/automations/${body.id}/edit`, { allow: [/status of 400/] });
    const changeElsewhere = async (revision: number, name: string) => {
      const definition = { ...WAITING, name };
      const headers = { 'Content-Type': 'application/json' };
      await client.send('PUT', `/v1/automations/${body.id}`, JSON.stringify({ revision, definition }), {
        expect: 200,
        headers,
      });
    };
    const rename = async (name: string) => {
      await page.getByRole('tab', { name: 'Trigger and rules' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await page.getByText('Saved, revision 1').waitFor();
    await changeElsewhere(1, 'Theirs');
    await rename('Mine');
    await page.getByText('Somebody else has changed this draft').waitFor();
    await page.getByRole('button', { name: 'Drop mine, show theirs' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    expect(await page.getByLabel('Name').inputValue()).to.equal('Theirs');
    await changeElsewhere(2, 'Theirs again');
    await rename('Mine');
    await page.getByRole('button', { name: 'Save mine in place of theirs' }).click();
    await page.getByText('Saved, revision 4').waitFor();
    expect((await client.get(`/v1/automations/${body.id}`)).body.name).to.equal('Mine');
  });

  it('publishes a second version after showing what it changes, and moves the runs to it', async () => {
    const id = await publish({ ...WAITING, entry_condition: undefined });
    await send('joined', { club: 'c1' });
    await runOf(id);
    const definition = { ...WAITING, name: 'Presents' };
    const headers = { 'Content-Type': 'application/json' };
    await client.send('PUT', `/v1/automations/${id}`, JSON.stringify({ revision: 1, definition }), {
      expect: 200,
      headers,
    });
    const page = await open(`/automations/${id}`);
    await page.getByText('The draft has changes that are not published.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const changes = await dialog(page).getByRole('region', { name: 'Changes since version 1' }).textContent();
    expect(changes)
      .to.match(/removed: .*"name": "Gifts"/)
      .and.match(/added: .*"name": "Presents"/);
    await dialog(page).getByText('Active runs on earlier versions: 1').waitFor();
    await dialog(page).getByRole('radio', { name: 'Move' }).check();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 2 is published.').waitFor();
    const versions = page.getByRole('table', { name: 'Versions' });
    await versions.getByText('earlier runs move to it').waitFor();
    await versions.getByRole('button', { name: 'Show version 1' }).click();
    await dialog(page).getByText('"name": "Gifts"').waitFor();
    await send('gift_sent');
    await runOf(id, ({ version, status }) => version === 2 && status === 'ended');
  });

  it('simulates a recent event, with what the customer did afterwards or not, and a made-up one', async () => {
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { tier: 'gold' } });
    await send('joined', { club: 'c1' }, { external_id: 'cust_1' });
    await send('joined', { club: 'c1' });
    await send('gift_sent', {});
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const page = await open(`/automations/${body.id}`);
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('Of the last 2, 1 would enter.').waitFor();
    await page.getByText('Failed at: the customer’s tier is “gold”; there was no value').waitFor();
    const entering = page.getByRole('table', { name: 'Recent events' }).getByRole('row').filter({ hasText: 'yes' });
    const timeline = page.getByRole('list', { name: 'Timeline of the simulation' });
    await entering.getByRole('button').click();
    await timeline.getByText('It did not come in time').waitFor();
    expect(await page.getByRole('list', { name: 'Effects' }).count()).to.equal(0);
    await page.getByLabel('Follow what the customer really did afterwards').check();
    await entering.getByRole('button').click();
    await timeline.getByText('On gift_sent').waitFor();
    await timeline.getByText('If the customer’s tier is “gold”').waitFor();
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

  it('says why a customer is not in an automation, and where one is that was', async () => {
    const id = await publish(WAITING);
    const { body } = await send('joined', { club: 'c1' });
    await until(async () => {
      const { body: explained } = await client.get(`/v1/automations/${id}/explanation?profile_id=${body.profile_id}`);
      return explained.candidates[0]?.decision === 'skipped';
    }, 'it is decided');
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { tier: 'gold' } });
    await send('joined', { club: 'c2' });
    await runOf(id);
    const page = await open(`/profiles/${body.profile_id}`);
    await page.getByRole('button', { name: 'Why not?' }).click();
    await dialog(page).getByRole('combobox', { name: 'Automation' }).click();
    await page.getByRole('option', { name: 'Gifts' }).click();
    const occasions = page.getByRole('list', { name: 'Occasions to enter' }).getByRole('listitem');
    await occasions.nth(1).getByText('No: the entry condition did not hold.').waitFor();
    await occasions.nth(1).getByText('Failed at: the customer’s tier is “gold”; there was no value').waitFor();
    await occasions.first().getByRole('link', { name: 'The run' }).click();
    await page.getByRole('list', { name: 'Timeline' }).getByText('Key c2').waitFor();
  });

  it('shows what a key may see, and says what it lacks for publishing', async () => {
    const { body } = await client.post('/v1/automations', { definition: WAITING });
    const as = async (scopes: Scope[]) => (await service.newKey({ storeId, scopes })).key;
    const blind = await dashboard.open(service, await as(['events:read', 'profiles:read']), '/profiles');
    await blind.getByText('No customers yet').waitFor();
    expect(await blind.getByRole('link', { name: 'Automations' }).count()).to.equal(0);

    const reader = await dashboard.open(service, await as(['automations:read']), `/automations/${body.id}`);
    await reader.getByText('joined happens').waitFor();
    for (const name of ['Edit', 'Publish', 'Simulate', 'More']) {
      expect(await reader.getByRole('button', { name }).count(), name).to.equal(0);
    }
    expect(await reader.getByRole('heading', { name: 'Runs', exact: true }).count()).to.equal(0);

    const writer = await dashboard.open(
      service,
      await as(['automations:read', 'automations:write']),
      `/automations/${body.id}`,
      { allow: [/status of 403/] },
    );
    await writer.getByRole('button', { name: 'Publish' }).click();
    await dialog(writer).getByRole('button', { name: 'Publish' }).click();
    await dialog(writer).getByText('profiles:write').waitFor();
  });

  it('says on every page that a restored copy is held', async () => {
    await publish(WAITING);
    await service.database.query(`insert into automation_hold values ('${storeId}', now())`);
    const page = await open('/profiles');
    const banner = page.getByRole('status').filter({ hasText: 'Held after a restore' });
    await banner.waitFor();
    await page.getByRole('link', { name: 'Automations' }).click();
    await page.getByRole('link', { name: 'Gifts' }).waitFor();
    await banner.waitFor();
  });

  for (const [colorScheme, width] of [
    ['light', 390],
    ['dark', 1280],
  ] as const) {
    it(`cuts nothing, and has nothing for axe to complain of: ${width} pixels, ${colorScheme}`, async () => {
      const id = await publish({ ...WAITING, entry_condition: undefined });
      await client.post('/v1/automations', { definition: { ...WAITING, name: 'A-long-name-'.repeat(8) } });
      await send('joined', { club: 'c'.repeat(200) });
      const { id: runId, profile_id } = await runOf(id);
      const viewport = { width, height: 900 };
      const page = await open('/automations', { colorScheme, viewport, reducedMotion: 'reduce' });
      const check = async (what: string) => {
        expect(await violations(page), what).to.deep.equal([]);
        expect(await layoutFaults(page), what).to.deep.equal([]);
      };
      /** Within the page, so that nobody has to sign in again. */
      const visit = async (path: string, ready: string) => {
        await page.evaluate(
          `history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
        );
        await page.getByText(ready).first().waitFor();
      };
      await page.getByRole('link', { name: 'Gifts' }).waitFor();
      await check('the list');
      await visit(`/automations/${id}`, 'here now');
      await check('an automation');
      await visit(`/automations/${id}/runs/${runId}`, 'Waits for something');
      await check('a run');
      await visit(`/profiles/${profile_id}`, 'Why not?');
      await check('a profile');
      await visit(`/automations/${id}/edit`, 'Saved, revision 1');
      await check('the steps');
      await page.getByRole('button', { name: 'Edit gift' }).click();
      await dialog(page).getByLabel('Id', { exact: true }).waitFor();
      await check('a step');
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Trigger and rules' }).click();
      await check('the rules');
      await page.getByRole('tab', { name: 'JSON' }).click();
      await check('JSON');
    });
  }
});
