import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The dashboard: Settings, API keys', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    ({ key, storeId } = await service.newKey({ name: 'Owner' }));
  });

  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: name });

  /** Sends the request that a command for a shell describes. */
  async function send(command: string | null) {
    const [, url = ''] = /^curl (\S+)/.exec(command ?? '') ?? [];
    const headers = [...(command ?? '').matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
    const [, body = ''] = /-d '(.*)'$/s.exec(command ?? '') ?? [];
    const path = new URL(url).pathname;
    return new Client(service.url).send('POST', path, body, { headers: Object.fromEntries(headers) });
  }

  it('creates a key that records events by both surfaces, seen live, and is refused once it is revoked', async () => {
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const created = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? '';
    expect(created).to.match(/^ffk_[0-9A-Za-z]{38}$/);
    const native = await page.getByRole('region', { name: 'native surface' }).textContent();
    await page.getByRole('tab', { name: 'Compatible' }).click();
    const compat = await page.getByRole('region', { name: 'compatibility surface' }).textContent();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await row(page, 'Shop').getByText('active').waitFor();
    expect(await page.content()).not.to.contain(created);

    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await send(native)).status).to.equal(201);
    expect((await send(compat)).status).to.equal(202);
    const events = page.getByRole('table', { name: 'Events' });
    await events.getByText('ord_5001').waitFor();
    await events.getByText('ord_5002').waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Shop” is refused from now on.').waitFor();
    await row(page, 'Shop').getByText('revoked').waitFor();
    await until(async () => (await send(native)).status === 401, 'it is refused');
  });

  it('creates a key with the scopes and the end that are chosen', async () => {
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Till');
    for (const scope of ['events:write', 'profiles:write', 'events:read']) await page.getByLabel(scope).click();
    await page.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    const before = Date.now();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await row(page, 'Till').waitFor();
    const { body } = await new Client(service.url, key).get('/v1/api-keys');
    const till = body.api_keys.find(({ name }: { name: string }) => name === 'Till');
    expect(till.scopes).to.deep.equal(['events:read']);
    expect(Date.parse(till.expires_at) - 30 * 86_400_000).to.be.within(before, Date.now());
  });

  it('creates a public key for pages, with the line that belongs into them, and shows the key again', async () => {
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Pages');
    await page.getByRole('radio', { name: 'Pages and apps' }).click();
    expect(await page.getByRole('checkbox').count()).to.equal(0);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const created = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? '';
    expect(created).to.match(/^ffp_[0-9A-Za-z]{38}$/);
    expect(await page.getByRole('region', { name: 'The script for pages' }).textContent()).to.equal(
      `<script async src="${service.url}/compat/v1/onsite/js/klaviyo.js?company_id=${created}"></script>`,
    );
    await page.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Pages').getByText(created).waitFor();
    await row(page, 'Pages').getByText('client:write').waitFor();
  });

  it('says which scope can not be given, and goes on with the form as it is', async () => {
    const keeper = await service.newKey({ storeId, name: 'Keeper', scopes: ['keys:manage'] });
    const page = await dashboard.open(service, keeper.key, '/settings/api-keys', { allow: [/status of 403/] });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('More');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('It needs the scopes events:write').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('More');
  });

  it('renames a key', async () => {
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await page.getByRole('button', { name: 'Rename Owner' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Who owns the shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Who owns the shop').waitFor();
    const { body } = await new Client(service.url, key).get('/v1/api-keys/current');
    expect(body.api_key.name).to.equal('Who owns the shop');
  });

  it('asks before it revokes, and shows tier, use and last use', async () => {
    const page = await dashboard.open(service, key, '/settings/api-keys');
    await row(page, 'Owner').getByText('partner').waitFor();
    await row(page, 'Owner').getByText('of 3,500').waitFor();
    await page.getByText('npm run -s keys -- set-tier <id> partner').waitFor();
    await page.getByRole('button', { name: 'Revoke Owner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(page, 'Owner').getByText('active').waitFor();
  });
});
