import { expect } from 'chai';
import type { Scope } from '../../src/domain/caller.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { ADA, chooseFrom, dialog, publish, runOf, runs, send, steps, visit, WAITING } from './support/automations.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

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

  it('goes from a template over its steps to a run of a customer, and ends that', async () => {
    const ada = { identifiers: ADA, attributes: { first_name: 'Ada' } };
    const { id } = (await client.post<any>('/v1/profiles/upsert', ada)).body;
    await client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify({ email: { status: 'subscribed' } }), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    const page = await open();
    await page.getByText('No automations yet').waitFor();
    await page.getByRole('button', { name: 'Create: Abandoned cart' }).click();
    await page.getByText('Not saved yet').waitFor();
    expect((await client.get('/v1/automations', { expect: 200 })).body.automations).to.deep.equal([]);

    await page.getByRole('button', { name: 'Edit hour' }).click();
    await dialog(page).getByLabel('How long', { exact: true }).fill('3');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await steps(page).getByText('Wait 3 hours').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, revision 1').waitFor();
    await page.getByRole('heading', { name: 'Edit “Abandoned cart”' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByText('This is the first version').waitFor();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 1 is published.').waitFor();

    const since = Date.now();
    await send(client, 'started_checkout', { cart_id: '<b>c1</b>', value: 20 });
    await page.getByRole('link', { name: 'Back to the automation' }).click();
    await page.getByRole('heading', { name: 'Abandoned cart', level: 1 }).waitFor();
    await page.getByText('started_checkout happens, if “cart_id” of the event is set').waitFor();
    await page.getByRole('link', { name: '1 here now' }).click();
    await runs(page).getByRole('link', { name: 'Ada' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?status=active&step=hour');
    await runs(page).nth(1).getByRole('link').last().click();

    await page.getByRole('heading', { name: 'Run', level: 1 }).waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Key <b>c1</b>').waitFor();
    const until3 = await timeline.getByText('Until').locator('time').getAttribute('datetime');
    // The wait begins when the event is there, which was between the request and now.
    const waitsSince = Date.parse(until3 ?? '') - 3 * 3_600_000;
    expect(waitsSince).to.be.within(since - 5_000, Date.now() + 5_000);
    await page.getByRole('button', { name: 'End the run' }).click();
    await timeline.getByText('somebody ended it').waitFor();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    await runs(page).getByRole('link', { name: 'Abandoned cart' }).waitFor();
    await runs(page).getByText('somebody ended it').waitFor();
  });

  it('pauses, resumes and archives, and lists each with its status', async () => {
    const id = await publish(client, { ...WAITING, entry_condition: undefined });
    const page = await open(`/automations/${id}`);
    const change = async (item: string, status: string) => {
      await chooseFrom(page, 'More', `${item}…`);
      await dialog(page).getByRole('button', { name: item }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByText(status, { exact: true }).waitFor();
    };
    await change('Pause', 'paused');
    await send(client, 'joined', { club: 'c1' });
    await page.getByText('1: the automation was paused').waitFor();
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

  it('publishes a second version after showing what it changes, and moves the runs to it', async () => {
    const id = await publish(client, { ...WAITING, entry_condition: undefined });
    await send(client, 'joined', { club: 'c1' });
    await runOf(client, id);
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
    await send(client, 'gift_sent');
    await runOf(client, id, ({ version, status }) => version === 2 && status === 'ended');
  });

  it('says why a customer is not in an automation, and where one is that was', async () => {
    const id = await publish(client, WAITING);
    const { body } = await send(client, 'joined', { club: 'c1' });
    await until(async () => {
      const { body: explained } = await client.get(`/v1/automations/${id}/explanation?profile_id=${body.profile_id}`);
      return explained.candidates[0]?.decision === 'skipped';
    }, 'it is decided');
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { tier: 'gold' } });
    await send(client, 'joined', { club: 'c2' });
    await runOf(client, id);
    const page = await open(`/profiles/${body.profile_id}`);
    await page.getByRole('button', { name: 'Why not?', exact: true }).click();
    await dialog(page).getByRole('combobox', { name: 'Automation' }).click();
    await page.getByRole('option', { name: 'Gifts' }).click();
    const occasions = page.getByRole('list', { name: 'Occasions to enter' }).getByRole('listitem');
    await occasions.nth(1).getByText('No: the entry condition did not hold.').waitFor();
    await occasions.nth(1).getByText('Failed at: the customer’s “tier” is “gold”; there was no value').waitFor();
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
    await publish(client, WAITING);
    await service.database.query(`insert into automation_hold values ('${storeId}', now())`);
    const page = await open('/profiles');
    const banner = page.getByRole('status').filter({ hasText: 'Held after a restore' });
    await banner.waitFor();
    await page.getByRole('link', { name: 'Automations' }).click();
    await page.getByRole('link', { name: 'Gifts' }).waitFor();
    await banner.waitFor();
  });

  it('pauses everything, says so on every page, and lets it go on', async () => {
    const page = await open('/profiles');
    await page.getByRole('link', { name: 'Pause everything' }).click();
    await page.getByText('Automations, campaigns and webhooks do what they are set to.').waitFor();
    await page.getByRole('button', { name: 'Pause everything' }).click();
    await page.getByText(/^Paused by .+ since /).waitFor();
    expect((await client.get('/v1/store/hold')).body).to.include({ is_held: true, reason: 'paused' });
    await expectSound(page, 'Pause everything', LOOKS);
    await page.getByRole('link', { name: 'Profiles' }).click();
    await page.getByRole('link', { name: 'lets everything go on' }).click();
    await page.getByRole('button', { name: 'Let everything go on' }).click();
    await page.getByRole('heading', { name: 'Everything goes its way' }).waitFor();
    expect((await client.get('/v1/store/hold')).body).to.include({ is_held: false });
    expect(await page.getByText('Everything is paused').count()).to.equal(0);
  });

  it('cuts nothing, and has nothing for axe to complain of, narrow and light as well as wide and dark', async () => {
    const id = await publish(client, { ...WAITING, entry_condition: undefined });
    await client.post('/v1/automations', { definition: { ...WAITING, name: 'A-long-name-'.repeat(8) } });
    await send(client, 'joined', { club: 'c'.repeat(200) });
    const { id: runId, profile_id } = await runOf(client, id);
    const page = await open();
    const check = (what: string) => expectSound(page, what, LOOKS);
    await page.getByRole('link', { name: 'Gifts' }).waitFor();
    await check('the list');
    await visit(page, `/automations/${id}`, 'here now');
    await check('an automation');
    await visit(page, `/automations/${id}/runs/${runId}`, 'Waits for something');
    await check('a run');
    await visit(page, `/profiles/${profile_id}`, 'Why not?');
    await check('a profile');
    await visit(page, `/automations/${id}/edit`, 'Saved, revision 1');
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
});
