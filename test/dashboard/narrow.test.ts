import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violations } from '../support/axe.ts';
import { settled } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { TestService } from '../support/service.ts';
import { ordersRead } from './support/orders.ts';

const LAPTOP = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844 };
/** The narrowest last: that is what axe looks at. */
const SIZES = [{ width: 1440, height: 900 }, LAPTOP, PHONE];
const LONG = 'a-rather-long-one-that-somebody-gave-it-without-a-thought-of-screens';

describe('The dashboard at every width', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let key: string;
  let profileId: string;
  let eventId: string;
  let poolId: string;

  before(async () => {
    service = await TestService.start();
    const storeId = await service.newStore(`Store ${LONG}`);
    ({ key } = await service.newKey({ storeId, name: `Owner ${LONG}` }));
    const { id } = await service.newKey({ storeId, name: 'Gone' });
    await service.keys.revoke(id);
    const client = (await service.client()).as(key);
    for (let n = 0; n < 20; n += 1) {
      const profile = {
        email: `customer-${n}.${LONG}@example.com`,
        phone: `+49151234567${n + 10}`,
        external_id: `cust_${LONG}_${n}`,
      };
      const properties = { order_id: `ord_${n}`, product: LONG, value: 1234.5, currency: 'EUR', url: LONG.repeat(5) };
      const event = { event_type: n % 2 ? 'placed_order' : `viewed_${LONG}`, profile, properties };
      const { body } = await client.post('/v1/events', event, { expect: 201 });
      ({ id: eventId, profile_id: profileId } = body);
    }
    await client.post('/v1/events', { event_type: LONG.repeat(3), profile: {} }, { expect: 400 });
    const variants = [{ id: `v-${LONG}`, title: LONG, prices: { EUR: { price: 1_234.5 } }, stock: 12 }];
    await client.post('/v1/catalog/items/upsert', { id: 'one', title: LONG, brand: LONG, variants }, { expect: 201 });
    const pool = { name: LONG, kind: 'uploaded', low_below: 5 };
    ({
      body: { id: poolId },
    } = await client.post('/v1/coupon-pools', pool, { expect: 201 }));
    await client.post(`/v1/coupon-pools/${poolId}/codes`, { codes: [LONG] }, { expect: 200 });
    const feed = { name: LONG, url: `https://${LONG.slice(0, 60)}.example/`, is_paused: true };
    await client.post('/v1/catalog/feeds', feed, { expect: 201 });
    await ordersRead(client, 10);
  });
  after(() => service?.stop());

  const VIEWS: Record<string, { path: () => string; ready: (page: Page) => Promise<unknown> }> = {
    Home: {
      path: () => '/',
      ready: async (page) => {
        await page.getByRole('table', { name: 'Events by type' }).waitFor();
        await page.getByText('Returning customers').waitFor();
      },
    },
    Orders: { path: () => '/orders', ready: (page) => page.getByText('ord_19').waitFor() },
    Events: { path: () => '/events', ready: (page) => page.getByText('ord_19').waitFor() },
    'an event': {
      path: () => `/events/${eventId}`,
      ready: (page) => page.getByRole('region', { name: 'curl command' }).waitFor(),
    },
    Profiles: { path: () => '/profiles', ready: (page) => page.getByText('+4915123456729').waitFor() },
    'a profile': {
      path: () => `/profiles/${profileId}`,
      ready: (page) => page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor(),
    },
    Rejections: { path: () => '/rejections', ready: (page) => page.getByRole('button', { name: '1 request' }).click() },
    Catalog: {
      path: () => '/catalog',
      ready: (page) => page.getByRole('table').getByRole('link', { name: LONG }).waitFor(),
    },
    'an item': { path: () => '/catalog/one', ready: (page) => page.getByRole('table', { name: 'Variants' }).waitFor() },
    Feeds: {
      path: () => '/feeds',
      ready: (page) => page.getByRole('table', { name: 'Feeds' }).getByRole('link').waitFor(),
    },
    Coupons: {
      path: () => '/coupons',
      ready: (page) => page.getByRole('table', { name: 'Pools' }).getByRole('link').waitFor(),
    },
    'a pool of coupons': {
      path: () => `/coupons/${poolId}`,
      ready: (page) => page.getByRole('table', { name: 'Codes' }).waitFor(),
    },
    'the settings of the store': {
      path: () => '/settings/store',
      ready: (page) => page.getByLabel('Postal address').waitFor(),
    },
    Privacy: { path: () => '/privacy', ready: (page) => page.getByText('Nobody was merged').waitFor() },
    'API keys': {
      path: () => '/settings/api-keys',
      ready: (page) => page.getByRole('button', { name: 'Revoke Owner' }).waitFor(),
    },
  };

  for (const [name, { path, ready }] of Object.entries(VIEWS)) {
    it(`cuts nothing and lets nothing run over: ${name}`, async () => {
      const page = await dashboard.open(service, key, path());
      await ready(page);
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport);
        await settled(page);
        expect(await layoutFaults(page), `${viewport.width} pixels`).to.deep.equal([]);
      }
      expect(await violations(page)).to.deep.equal([]);
    });
  }

  it('leaves room for eight rows at 1024 by 768', async () => {
    const { key: ordinary } = await service.newKey();
    const client = (await service.client()).as(ordinary);
    for (let n = 0; n < 8; n += 1) {
      const properties = { order_id: `ord_${n}`, value: 12.5, currency: 'EUR', product: 'Pour-over set' };
      const profile = { email: `customer.${n}@example.com`, phone: `+49151234567${n}`, external_id: `cust_${n}` };
      await client.post('/v1/events', { event_type: 'placed_order', profile, properties }, { expect: 201 });
    }
    for (const name of ['Events', 'Profiles']) {
      const page = await dashboard.open(service, ordinary, `/${name.toLowerCase()}`, { viewport: LAPTOP });
      const eighth = page.getByRole('table', { name }).getByRole('row').nth(8);
      await eighth.waitFor();
      const { y = 0, height = 0 } = (await eighth.boundingBox()) ?? {};
      expect(y + height, name).to.be.within(1, LAPTOP.height);
    }
  });

  it('keeps the filters of events behind a button where there is little room, and says how many hold', async () => {
    const page = await dashboard.open(service, key, '/events?event_type=placed_order', { viewport: PHONE });
    await page.getByText('ord_19').waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.getByLabel('Value').fill('ord_17');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('ord_17').first().waitFor();
    await page.getByText('ord_19').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters (3)' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('ord_19').waitFor();
  });
});
