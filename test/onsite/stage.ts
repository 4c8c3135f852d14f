import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type BrowserOptions, useBrowser } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { useBuiltDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Front } from './front.ts';
import { Shop, type ShopPage } from './shop.ts';

/** An event as it is read back, with the customer whose it is. */
export interface Recorded {
  type: string;
  properties: Record<string, any>;
  occurredAt: string;
  who: { email: string | null; phone: string | null; external_id: string | null };
  attributes: Record<string, any>;
}

/** Where the tag of the script has the account. */
type Tag = 'query' | 'path' | 'none';

/** A shop with a store of its own, for one test. */
export interface Stage {
  /** A public key of the store. */
  key: string;
  front: Front;
  client: Client;
  shop: Shop;
  open(path?: string, options?: BrowserOptions): Promise<Page>;
  /** Waits until the store has that many events, and returns them, the first recorded first. */
  events(count: number): Promise<Recorded[]>;
}

/** Gives the tests of a suite shops with the script, in a browser, before a real service. Call it in `describe`. */
export function useStage(): (pages: Record<string, ShopPage>, tag?: Tag, account?: string) => Promise<Stage> {
  const browser = useBrowser();
  const ended: (() => void)[] = [];
  let service: TestService;

  useBuiltDashboard();
  before(async () => {
    service = await TestService.start();
  });
  const endAll = () => {
    for (const end of ended.splice(0)) end();
  };
  afterEach(endAll);
  after(async () => {
    endAll();
    await service?.stop();
  });

  return async (pages, tag = 'query', given = undefined) => {
    const storeId = await service.newStore();
    const client = await service.client({ storeId });
    const { key } = await service.newKey({ storeId, scopes: ['client:write'] });
    const front = await Front.start(service.url);
    ended.push(() => front.stop());
    const account = given ?? key;
    const script = {
      query: `klaviyo.js?company_id=${account}`,
      path: `${account}/klaviyo.js`,
      none: 'klaviyo.js',
    }[tag];
    const shop = await Shop.start(`${front.url}/compat/v1/onsite/js/${script}`, pages);
    ended.push(() => shop.stop());
    return {
      key,
      front,
      client,
      shop,
      open: (path, options) => shop.open(browser, path, options),
      events: (count) => recorded(client, count),
    };
  };
}

async function recorded(client: Client, count: number): Promise<Recorded[]> {
  const list = async () => (await client.get('/v1/events?limit=100', { expect: 200 })).body.events as any[];
  await until(async () => (await list()).length >= count, `there are ${count} events`);
  const events = (await list()).reverse();
  expect(events).to.have.length(count);
  return Promise.all(
    events.map(async ({ event_type, properties, profile_id, occurred_at }) => {
      const { body } = await client.get(`/v1/profiles/${profile_id}`, { expect: 200 });
      const { email, phone, external_id } = body.identifiers;
      const who = { email, phone, external_id };
      return { type: event_type, properties, occurredAt: occurred_at, who, attributes: body.attributes };
    }),
  );
}
