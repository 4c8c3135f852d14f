import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WebhookEndpoint, WebhookEndpointInput } from '../../src/client/index.ts';
import type { Database } from '../../src/db/orm.ts';
import { publish } from './automations.ts';
import type { Customer } from './customers.ts';
import { shippingNotices } from './definitions.ts';
import type { Filling } from './filling.ts';
import { type Answer, SentBefore } from './sent-before.ts';

/** The names of these hosts never lead anywhere. */
const MAILER = { name: 'Mailer', url: 'https://hooks.mailer.example/footfall' };
const LOYALTY = { name: 'Loyalty programme', url: 'https://loyalty.partner.example/in', max_per_second: 20 };
const CRM = { name: 'Old CRM', url: 'https://crm.old-shop.example/hooks' };
const TRIAL = { name: 'Trial', url: 'https://trial.example/' };

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** When attempts are made: milliseconds after the first. */
const SCHEDULE = [
  0,
  5 * SECOND,
  5 * MINUTE,
  0.6 * HOUR,
  2.6 * HOUR,
  7.6 * HOUR,
  17.6 * HOUR,
  32 * HOUR,
  52 * HOUR,
  76 * HOUR,
];
const BROKEN = { status: 500, ms: 95, excerpt: '{"error":"unknown template order.shipped"}' };
const BUSY = { status: 503, ms: 41, excerpt: '<html><body><h1>503 Service Unavailable</h1></body></html>' };
const TAKEN = { status: 202, ms: 138, excerpt: '{"queued":true}' };
const GONE = { status: 410, ms: 52, excerpt: 'This integration was switched off.' };

/** Milliseconds between two looks at whether all is held, and how often. */
const [LOOK_MS, LOOKS] = [200, 150];

/**
 * Sets up endpoints in every state, with deliveries in every one that lasts. Nothing is sent: what an automation queues
 * for them is held, and then made to look as if it had been sent.
 */
export async function sendMessages(
  client: Client,
  database: Database,
  customers: readonly Customer[],
  filling: Filling,
): Promise<void> {
  const mailer = await create(client, MAILER, filling);
  const loyalty = await create(client, LOYALTY, filling);
  const crm = await create(client, CRM, filling);
  await client.deleteWebhookEndpoint({ id: (await create(client, TRIAL, filling)).id });
  await publish(client, shippingNotices({ mailer: mailer.id, loyalty: loyalty.id, crm: crm.id }), filling);
  const endpoints = [mailer, loyalty, crm];
  const isTold = (await client.getWebhookEndpoint({ id: crm.id })).disabled_reason === 'gone';
  if (!isTold) {
    for (const endpoint of endpoints) await disable(client, endpoint);
    const events = customers.map(({ external_id, email }, n) => ({
      event_type: 'shipped_order',
      profile: { external_id, email },
      properties: { order_id: `ord_sent_${n}`, parcel: `DE${31_400_500 + n * 17}`, value: 20 + n * 7 },
    }));
    await client.createEventsBulk({ events: filling.events('shipped', events) });
    const [mails = [], points = [], contacts = []] = await Promise.all(
      endpoints.map((endpoint) => held(client, endpoint, customers.length)),
    );
    const { store } = await client.getCurrentApiKey();
    await database.stores
      .of(store.id)
      .transaction()
      .execute((tx) => tellOfAll(new SentBefore(tx, store.id), { mailer, loyalty, crm }, { mails, points, contacts }));
  }
  const { previous_secrets_until } = await client.getWebhookEndpoint({ id: mailer.id });
  if (previous_secrets_until === null) await client.rotateWebhookSecret({ id: mailer.id });
}

/** All at once: what is half told could not be told from what is not. */
async function tellOfAll(
  before: SentBefore,
  { mailer, loyalty, crm }: Record<'mailer' | 'loyalty' | 'crm', WebhookEndpoint>,
  { mails, points, contacts }: Record<'mails' | 'points' | 'contacts', readonly string[]>,
): Promise<void> {
  await tellOfMails(before, mails);
  for (const { id } of [mailer, loyalty]) await before.active(id);
  const now = Date.now();
  await before.resting(loyalty.id, 12, new Date(now - 48 * MINUTE), new Date(now + 9 * MINUTE));
  for (const [n, point] of points.entries()) {
    await before.answered(point, 'pending', attempts([BUSY], 1), new Date(now + 5 * MINUTE + n * 12 * SECOND));
  }
  await before.gone(crm.id, new Date(now - 2 * MINUTE));
  for (const contact of contacts.slice(0, 1)) await before.answered(contact, 'failed', attempts([GONE], 1));
}

/** Most are received, some at the second attempt; of days before, two were refused until the end, and one came too late. */
async function tellOfMails(before: SentBefore, mails: readonly string[]): Promise<void> {
  const [late, ...rest] = mails;
  const days = (n: number) => new Date(Date.now() - n * 24 * HOUR);
  for (const [n, mail] of rest.entries()) {
    if (n < 2) {
      const id = await before.moved(mail, days(4 + n));
      await before.answered(id, 'failed', attempts([BROKEN], SCHEDULE.length));
    } else {
      await before.answered(mail, 'delivered', n % 5 === 0 ? attempts([BUSY, TAKEN], 2) : attempts([TAKEN], 1));
    }
  }
  if (late === undefined) return;
  const at = days(2);
  const id = await before.moved(late, at, new Date(at.getTime() + 12 * HOUR));
  await before.answered(id, 'expired', attempts([BUSY], 6));
}

/** As many attempts, with these answers: the last of them again and again. */
function attempts(answers: readonly Omit<Answer, 'after'>[], count: number): Answer[] {
  return SCHEDULE.slice(0, count).map((after, n) => ({
    ...(answers[n] ?? (answers.at(-1) as Omit<Answer, 'after'>)),
    after,
  }));
}

async function create(client: Client, input: WebhookEndpointInput, filling: Filling): Promise<WebhookEndpoint> {
  return (await client.createWebhookEndpoint({ ...input, ...filling.once(`endpoint ${input.name}`) })).endpoint;
}

async function disable(
  client: Client,
  { id, url, name, max_per_second, max_concurrent, secret_headers }: WebhookEndpoint,
): Promise<void> {
  await client.updateWebhookEndpoint({
    id,
    url,
    name,
    max_per_second,
    max_concurrent,
    secret_headers,
    status: 'disabled',
  });
}

/** The ids of the deliveries of an endpoint, once so many are held. */
async function held(client: Client, { id }: WebhookEndpoint, count: number): Promise<string[]> {
  let found: string[] = [];
  for (let looks = 0; looks < LOOKS && found.length < count; looks += 1) {
    const { deliveries } = await client.listWebhookDeliveries({ id, status: 'held', limit: 100 });
    found = deliveries.map((delivery) => delivery.id);
    if (found.length < count) await sleep(LOOK_MS);
  }
  return found;
}
