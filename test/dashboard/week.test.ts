import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Campaigns } from '../campaigns/support/campaigns.ts';
import { useDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { dialog, publish, runOf, runs, send } from './support/automations.ts';
import { ByKeyboard, ByMouse, type Hands } from './support/hands.ts';
import { expectSound, type Look } from './support/looks.ts';
import { ordersRead } from './support/orders.ts';

/**
 * What each task of a week takes from Home: keys that do something, Tab and what is typed aside, or clicks. Whoever makes one
 * shorter writes it down here; none gets longer.
 */
const TASKS = {
  'finds an order': { keys: 2, clicks: 2 },
  'compares this month with the last one': { keys: 1, clicks: 2 },
  'sees who did not get a campaign, and why': { keys: 3, clicks: 3 },
  'lets a colleague in': { keys: 5, clicks: 5 },
  'erases a customer': { keys: 4, clicks: 5 },
  'changes what a message says': { keys: 4, clicks: 5 },
  'pauses everything': { keys: 3, clicks: 3 },
  'finds out why an automation has failed': { keys: 2, clicks: 2 },
  'adds a customer to a list': { keys: 5, clicks: 5 },
  'drafts a campaign to a segment': { keys: 4, clicks: 4 },
} as const;
type Task = keyof typeof TASKS;

const PHONE = { width: 390, height: 844 };
const LOOKS: Look[] = [
  { width: PHONE.width, colorScheme: 'dark', isOfColours: true },
  { width: PHONE.width, colorScheme: 'light' },
];
/** Whom the one who uses the keyboard, and the one who uses the mouse, have to do with. */
const TURNS = [
  { name: 'keyboard', unit: 'keys', By: ByKeyboard, customer: 'ada@example.com', colleague: 'mia@example.com' },
  { name: 'mouse', unit: 'clicks', By: ByMouse, customer: 'ben@example.com', colleague: 'tom@example.com' },
] as const;

/** Who does a task, where, and for whom. */
interface Turn {
  hands: Hands;
  page: Page;
  customer: string;
  colleague: string;
  /** Looks at a page on the way, unless somebody has. */
  look: (what: string) => Promise<void>;
}

describe('The dashboard in the week of a merchant', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let campaigns: Campaigns;
  let key: string;
  let templateId: string;
  let listId: string;
  let segmentId: string;
  const looked = new Set<string>();

  before(async () => {
    service = await TestService.start();
    campaigns = await Campaigns.open(service);
    const { shop } = campaigns;
    const { client } = shop;
    ({ key } = await service.newKey({ storeId: shop.storeId, name: 'Owner' }));

    const now = Temporal.Now.zonedDateTimeISO('UTC');
    const quarter = now.round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' });
    // Of somebody who is not erased, so that there is revenue on Home whatever has been swept.
    const order = (order_id: string, value: number, at: Temporal.ZonedDateTime) => ({
      ...{ event_type: 'placed_order', profile: { email: 'eve@example.com' } },
      properties: { order_id, value, currency: 'EUR' },
      occurred_at: at.toInstant().toString(),
    });
    const events = [order('A-1001', 60, now), order('A-1000', 30, quarter.subtract({ months: 1 }))];
    await client.post('/v1/events/bulk', { events }, { expect: 201 });

    const everybody = TURNS.map(({ customer }) => customer);
    const regulars = await campaigns.list([...everybody, 'eve@example.com', 'dan@example.com']);
    const suppressed = { addresses: ['dan@example.com'], reason: 'manual' };
    await client.post('/v1/suppressed-addresses', suppressed, { expect: 200 });
    for (const customer of everybody) await shop.customer(customer, 'unsubscribed');
    const spring = await campaigns.draft(regulars, { name: 'Spring sale' });
    await campaigns.schedule(spring);
    await campaigns.reaches(spring, 'sent');
    templateId = await shop.template({ name: 'Shipped' });
    listId = (await client.post('/v1/lists', { name: 'Tasting club' }, { expect: 201 })).body.id;
    const definition = { attribute: 'first_name', op: 'eq', value: 'Ada' };
    segmentId = (await client.post('/v1/segments', { name: 'Best buyers', definition }, { expect: 201 })).body.id;

    const pool = { name: 'Ten percent', kind: 'uploaded', low_below: 5 };
    const { id: pool_id } = (await client.post('/v1/coupon-pools', pool, { expect: 201 })).body;
    await client.post(`/v1/coupon-pools/${pool_id}/codes`, { codes: ['TEN'] }, { expect: 200 });
    const automation = await publish(client, {
      ...{ name: 'Thanks', trigger: { type: 'event', event_type: 'paid' }, start: 'code' },
      steps: [{ id: 'code', type: 'assign_coupon', pool_id, next: null }],
    });
    await client.send('PATCH', `/v1/coupon-pools/${pool_id}`, '{"expires_at":"2025-01-01T00:00:00Z"}', {
      ...{ headers: { 'Content-Type': 'application/json' }, expect: 200 },
    });
    await send(client, 'paid', {}, { email: 'eve@example.com' });
    await runOf(client, automation, ({ status }) => status === 'failed');
    await ordersRead(client, 2);
    await until(async () => {
      const { body } = await client.get(`/v1/segments/${segmentId}`, { expect: 200 });
      return body.member_count !== null;
    }, 'the segment is built');
  });
  after(() => service?.stop());

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const button = (page: Pick<Page, 'getByRole'>, name: string) => page.getByRole('button', { name, exact: true });
  const read = async (path: string) => (await campaigns.shop.client.get(path, { expect: 200 })).body;

  const DONE: Record<Task, (turn: Turn) => Promise<void>> = {
    async 'finds an order'({ hands, page, look }) {
      await hands.search('A-1001', 'A-1001');
      await heading(page, 'A-1001');
      await page.getByText('€60.00').first().waitFor();
      await look('an order');
    },

    async 'compares this month with the last one'({ hands, page, look }) {
      await hands.select(page.getByLabel('Time range'), 'This month');
      await page.getByText(/^Compared with .*, to the same hour$/).waitFor();
      await page.getByRole('region', { name: 'Revenue', exact: true }).getByText('+100%').first().waitFor();
      await look('Home');
    },

    async 'sees who did not get a campaign, and why'({ hands, page, look }) {
      await hands.search('Spring', 'Spring sale');
      await heading(page, 'Spring sale');
      await hands.press(page.getByRole('group', { name: 'Skipped' }).getByRole('link', { name: 'Have unsubscribed' }));
      const messages = page.getByRole('table', { name: 'Messages' }).getByRole('row');
      await until(async () => {
        const skipped = await messages.filter({ hasText: 'skipped' }).allTextContents();
        return skipped.length === TURNS.length && skipped.every((one) => one.includes('has unsubscribed'));
      }, 'those who have unsubscribed are shown, and no others');
      await until(() => page.getByRole('region', { name: 'Messages' }).evaluate(isAtTop), 'they are on the screen');
      await look('a campaign');
    },

    async 'lets a colleague in'({ hands, page, colleague, look }) {
      await hands.search('Invite', 'Invite somebody');
      await heading(page, 'People');
      await hands.write(dialog(page).getByLabel('E-mail address'), colleague);
      await look('an invitation');
      await hands.chooseNext(dialog(page).getByLabel('analyst'));
      await hands.send(button(dialog(page), 'Invite'));
      const shown = page.getByRole('region', { name: 'Link of the invitation' });
      const link = (await shown.textContent()) as string;
      // What is beside the button that copies it can be read.
      expect(await shown.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).paddingRight)).to.equal(
        '52px',
      );
      await look('the link of an invitation');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await hands.press(page.getByRole('button', { name: 'Copy: Link of the invitation' }));
      await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === link, 'the link is copied');
      const { invitations } = await read('/v1/invitations');
      expect(invitations.find(({ email }: any) => email === colleague)).to.include({ role: 'analyst' });
      await button(page, 'Done').click();
      await look('People');
    },

    async 'erases a customer'({ hands, page, customer, look }) {
      await hands.search(customer, 'Ada');
      await heading(page, 'Ada');
      await hands.press(button(page, 'Erase this customer'));
      await hands.write(dialog(page).getByLabel(/^Type/), customer);
      await look('the question before an erasure');
      await hands.send(button(dialog(page), 'Erase'));
      await heading(page, 'Erasure');
      await page.getByRole('table', { name: 'Deleted or emptied' }).getByText('profile', { exact: true }).waitFor();
      await look('an erasure');
      expect((await read(`/v1/profiles?email=${customer}`)).profiles).to.deep.equal([]);
    },

    async 'changes what a message says'({ hands, page, look }) {
      const { version } = await read(`/v1/templates/${templateId}`);
      await hands.search('Shipped', 'Shipped');
      await heading(page, 'Shipped');
      await hands.write(page.getByLabel('Subject'), '!');
      await hands.press(button(page, 'Save and publish'));
      await dialog(page).getByText('What is sent from now on').waitFor();
      await look('the question before a publication');
      await hands.press(button(dialog(page), 'Publish'));
      await page.getByText(`Version ${version + 1} is published.`).waitFor();
      expect((await read(`/v1/templates/${templateId}/versions/${version + 1}`)).draft.subject).to.match(/!$/);
      await look('a template');
    },

    async 'pauses everything'({ hands, page, look }) {
      await hands.search('pause', 'Pause everything');
      await heading(page, 'Pause everything');
      await hands.press(button(page, 'Pause everything'));
      await page.getByRole('heading', { name: 'Nothing leaves' }).waitFor();
      await look('a store that is paused');
      await button(page, 'Let everything go on').click();
      await page.getByRole('heading', { name: 'Everything goes its way' }).waitFor();
    },

    async 'finds out why an automation has failed'({ hands, page, look }) {
      await hands.press(page.getByRole('link', { name: /^A run of an automation has failed/ }));
      await heading(page, 'Thanks');
      const failed = runs(page).filter({ hasText: 'failed' });
      await failed.waitFor();
      // Whoever is led to the runs sees them, whatever is read above them meanwhile.
      await until(() => page.getByRole('region', { name: 'Runs' }).evaluate(isAtTop), 'the runs are on the screen');
      await look('an automation');
      await hands.press(failed.getByRole('link').last());
      await heading(page, 'Run');
      await page
        .getByRole('list', { name: 'Timeline' })
        .getByText(/expired/)
        .waitFor();
      await look('a run');
    },

    async 'adds a customer to a list'({ hands, page, customer, look }) {
      await hands.search(customer, 'Ada');
      await heading(page, 'Ada');
      const lists = page.getByRole('region', { name: 'Lists', exact: true });
      await hands.choose(lists.getByRole('combobox', { name: 'Add to a list' }), 'Tasting club');
      await hands.press(button(lists, 'Add'));
      await lists.getByRole('link', { name: 'Tasting club' }).waitFor();
      await look('a customer');
      await until(async () => (await read(`/v1/lists/${listId}`)).member_count > 0, 'the customer is in the list');
    },

    async 'drafts a campaign to a segment'({ hands, page, look }) {
      await hands.search('Best buyers', 'Best buyers');
      await heading(page, 'Best buyers');
      await look('a segment');
      await hands.press(button(page, 'Create a campaign'));
      await hands.write(dialog(page).getByRole('textbox', { name: 'Name' }), 'To the best');
      await hands.send(button(dialog(page), 'Create'));
      await heading(page, 'To the best');
      await page.getByRole('heading', { name: 'Step 1 of 4: Content' }).waitFor();
      await look('a draft of a campaign');
      const [{ id }] = (await read('/v1/campaigns')).campaigns;
      expect((await campaigns.get(id)).audience).to.deep.equal({ any: [{ segment: segmentId }], not: [] });
    },
  };

  // Whoever is erased is needed until then.
  const inOrder = (Object.keys(TASKS) as Task[]).sort(
    (a, b) => Number(a.startsWith('erases')) - Number(b.startsWith('erases')),
  );
  for (const task of inOrder) {
    it(`${task}, with ${TASKS[task].keys} keys or ${TASKS[task].clicks} clicks`, async () => {
      const page = await dashboard.open(service, key, '/', { viewport: PHONE });
      for (const { name, unit, By, ...whom } of TURNS) {
        await page.goto(`${service.url}/dashboard/`);
        await page.getByText('Returning customers').waitFor();
        const hands = new By(page);
        const look = async (what: string) => {
          if (!looked.has(what)) await expectSound(page, what, LOOKS);
          looked.add(what);
        };
        await DONE[task]({ hands, page, look, ...whom });
        expect(hands.acts, `${unit}, by ${name}`).to.equal(TASKS[task][unit]);
      }
    });
  }
});

/** Whether a part of a page begins right below its header, or as far above as the page can be scrolled to. */
const isAtTop = (part: { getBoundingClientRect(): { top: number }; ownerDocument: any }): boolean => {
  const { documentElement: root, defaultView: window } = part.ownerDocument;
  const { top } = part.getBoundingClientRect();
  const header = part.ownerDocument.querySelector('header').getBoundingClientRect().bottom;
  const isAtEnd = window.scrollY + window.innerHeight >= root.scrollHeight - 1;
  return top >= header && top < (isAtEnd ? window.innerHeight : header + 40);
};
