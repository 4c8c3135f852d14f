import { expect } from 'chai';
import { violations } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { chooseFrom, dialog, select, sending, WAITING } from './support/automations.ts';

describe('The dashboard: the editor of an automation', () => {
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

  it('warns of messages without consent before it is published, and adds the conditions', async () => {
    const steps = [{ id: 'offer', type: 'emit_event', event_type: 'offer_due', next: null }];
    const definition = { name: 'Offer', trigger: { type: 'event', event_type: 'placed_order' }, start: 'offer', steps };
    const { body } = await client.post<any>('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}/edit`);
    const warning = page.getByText('may send a message to customers who have opted out');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByText('may send a message to customers who have opted out').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ask for consent to e-mails' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    await warning.waitFor({ state: 'detached' });
    const { draft, warnings } = (await client.get<any>(`/v1/automations/${body.id}`, { expect: 200 })).body;
    expect(warnings).to.deep.equal([]);
    expect(JSON.stringify([draft.entry_condition, draft.exit_when])).to.include('"consent"');
  });

  it('adds, moves, changes and removes steps by the keyboard alone', async () => {
    const page = await open();
    await chooseFrom(page, 'Create', 'An empty one');
    const press = async (name: string, control = page.getByRole('button', { name, exact: true })) => {
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
      // The one before may be closing still.
      const menu = page.getByRole('menu', { name: `More for ${id}` });
      await press(item, menu.getByRole('menuitem', { name: item, exact: true }));
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
    await page.getByText('Saved, revision 1').waitFor();
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
    await page.getByLabel('Name', { exact: true }).fill('Presents');
    await page.getByLabel('Not for events older than', { exact: true }).fill('2');
    const filter = page.getByRole('group', { name: 'Only where', exact: true });
    await filter.getByRole('button', { name: 'Add a condition' }).click();
    const row = page.getByRole('group', { name: 'Only where, condition 1' });
    await row.getByRole('combobox', { name: 'name of the property' }).fill('cart > value');
    await row.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'is at least' }).click();
    await row.getByLabel('Value').fill('20.5');
    await page.getByRole('button', { name: 'Add an event that ends it' }).click();
    await page.getByRole('combobox', { name: 'Property with the same key' }).fill('club');
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

  it('saves no number that is not filled in, and takes no text for one', async () => {
    const definition = {
      ...WAITING,
      trigger: { ...WAITING.trigger, filter: { property: 'value', op: 'gte', value: 20 } },
    };
    const { body } = await client.post('/v1/automations', { definition });
    const page = await open(`/automations/${body.id}/edit`);
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    const row = page.getByRole('group', { name: 'Only where, condition 1' });
    await row.getByLabel('Value').fill('');
    const problems = page.getByRole('list', { name: 'Problems' });
    await problems.getByText('trigger.filter.value').waitFor();
    await page.getByText('It can’t be saved yet').waitFor();
    expect(await row.getByLabel('Value').inputValue()).to.equal('');
    expect(await save.isDisabled()).to.equal(true);

    // It is missing, too, after it was edited as text, and is no value of a list.
    await page.getByRole('tab', { name: 'JSON' }).click();
    const area = page.getByLabel('Definition as JSON');
    await area.fill(`${await area.inputValue()}\n`);
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    expect(await row.getByLabel('Value').inputValue()).to.equal('');
    expect(await save.isDisabled()).to.equal(true);
    const compare = async (operator: string) => {
      await row.getByRole('combobox', { name: 'Comparison' }).click();
      await page.getByRole('option', { name: operator, exact: true }).click();
    };
    await compare('is one of');
    await problems.waitFor({ state: 'detached' });
    await compare('is at least');
    await problems.waitFor();
    await row.getByLabel('Value').pressSequentially('-0.5');
    await problems.waitFor({ state: 'detached' });
    expect(await row.getByLabel('Value').inputValue()).to.equal('-0.5');

    await compare('is one of');
    const tags = row.getByRole('combobox', { name: 'Only where, condition 1: value' });
    await tags.fill('many');
    await tags.press('Enter');
    await row.getByText('Not a number: many').waitFor();
    await tags.fill('7');
    await tags.press('Enter');
    await save.click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    expect(after.draft.trigger.filter).to.deep.equal({ property: 'value', op: 'in', value: [-0.5, 7] });
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
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await page.getByText('Saved, revision 1').waitFor();
    await changeElsewhere(1, 'Theirs');
    await rename('Mine');
    await page.getByText('Somebody else has changed this draft').waitFor();
    await page.getByRole('button', { name: 'Drop mine, show theirs' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Theirs');
    await changeElsewhere(2, 'Theirs again');
    await rename('Mine');
    await page.getByRole('button', { name: 'Save mine in place of theirs' }).click();
    await page.getByText('Saved, revision 4').waitFor();
    expect((await client.get(`/v1/automations/${body.id}`)).body.name).to.equal('Mine');
  });

  it('edits conditions within conditions, and keeps what it is not asked to change', async () => {
    const nested = {
      all: [
        { attribute: 'tier', op: 'eq', value: 'gold' },
        { not: { any: [{ did: { event_type: 'complained', filter: { property: 'grave', op: 'eq', value: true } } }] } },
      ],
    };
    const { body } = await client.post('/v1/automations', { definition: { ...WAITING, entry_condition: nested } });
    const page = await open(`/automations/${body.id}/edit`);
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    const within = page.getByRole('group', { name: 'Enters if, group 2', exact: true });
    await within
      .getByLabel('Enters if, group 2: how many conditions')
      .and(page.locator('[value="none of these is true"]'))
      .waitFor();
    await within
      .getByRole('group', { name: 'Enters if, condition 2.1: only events where', exact: true })
      .getByRole('combobox', { name: 'name of the property' })
      .fill('serious');
    await within.getByRole('button', { name: 'Add a group' }).last().click();
    const deepest = page.getByRole('group', { name: 'Enters if, group 2.2', exact: true });
    await deepest.getByRole('combobox', { name: 'name of the attribute' }).fill('banned');
    await deepest.getByRole('button', { name: 'Add a group' }).click();
    const last = page.getByRole('group', { name: 'Enters if, group 2.2.2', exact: true });
    await last.getByRole('button', { name: 'Add a condition' }).waitFor();
    expect(await last.getByRole('button', { name: 'Add a group' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Remove Enters if, group 2.2.2', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Enters if, condition 1', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    const filter = { property: 'serious', op: 'eq', value: true };
    expect(after.draft.entry_condition).to.deep.equal({
      all: [
        {
          not: {
            any: [
              { did: { event_type: 'complained', filter } },
              { any: [{ attribute: 'banned', op: 'eq', value: '' }] },
            ],
          },
        },
      ],
    });
    expect(after.problems).to.deep.equal([]);
  });

  it('adds up what the customer did since the trigger, and compares what identifies them', async () => {
    const { body } = await client.post('/v1/automations', { definition: { ...WAITING, entry_condition: undefined } });
    const page = await open(`/automations/${body.id}/edit`);
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    const label = 'Ends before an action if, condition';
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: `${label} ${field}`, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const group = page.getByRole('group', { name: 'Ends before an action if', exact: true });
    const add = () => group.getByRole('button', { name: 'Add a condition' }).last().click();
    await add();
    await choose('1: what is asked', 'did something');
    await choose('1: how often', 'with a sum of');
    await page.getByRole('combobox', { name: `${label} 1: property of the events` }).fill('value');
    await page.getByLabel(`${label} 1: number`, { exact: true }).fill('99.5');
    await choose('1: when', 'since the trigger');
    await add();
    await choose('2: what is asked', 'has an identifier');
    await choose('2: comparison', 'starts with');
    await page.getByRole('combobox', { name: `${label} 2: value` }).fill('ada');
    await choose('2: whether it is true', 'not: the customer');
    expect(await violations(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    const sum = { property: 'value', op: 'gte', value: 99.5 };
    expect(after.draft.exit_when).to.deep.equal({
      all: [
        { did: { event_type: 'placed_order', sum, since: 'trigger' } },
        { not: { identifier: 'email', op: 'starts_with', value: 'ada' } },
      ],
    });
    expect(after.problems).to.deep.equal([]);
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    const words =
      'events since the trigger add up to at least 99.5 in “value” and the customer’s e-mail address does not';
    await page.getByText(words).waitFor();
  });

  it('makes a step that sends a message, and says at the step what is wrong with it', async () => {
    const input = { url: 'https://hooks.shop.example/', name: 'Mailer' };
    const { body: made } = await client.post('/v1/webhook-endpoints', input, { expect: 201 });
    const definition = sending('01a1f852-3c10-7a42-9d7e-5b8f10c6e2d4', { data: undefined });
    const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}/edit`);
    const problems = page.locator('[data-step=greet]').getByRole('list', { name: 'Problems' });
    await problems.getByText('Its webhook endpoint is not there').waitFor();
    await page.getByRole('button', { name: 'Edit greet' }).click();
    await select(page, 'Webhook endpoint', 'Mailer');
    await dialog(page).getByLabel('Type of message').fill('member.greeted');
    await dialog(page).getByRole('button', { name: 'Add a value' }).click();
    await dialog(page).getByLabel('Name').fill('address');
    await select(page, 'Kind', 'taken from');
    await dialog(page).getByLabel('Path').fill('profile.ident');
    await page.getByRole('option', { name: 'profile.identifiers.email' }).click();
    await dialog(page).getByLabel('The event that triggered').check();
    await dialog(page).getByLabel('Not sent any more after', { exact: true }).fill('2');
    await dialog(page).getByLabel('When the message is received; else it ends').check();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText('Send member.greeted, with the event, within 2 days, and wait').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    await problems.waitFor({ state: 'detached' });
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    expect(after.draft.steps[0]).to.deep.equal({
      id: 'greet',
      type: 'send_webhook',
      endpoint_id: made.endpoint.id,
      message_type: 'member.greeted',
      data: { address: { from: 'profile.identifiers.email' } },
      include: ['event'],
      expires_after: 'P2D',
      await: true,
      on_failure: 'exit',
      next: null,
    });
    expect(after.problems).to.deep.equal([]);
  });

  it('works a value out of others', async () => {
    const definition = {
      ...{ name: 'Points', trigger: { type: 'event', event_type: 'placed_order' }, start: 'count' },
      steps: [{ id: 'count', type: 'set_profile', set: { points: '' }, next: null }],
    };
    const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}/edit`);
    await page.getByRole('button', { name: 'Edit count' }).click();
    await select(page, 'Kind', 'worked out');
    const part = (n: number) => dialog(page).getByRole('group', { name: `Part ${n}` });
    await part(1).getByLabel('Path').fill('profile.attributes.points');
    await page.keyboard.press('Tab');
    await dialog(page).getByRole('button', { name: 'Add a part' }).click();
    await part(2).getByRole('button', { name: 'Remove: part 2' }).click();
    await part(2).getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'taken from' }).click();
    await part(2).getByLabel('Path').fill('event.properties.points');
    await page.keyboard.press('Tab');
    await select(page, 'What is worked out', 'subtract');
    expect(await violations(page)).to.deep.equal([]);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page
      .getByText('Set points to subtract (from profile.attributes.points, from event.properties.points)')
      .waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    const operands = [{ from: 'profile.attributes.points' }, { from: 'event.properties.points' }];
    expect(after.draft.steps[0].set).to.deep.equal({ points: { compute: { subtract: operands } } });
    expect(after.problems).to.deep.equal([]);
  });

  it('makes a step that calls a web service, and a branch by its answer', async () => {
    const input = { url: 'https://api.scores.example/', name: 'Scores' };
    const { body: made } = await client.post('/v1/webhook-endpoints', input, { expect: 201 });
    const steps = [
      { id: 'call', type: 'call_webhook', endpoint_id: '', next: 'which' },
      { id: 'which', type: 'branch', cases: [{ when: { identifier: 'email', op: 'exists' }, next: null }], else: null },
    ];
    const definition = { name: 'Scores', trigger: { type: 'event', event_type: 'joined' }, start: 'call', steps };
    const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}/edit`);
    await page.getByRole('button', { name: 'Edit call' }).click();
    await select(page, 'Webhook endpoint', 'Scores');
    await select(page, 'Method', 'PUT');
    await dialog(page).getByLabel('Path').fill('/v1/{{ run.key }}');
    await dialog(page).getByRole('button', { name: 'Add a header' }).click();
    await dialog(page).getByLabel('Name').fill('X-Shop');
    await dialog(page).getByLabel('Value').fill('hats');
    await select(page, 'What it sends', 'values as JSON');
    await dialog(page).getByRole('button', { name: 'Add a value' }).click();
    await dialog(page).getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'text with values' }).click();
    await dialog(page).getByLabel('Text', { exact: true }).fill('Hello {{ run.id }}');
    await dialog(page).getByLabel('With a signature').uncheck();
    await dialog(page).getByLabel('When it is answered; else it ends').check();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText('PUT /v1/{{ run.key }}, and wait for the answer').waitFor();
    await page.getByRole('button', { name: 'Edit which' }).click();
    await dialog(page).getByRole('combobox', { name: 'what is asked' }).click();
    await page.getByRole('option', { name: 'an earlier step brought' }).click();
    await dialog(page).getByLabel(': path').fill('steps.call.answer.tier');
    await dialog(page).getByLabel(': value').fill('gold');
    expect(await violations(page)).to.deep.equal([]);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { body: after } = await client.get(`/v1/automations/${body.id}`);
    expect(after.draft.steps[0]).to.deep.equal({
      id: 'call',
      type: 'call_webhook',
      endpoint_id: made.endpoint.id,
      method: 'PUT',
      path: '/v1/{{ run.key }}',
      headers: { 'X-Shop': 'hats' },
      body: { json: { name_1: { liquid: 'Hello {{ run.id }}' } } },
      signed: false,
      on_failure: 'exit',
      next: 'which',
    });
    const { when } = after.draft.steps[1].cases[0];
    expect(when).to.deep.equal({ from: 'steps.call.answer.tier', op: 'eq', value: 'gold' });
    expect(after.problems).to.deep.equal([]);
  });

  it('starts with a choice of the customer, and changes lists, consent and who draws', async () => {
    const { body: list } = await client.post<any>('/v1/lists', { name: 'Guests' }, { expect: 201 });
    const definition = {
      name: 'Welcome',
      trigger: { type: 'consent_given', channel: 'email' },
      start: 'add',
      steps: [
        { id: 'add', type: 'add_to_list', list: '', next: 'lot' },
        { id: 'lot', type: 'split', weights: [{ percent: 100, next: 'out' }] },
        { id: 'out', type: 'unsubscribe', channel: 'email', next: null },
      ],
    };
    const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
    const page = await open(`/automations/${body.id}/edit`);
    const edit = async (id: string, change: () => Promise<void>) => {
      await page.getByRole('button', { name: `Edit ${id}` }).click();
      await change();
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    await edit('add', () => select(page, 'List', 'Guests'));
    await edit('lot', () => dialog(page).getByLabel('A customer gets the same share in every run').check());
    await edit('out', async () => {
      await select(page, 'Channel', 'text messages');
      await select(page, 'Only from this list', 'Guests');
    });
    await page.getByText('Add the customer to the list “Guests”').waitFor();
    await page.getByText('Draw lots, once for each customer').waitFor();
    await page.getByText('Unsubscribe the customer from text messages of the list “Guests”').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 2').waitFor();
    const { draft, problems } = (await client.get(`/v1/automations/${body.id}`)).body;
    expect(problems).to.deep.equal([]);
    expect(draft.steps).to.deep.equal([
      { id: 'add', type: 'add_to_list', list: list.id, next: 'lot' },
      { id: 'lot', type: 'split', per: 'customer', weights: [{ percent: 100, next: 'out' }] },
      { id: 'out', type: 'unsubscribe', channel: 'sms', list: list.id, next: null },
    ]);
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await page.getByText('the customer subscribes to e-mail').waitFor();
  });

  it('starts the members of a list by a schedule, with a goal, and shows what is next', async () => {
    const { body: list } = await client.post<any>('/v1/lists', { name: 'Weekly' }, { expect: 201 });
    const page = await open();
    await chooseFrom(page, 'Create', 'An empty one');
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Started by', 'Schedule');
    await choose('List', 'Weekly');
    await choose('How often', 'every month');
    await page.getByLabel('Day of the month').fill('31');
    await page.getByLabel('Time zone', { exact: true }).first().fill('Europe/Berlin');
    await page.getByLabel('Has a goal').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Back to the automation' }).waitFor();
    await until(async () => {
      const { automations } = (await client.get<any>('/v1/automations', { expect: 200 })).body;
      return automations[0].trigger.type === 'schedule';
    }, 'it is saved');
    const { automations } = (await client.get<any>('/v1/automations', { expect: 200 })).body;
    const { id, trigger, revision } = automations[0];
    expect(trigger).to.deep.equal({
      ...{ type: 'schedule', list: list.id, repeat: 'monthly', day: 31, at: '09:00', time_zone: 'Europe/Berlin' },
    });
    const { draft } = (await client.get<any>(`/v1/automations/${id}`, { expect: 200 })).body;
    expect(draft.goal).to.deep.equal({ event_type: 'placed_order', within: 'P7D' });
    const steps = [{ id: 'end', type: 'exit' }];
    const definition = JSON.stringify({ revision, definition: { ...draft, start: 'end', steps } });
    const headers = { 'Content-Type': 'application/json' };
    const { body } = await client.send<any>('PUT', `/v1/automations/${id}`, definition, { headers, expect: 200 });
    await client.post(`/v1/automations/${id}/publish`, { revision: body.revision }, { expect: 200 });
    const shown = await open(`/automations/${id}`);
    await shown.getByText('on the last day of every month at 09:00 in Europe/Berlin').waitFor();
    await shown.getByText('Next, by the clock of Europe/Berlin').waitFor();
  });

  it('starts with who enters a segment and those who are in it, and asks for a list and consent', async () => {
    await client.post('/v1/profiles/upsert', {
      identifiers: { email: 'ada@example.com' },
      attributes: { tier: 'gold' },
    });
    const definition = { attribute: { name: 'tier', op: 'eq', value: 'gold' } };
    const { body: segment } = await client.post<any>('/v1/segments', { name: 'Gold', definition }, { expect: 201 });
    const { body: list } = await client.post<any>('/v1/lists', { name: 'Guests' }, { expect: 201 });
    await until(async () => {
      const { status, member_count } = (await client.get<any>(`/v1/segments/${segment.id}`)).body;
      return status === 'live' && member_count === 1;
    }, 'it is live');
    const page = await open();
    await chooseFrom(page, 'Create', 'An empty one');
    const choose = async (field: string, option: string, name = page.getByRole('combobox', { name: field })) => {
      await name.last().click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await page.getByRole('tab', { name: 'Trigger and rules' }).click();
    await choose('Started by', 'Segment entered');
    await choose('Segment', 'Gold', page.getByRole('combobox', { name: 'Segment', exact: true }));
    await page.getByRole('checkbox', { name: 'Start also for the one who is in it' }).check();
    const conditions = page.getByRole('group', { name: 'Enters if', exact: true });
    await conditions.getByRole('button', { name: 'Add a condition' }).click();
    await choose('what is asked', 'is in a list');
    await page.getByRole('combobox', { name: /: list$/ }).click();
    await page.getByRole('option', { name: 'Guests' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 1').waitFor();
    const { body: all } = await client.get<any>('/v1/automations');
    const { body } = await client.get<any>(`/v1/automations/${all.automations[0].id}`);
    expect(body.draft.trigger).to.deep.equal({ type: 'segment_entry', segment: segment.id, include_members: true });
    expect(body.draft.entry_condition).to.deep.equal({ list: list.id });
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await page.getByText('the customer enters the segment “Gold”, or is in it already').waitFor();
    await page.getByText('the customer is in the list “Guests”').waitFor();
  });
});
