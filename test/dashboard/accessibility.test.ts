import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { askForKey, useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { ordersRead } from './support/orders.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

describe('The dashboard for everybody', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let client: Client;
  let eventId: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey({ name: 'Owner' }));
    client = (await service.client()).as(key);
    const profile = { email: 'ada@example.com', external_id: 'cust_1' };
    for (const event_type of ['visit', 'placed_order']) {
      const event = { event_type, profile, properties: { order_id: 'ord_1', value: 59.9, currency: 'EUR' } };
      ({
        body: { id: eventId },
      } = await client.post('/v1/events', event, { expect: 201 }));
    }
    await client.post('/v1/events', { event_type: 'visit', profile: {} }, { expect: 400 });
    await ordersRead(client, 1);
  });
  after(() => service?.stop());

  /** What is to be looked at, and how one knows that it is all there. */
  const VIEWS: Record<string, { path: () => string; ready: (page: Page) => Promise<void> }> = {
    Home: {
      path: () => '/',
      ready: async (page) => {
        await page.getByRole('figure').getByText('placed_order').first().waitFor();
        await page.getByText('Returning customers').waitFor();
        await page.getByRole('list', { name: 'First steps' }).waitFor();
      },
    },
    Events: {
      path: () => '/events',
      ready: (page) => page.getByRole('link', { name: 'placed_order' }).waitFor(),
    },
    'an event': {
      path: () => `/events/${eventId}`,
      ready: (page) => page.getByRole('region', { name: 'curl command' }).waitFor(),
    },
    'the settings of the store': {
      path: () => '/settings/store',
      ready: (page) => page.getByLabel('Postal address').waitFor(),
    },
    'the settings for orders': {
      path: () => '/settings/orders',
      ready: (page) => page.getByRole('combobox', { name: 'Events that are refunds' }).waitFor(),
    },
    Orders: { path: () => '/orders', ready: (page) => page.getByRole('link', { name: 'ord_1' }).waitFor() },
    Privacy: { path: () => '/privacy', ready: (page) => page.getByText('Nobody was merged').waitFor() },
    'API keys': {
      path: () => '/settings/api-keys',
      ready: (page) => page.getByRole('button', { name: 'Revoke Owner' }).waitFor(),
    },
    'the form for a key': {
      path: () => '/settings/api-keys',
      ready: async (page) => {
        await page.getByRole('button', { name: 'Create a key' }).click();
        await page.getByRole('textbox', { name: 'Name' }).waitFor();
      },
    },
    'a question': {
      path: () => '/settings/api-keys',
      ready: async (page) => {
        await page.getByRole('button', { name: 'Revoke Owner' }).click();
        await page.getByRole('button', { name: 'Cancel' }).waitFor();
      },
    },
    'a page that is none': {
      path: () => '/nothing',
      ready: (page) => page.getByText('There is nothing at this address').waitFor(),
    },
  };

  for (const [name, { path, ready }] of Object.entries(VIEWS)) {
    it(`has nothing for axe to complain of, in light and dark colours: ${name}`, async () => {
      const page = await dashboard.open(service, key, path(), { viewport: DESKTOP });
      await ready(page);
      expect(await violationsInBothSchemes(page)).to.deep.equal([]);
      await page.setViewportSize(PHONE);
      expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    });
  }

  it('has nothing for axe to complain of, in light and dark colours: signing in', async () => {
    const page = await dashboard.openSignedOut(`${service.url}/dashboard`, { allow: [/status of 401/] });
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
    await askForKey(page);
    await page.getByLabel('API key').fill('nothing');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not valid.').waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });

  it('has nothing for axe to complain of, in light and dark colours: the quick start', async () => {
    const page = await dashboard.open(service, (await service.newKey()).key);
    await page.getByText('Waiting for the first event…').waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });

  it('has nothing for axe to complain of, in light and dark colours: a key without scopes', async () => {
    const { key: blind } = await service.newKey({ scopes: ['events:write'] });
    const page = await dashboard.open(service, blind, '/events', { allow: [/status of 403/] });
    await page.getByText('Your key does not allow this').first().waitFor();
    expect(await violationsInBothSchemes(page)).to.deep.equal([]);
  });

  it('fits a phone, where the pages are behind a button', async () => {
    const page = await dashboard.openSignedOut(`${service.url}/dashboard`, { viewport: PHONE });
    await askForKey(page);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const events = page.getByRole('link', { name: 'Events', exact: true });
    await page.getByRole('button', { name: 'Navigation' }).click();
    await events.click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await events.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'placed_order' }).waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(PHONE.width);
  });

  it('is light or dark as the system is, unless one is chosen, which stays', async () => {
    const page = await dashboard.open(service, key, '/events', { colorScheme: 'dark' });
    const scheme = () => page.evaluate(`document.documentElement.dataset.mantineColorScheme`);
    expect(await scheme()).to.equal('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await until(async () => (await scheme()) === 'light', 'it is light');
    await page.getByRole('button', { name: 'Colour scheme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await scheme()).to.equal('dark');
    await page.reload();
    expect(await scheme()).to.equal('dark');
  });

  it('is used by the keyboard alone: from signing in, over the pages, to a key that is created and revoked', async () => {
    const page = await dashboard.openSignedOut(`${service.url}/dashboard`);
    const press = (name: string) => page.keyboard.press(name);
    /** Goes on with Tab until the focus is on what has this name. */
    const tabTo = async (name: string) => {
      for (let count = 0; count < 60; count += 1) {
        await press('Tab');
        if ((await focused(page)) === name) return;
      }
      throw new Error(`Tab does not lead to "${name}"`);
    };
    await page.getByLabel('E-mail address').waitFor();
    await tabTo('Use an API key instead');
    await press('Enter');
    await page.getByLabel('API key').waitFor();
    await until(
      async () => (await page.evaluate('document.activeElement.tagName')) === 'INPUT',
      'the focus is in the field',
    );
    await page.keyboard.type(key);
    await press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();

    await tabTo('Skip to content');
    await press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
    await page.evaluate('document.activeElement.blur()');

    await tabTo('Events');
    await press('Enter');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    expect(await focused(page)).to.equal('Events');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('H1');
    await tabTo('placed_order');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.evaluate('document.activeElement.blur()');
    await tabTo('API keys');
    await press('Enter');
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await tabTo('Create a key');
    await press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await until(
      async () => (await page.evaluate('document.activeElement.tagName')) === 'INPUT',
      'the focus is in a field',
    );
    await page.keyboard.type('By keyboard');
    await press('Enter');
    await page.getByRole('region', { name: 'The key' }).waitFor();
    await tabTo('I have copied it');
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo('Revoke By keyboard');
    await press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    await tabTo('Revoke');
    await press('Enter');
    await page.getByText('“By keyboard” is refused from now on.').waitFor();
  });
});

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
  );
}
