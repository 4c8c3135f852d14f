import { expect } from 'chai';
import { until } from '../support/process.ts';
import { NEW_SNIPPET } from './shop.ts';
import { useStage } from './stage.ts';

const FAILED = /Failed to load resource/;
const SHOP = { '/': { before: NEW_SNIPPET }, '/next': { before: NEW_SNIPPET } };
const READY = 'window._learnq?._loaded';

describe('What a page says', () => {
  const setUp = useStage();

  it('arrives if it is said right before the visitor leaves the shop', async () => {
    const { open, events } = await setUp(SHOP);
    const page = await open();
    await page.waitForFunction(READY);
    await page.evaluate(`klaviyo.track('Clicked'); location.href = 'about:blank'`);
    await page.waitForURL('about:blank');
    expect((await events(1)).map(({ type }) => type)).to.deep.equal(['clicked']);
  });

  it('arrives if an earlier request is still on its way then', async () => {
    const { open, events, front } = await setUp(SHOP);
    const page = await open();
    await page.waitForFunction(READY);
    const release = front.hold();
    await page.evaluate(`klaviyo.track('First').then(() => new Promise((resolve) => setTimeout(resolve)))
      .then(() => { klaviyo.track('Second'); klaviyo.identify({ email: 'ada@example.com' }); location.href = 'about:blank'; })`);
    await page.waitForURL('about:blank');
    release();
    const recorded = await events(3);
    expect(recorded.map(({ type }) => type)).to.have.members(['first', 'second', 'active_on_site']);
  });

  it('is recorded once, though the next page sends it again', async () => {
    const { open, events, shop, front } = await setUp(SHOP);
    const page = await open();
    await page.waitForFunction(READY);
    const release = front.hold();
    await page.evaluate(`klaviyo.track('Clicked')`);
    await page.goto(`${shop.url}/next`);
    release();
    await page.evaluate(`klaviyo.track('Arrived')`);
    await until(
      () => front.sent.filter(({ body }) => /Clicked/.test(JSON.stringify(body))).length > 1,
      'it is sent again',
    );
    expect((await events(2)).map(({ type }) => type)).to.have.members(['clicked', 'arrived']);
  });

  for (const fate of ['lost', 429, 503] as const) {
    it(`is sent again, in order, where a request is ${fate === 'lost' ? fate : `answered with ${fate}`}`, async () => {
      const { open, events, front } = await setUp(SHOP);
      front.fate = (count) => (count === 0 ? fate : 'served');
      const page = await open('/', { allow: [FAILED] });
      await page.waitForFunction(READY);
      await page.evaluate(`klaviyo.track('First', { $value: 1 })`);
      await until(() => front.sent.length > 0, 'it is sent');
      await page.evaluate(
        `klaviyo.track('Second'); klaviyo.identify({ email: 'ada@example.com' }); klaviyo.track('Third')`,
      );
      const recorded = await events(4);
      expect(recorded.map(({ type }) => type)).to.have.members(['first', 'second', 'third', 'active_on_site']);
      const names = front.sent.flatMap(({ body }) => JSON.stringify(body).match(/First|Second|Third/g));
      expect([...new Set(names)]).to.deep.equal(['First', 'Second', 'Third']);
      expect(names.filter((name) => name === 'First')).to.have.length.above(1);
    });
  }

  it('waits for the next page of the shop where the service can not be reached, with its time', async () => {
    const { open, events, shop, front } = await setUp(SHOP);
    front.fate = () => 'lost';
    const page = await open('/', { allow: [FAILED] });
    await page.waitForFunction(READY);
    const saidAt = Date.now() - 3 * 3_600_000;
    await page.clock.install({ time: saidAt });
    await page.evaluate(`klaviyo.identify({ email: 'ada@example.com' }); klaviyo.track('Lost', { page: 1 })`);
    await until(() => front.sent.length > 0, 'it is sent');
    const later = saidAt + 3_600_000;
    await page.clock.setSystemTime(later);
    front.fate = () => 'served';
    await page.goto(`${shop.url}/next`);
    const lost = (await events(3)).find(({ type }) => type === 'lost');
    expect(lost?.properties).to.deep.equal({ page: 1 });
    expect(Date.parse(lost?.occurredAt ?? '')).to.be.within(saidAt, later - 1);
    expect(lost?.who.email).to.equal('ada@example.com');
    expect(await page.evaluate('localStorage.footfall_unsent')).to.equal(undefined);
  });

  it('takes no more than its share of the storage while the service can not be reached', async () => {
    const { open, shop, front } = await setUp(SHOP);
    front.fate = () => 'lost';
    const page = await open('/', { allow: [FAILED] });
    await page.waitForFunction(READY);
    await page.evaluate(`for (let i = 0; i < 2000; i += 1) klaviyo.track('Visit', { i, note: 'x'.repeat(500) })`);
    await page.goto('about:blank');
    const before = front.sent.length;
    front.fate = () => 'served';
    await page.goto(`${shop.url}/next`);
    await page.evaluate(`klaviyo.track('Last')`);
    const texts = () => front.sent.slice(before).map(({ body }) => JSON.stringify(body));
    await until(() => texts().some((text) => text.includes('Last')), 'the last event is sent');
    expect(texts().join('').length).to.be.within(20_000, 150_000);
    expect(texts().join('')).to.include('"i":1999').and.not.include('"i":0,');
  });

  it('is kept as long as the page lives where nothing may be stored', async () => {
    const { open, events } = await setUp({
      '/': {
        before: `${NEW_SNIPPET} klaviyo.identify({ email: 'ada@example.com' });`,
        // The page has no origin: its storage and its cookies are out of reach.
        headers: { 'Content-Security-Policy': 'sandbox allow-scripts' },
      },
    });
    const page = await open();
    await page.waitForFunction(READY);
    await page.evaluate(`klaviyo.track('Visit'); klaviyo.trackViewedItem({ ItemId: 1 })`);
    expect((await events(2)).map(({ who }) => who.email)).to.deep.equal(['ada@example.com', 'ada@example.com']);
    expect(await page.evaluate(`(() => { try { return localStorage; } catch { return 'blocked'; } })()`)).to.equal(
      'blocked',
    );
  });

  it('is not lost with an address that the service refuses, nor with an event that it refuses', async () => {
    const { open, events } = await setUp(SHOP);
    const page = await open('/', { allow: [FAILED] });
    await page.waitForFunction(READY);
    await page.evaluate(`klaviyo.identify({ email: '.ada@example.com', $id: 'cust_1001' }); klaviyo.track('Visit')`);
    await events(2);
    await page.evaluate(`klaviyo.track('Good'); klaviyo.track('Bad', ${nested(12)}); klaviyo.track('Good')`);
    const recorded = await events(4);
    expect(recorded.map(({ type }) => type)).to.have.members(['visit', 'active_on_site', 'good', 'good']);
    // Nobody has that customer's number yet, which a page can't give: a visitor, then.
    for (const { who } of recorded) expect(who).to.deep.equal({ email: null, phone: null, external_id: null });
  });

  it('changes lists of the customer, and removes attributes', async () => {
    const { open, events } = await setUp(SHOP);
    const page = await open();
    await page.waitForFunction(READY);
    await page.evaluate(`(async () => {
      await klaviyo.identify({ email: 'ada@example.com', sizes: ['M'], note: 'x' });
      await klaviyo.identify({ $append: { sizes: 'L' }, $unset: ['note'] });
      await klaviyo.track('Done');
    })()`);
    const [{ attributes } = { attributes: {} }] = await events(2);
    expect(attributes)
      .to.deep.include({ sizes: ['M', 'L'] })
      .and.not.have.property('note');
  });

  it('goes nowhere with a key that is not valid, and stops nothing', async () => {
    const { open, front, client } = await setUp(SHOP, 'query', 'AbC123');
    const page = await open('/', { allow: [FAILED] });
    await page.waitForFunction(READY);
    expect(await page.evaluate(`klaviyo.track('Visit')`)).to.equal(true);
    await until(() => front.sent.length === 1, 'it is sent');
    await page.evaluate(`klaviyo.track('Again')`);
    await until(() => front.sent.length === 2, 'so is the next');
    expect((await client.get('/v1/events')).body.events).to.deep.equal([]);
  });
});

/** An object that is so many levels deep. */
function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
