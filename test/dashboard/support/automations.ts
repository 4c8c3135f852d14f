import type { Page } from 'playwright-core';
import type { Client } from '../../support/client.ts';
import { until } from '../../support/process.ts';

export const ADA = { email: 'ada@example.com' };

/** Waits for a gift, or a day. */
export const WAITING = {
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

/** Sends a message to an endpoint when somebody joins. */
export const sending = (endpoint: string, step: object = {}) => ({
  name: 'Greetings',
  trigger: { type: 'event', event_type: 'joined' },
  start: 'greet',
  steps: [
    {
      id: 'greet',
      type: 'send_webhook',
      endpoint_id: endpoint,
      message_type: 'club.joined',
      data: { club: { from: 'event.properties.club' } },
      next: null,
      ...step,
    },
  ],
});

export const dialog = (page: Page) => page.getByRole('dialog');
export const steps = (page: Page) => page.getByRole('list', { name: 'Steps', exact: true });
export const runs = (page: Page) => page.getByRole('table', { name: 'Runs' }).getByRole('row');

export async function chooseFrom(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Chooses from a list that opens by its field. */
export async function select(page: Page, field: string, option: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Goes to another page of the dashboard without loading it, so that nobody has to sign in again. */
export async function visit(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  await page.getByText(ready).first().waitFor();
}

export const send = (client: Client, event_type: string, properties: object = {}, profile: object = ADA) =>
  client.post('/v1/events', { event_type, profile, properties }, { expect: 201 });

/** Makes an automation that is live. */
export async function publish(client: Client, definition: object): Promise<string> {
  const { body } = await client.post('/v1/automations', { definition }, { expect: 201 });
  await client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
  return body.id;
}

/** The first run of an automation, once there is one that fits. */
export async function runOf(client: Client, id: string, fits: (run: any) => boolean = () => true): Promise<any> {
  let found: any;
  await until(async () => {
    const { body } = await client.get(`/v1/automations/${id}/runs`, { expect: 200 });
    found = body.runs.find(fits);
    return found !== undefined;
  }, 'there is a run');
  return found;
}
