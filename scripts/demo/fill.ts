import { setTimeout as sleep } from 'node:timers/promises';
import { en, Faker } from '@faker-js/faker';
import type { ApiKeyInput } from '../../generated/native/types.gen.ts';
import { type Client, createClient, pages } from '../../src/client/index.ts';
import type { OrmDatabase } from '../../src/db/orm.ts';
import type { Service } from '../../src/service.ts';
import { makeAudiences } from './audiences.ts';
import { automate } from './automations.ts';
import { sendCampaigns } from './campaigns.ts';
import { fillCatalog } from './catalog.ts';
import { giveCoupons } from './coupons.ts';
import { type Customer, makeCustomers, makeProducts } from './customers.ts';
import { makeFeeds } from './feeds.ts';
import { type Filling, renewKey } from './filling.ts';
import { makeEvents } from './history.ts';
import { sendRefused } from './refusals.ts';
import { sendMessages } from './webhooks.ts';

const SEED = 1843;
const CUSTOMERS = 1_500;
const DAYS = 92;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** Customers who are told of a parcel. */
const MESSAGES = 24;
/** Maximum items of a bulk request. */
const BATCH = 1_000;

export interface Filled {
  customers: number;
  events: number;
  refused: number;
  /** Of the catalog. */
  items: number;
  automations: number;
  lists: number;
  segments: number;
  campaigns: number;
}

/**
 * Fills the store of a key with what a shop would have sent in three months, over HTTP as the shop would, but for the
 * answers to webhooks; what is there already, it leaves as it is. The data is always the same, except that it ends when it
 * was begun. The key needs every scope.
 */
export async function fill(
  { url, database }: Pick<Service, 'url' | 'database'>,
  key: string,
  filling: Filling,
): Promise<Filled> {
  const faker = new Faker({ locale: en, seed: SEED });
  const products = makeProducts(faker);
  const customers = makeCustomers(faker, CUSTOMERS);
  const events = makeEvents({ faker, products, customers, until: filling.begunAt, days: DAYS });
  const seen = new Set(events.map(({ profile }) => profile.external_id));

  const manager = createClient({ baseUrl: url, apiKey: key });
  const keys = await createKeys(manager, database, filling);
  const known = customers.filter(({ external_id }) => seen.has(external_id));
  await importProfiles(url, keys.shop.key, known);
  const shop = createClient({ baseUrl: url, apiKey: keys.shop.key });
  for (let from = 0; from < events.length; from += BATCH) {
    await shop.createEventsBulk({ events: filling.events('event', events.slice(from, from + BATCH), from) });
  }
  const ids = [keys.shop.id, keys.warehouse.id];
  const secrets = { shop: keys.shop.key, warehouse: keys.warehouse.key };
  const refused = await sendRefused(url, secrets, await countRefused(manager, ids));
  const items = await fillCatalog(manager, products);
  await makeFeeds(manager, filling);
  const automations = await automate(manager, known, filling);
  await sendMessages(manager, database, known.slice(60, 60 + MESSAGES), filling);
  const { newsletter, readers, ...audiences } = await makeAudiences(manager, known, filling);
  await subscribe(url, key, readers, filling);
  await giveCoupons(manager, readers, filling);
  const campaigns = await sendCampaigns(manager, database, { listId: newsletter, readers }, filling);
  return {
    customers: known.length,
    events: events.length,
    refused,
    items,
    automations: automations + 1,
    ...audiences,
    campaigns,
  };
}

interface Key {
  id: string;
  key: string;
}

async function createKeys(
  client: Client,
  database: OrmDatabase,
  filling: Filling,
): Promise<{ shop: Key; warehouse: Key }> {
  const create = async (input: ApiKeyInput): Promise<Key> => {
    const { api_key, key } = await client.createApiKey({ ...input, ...filling.once(`key ${input.name}`) });
    // A replay does not tell it again.
    return { id: api_key.id, key: key ?? (await renewKey(database, api_key.id)) };
  };
  const shop = await create({ name: 'Web shop', scopes: ['events:write', 'profiles:write'] });
  const warehouse = await create({ name: 'Warehouse', scopes: ['events:write'] });
  const inMonths = new Date(filling.begunAt.getTime() + 60 * 24 * 60 * 60 * 1000).toISOString();
  await create({ name: 'Reports', scopes: ['events:read', 'profiles:read'], expires_at: inMonths });
  const old = await create({ name: 'Old shop', scopes: ['events:write'] });
  await client.revokeApiKey({ id: old.id });
  return { shop, warehouse };
}

/** How many requests with some keys were refused before. */
async function countRefused(client: Client, keyIds: readonly string[]): Promise<number> {
  let count = 0;
  for await (const { rejections } of pages(client.listRejections, { limit: 100 })) {
    count += rejections.filter(({ key }) => keyIds.includes(key.id)).length;
  }
  return count;
}

/** As a bulk job of the compatibility surface: all of them in one request. */
async function importProfiles(url: string, key: string, customers: Customer[]): Promise<void> {
  const data = customers.map(
    ({ external_id, email, phone, first_name, last_name, city, country, loyalty_tier, newsletter }) => ({
      type: 'profile',
      attributes: {
        external_id,
        email,
        ...(phone && { phone_number: phone }),
        first_name,
        last_name,
        location: { city, country },
        properties: { loyalty_tier, newsletter },
      },
    }),
  );
  const attributes = { profiles: { data } };
  const job = { data: { type: 'profile-bulk-import-job', attributes } };
  const path = '/compat/v1/profile-bulk-import-jobs';
  const { id } = await callCompat(url, key, 'POST', path, job);
  while ((await callCompat(url, key, 'GET', `${path}/${id}`)).attributes.status !== 'complete') await sleep(100);
}

/** They subscribed to the newsletter before the store moved here. */
async function subscribe(url: string, key: string, readers: readonly Customer[], { begunAt }: Filling): Promise<void> {
  const consent = { consent: 'SUBSCRIBED', consented_at: new Date(begunAt.getTime() - YEAR_MS).toISOString() };
  const data = readers.map(({ email }) => ({
    type: 'profile',
    attributes: { email, subscriptions: { email: { marketing: consent } } },
  }));
  const attributes = { historical_import: true, profiles: { data } };
  const job = { data: { type: 'profile-subscription-bulk-create-job', attributes } };
  await callCompat(url, key, 'POST', '/compat/v1/profile-subscription-bulk-create-jobs', job);
}

interface Job {
  id: string;
  attributes: { status: string };
}

/** Some jobs are done with their answer, which is empty. */
async function callCompat(url: string, key: string, method: string, path: string, body?: unknown): Promise<Job> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text || '{}').data;
}
