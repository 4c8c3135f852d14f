import { setTimeout as sleep } from 'node:timers/promises';
import type { AutomationDefinitionInput, Client, EventInput } from '../../src/client/index.ts';
import { ABANDONED_CART } from '../../src/dashboard/pages/automations/starters/abandoned-cart.ts';
import { AFTER_AN_ORDER } from '../../src/dashboard/pages/automations/starters/after-an-order.ts';
import { prepareStarter } from '../../src/dashboard/pages/automations/starters/prepare.ts';
import { WIN_BACK } from '../../src/dashboard/pages/automations/starters/win-back.ts';
import type { Customer } from './customers.ts';
import { BIRTHDAY, CALLS, REVIEWS } from './definitions.ts';
import type { Filling } from './filling.ts';

/** Milliseconds between two looks at whether what was sent is decided. */
const LOOK_MS = 200;
/** How often: where a service is slower than that, it goes on by itself. */
const LOOKS = 50;

const STARTERS = [ABANDONED_CART, AFTER_AN_ORDER, WIN_BACK];

/** Sets up automations, and has customers do what starts and ends their runs. Returns how many automations there are. */
export async function automate(client: Client, customers: readonly Customer[], filling: Filling): Promise<number> {
  const [cart, order, winBack] = await Promise.all(
    STARTERS.map(async (starter) => publish(client, await prepareStarter(client, starter), filling)),
  );
  const calls = await publish(client, CALLS, filling);
  const reviews = await publish(client, REVIEWS, filling);
  await client.createAutomation({ definition: BIRTHDAY, ...filling.once('birthdays') });
  if (cart === undefined || order === undefined || winBack === undefined) throw new TypeError('A starter is missing');

  const [some, others] = [customers.slice(0, 24), customers.slice(24, 54)];
  await Promise.all(some.slice(0, -2).map((customer) => subscribe(client, customer)));
  await client.createEventsBulk({
    events: filling.events('begins', [
      ...some.map((customer, n) => happens('started_checkout', customer, { cart_id: `cart_${n}`, value: 20 + n * 7 })),
      // Without an address they are not written to, without a cart it can't be told which.
      happens('started_checkout', { external_id: 'guest_1' }, { cart_id: 'cart_g1', value: 35 }),
      happens('started_checkout', { external_id: 'guest_2' }, { cart_id: 'cart_g2', value: 12.5 }),
      ...others.map((customer, n) => happens('order_delivered', customer, { order_id: `ord_demo_${n}` })),
    ]),
  });
  const bought = some.slice(0, 10);
  const reviewed = others.slice(0, 12);
  await client.createEventsBulk({
    events: filling.events('goes on', [
      ...bought.map((customer, n) =>
        happens('placed_order', customer, { cart_id: `cart_${n}`, order_id: `ord_cart_${n}`, value: 20 + n * 7 }),
      ),
      happens('refunded_order', bought[0] as Customer, { order_id: 'ord_cart_0', reason: 'changed their mind' }),
      ...some.slice(-2).map((customer) => happens('started_checkout', customer, { cart_id: 'cart_23', value: 99 })),
      ...reviewed.map((customer, n) => happens('reviewed_product', customer, { order_id: `ord_demo_${n}`, stars: 5 })),
    ]),
  });
  await enrol(client, calls, customers.slice(54, 60), filling);
  await decided(client, [cart, order, reviews]);
  await client.setAutomationStatus({ id: winBack, status: 'paused' });
  const later = { ...REVIEWS, name: 'Review request, with thanks' };
  const { revision } = await client.updateAutomation({ id: reviews, revision: 1, definition: later });
  await client.publishAutomation({ id: reviews, revision, in_flight: 'move' });
  return STARTERS.length + 3;
}

/** The starters write to those who have consented; to the last two customers they don't. */
async function subscribe(client: Client, { external_id, email }: Customer): Promise<void> {
  const { id } = await client.upsertProfile({ identifiers: { external_id, email } });
  const { consent } = await client.getProfile({ id });
  if (consent.email.status === 'subscribed') return;
  await client.updateProfileConsent({ id, email: { status: 'subscribed', source: 'checkout' } });
}

export async function publish(
  client: Client,
  definition: AutomationDefinitionInput,
  filling: Filling,
): Promise<string> {
  const once = filling.once(`automation ${definition.name}`);
  const { id, revision } = await client.createAutomation({ definition, ...once });
  const { version } = await client.getAutomation({ id });
  if (version === null) await client.publishAutomation({ id, revision });
  return id;
}

function happens(
  event_type: string,
  { external_id, email }: Pick<Customer, 'external_id'> & Partial<Customer>,
  properties: Record<string, unknown>,
): EventInput {
  return { event_type, profile: { external_id, ...(email && { email }) }, properties };
}

/** One of them has so many attributes already that the step fails, which is tried again for an hour and a half. */
async function enrol(client: Client, id: string, customers: readonly Customer[], filling: Filling): Promise<void> {
  const full = { external_id: 'import_test' };
  const attributes = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`column_${n}`, n]));
  await client.upsertProfile({ identifiers: full, attributes });
  for (const { external_id } of [full, ...customers]) {
    const once = filling.once(`call ${external_id}`);
    await client.enrolProfile({ id, profile: { external_id }, properties: { topic: 'delivery' }, ...once });
  }
  const [first] = customers;
  const { runs: ended } = await client.listAutomationRuns({ id, status: 'ended', limit: 1 });
  const { runs } = await client.listAutomationRuns({ id, status: 'active' });
  const run = runs.find(({ due_at }) => due_at !== null);
  if (run && ended.length === 0) await client.exitRun({ id: run.id });
  // Once more, while the first run is over or not: the rule decides.
  if (!first) return;
  await client.enrolProfile({ id, profile: { external_id: first.external_id }, ...filling.once('second call') });
}

/** Waits until the runs have come as far as they come at once. */
async function decided(client: Client, ids: readonly string[]): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const ended = await Promise.all(ids.map((id) => client.listAutomationRuns({ id, status: 'ended', limit: 1 })));
    if (ended.every(({ runs }) => runs.length > 0)) return;
    await sleep(LOOK_MS);
  }
}
