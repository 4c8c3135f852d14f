import { expect } from 'chai';
import { until } from '../support/process.ts';
import { NEW_SNIPPET, OLD_SNIPPET } from './shop.ts';
import { useStage } from './stage.ts';

const NOBODY = { email: null, phone: null, external_id: null };
const ADA = { ...NOBODY, email: 'ada@example.com' };

// The browser fails a test whose page throws, asks another host, or has an error in its console.
describe('The script on a page', () => {
  const setUp = useStage();

  it('records what the old snippet says, before the script is there and after it', async () => {
    const { open, events } = await setUp({
      '/': {
        before: `${OLD_SNIPPET}
          _learnq.push(['track', 'Viewed Product', { ProductName: 'Mug', $value: 12.5, $event_id: 'view-1' }]);
          _learnq.push(['account', 'AbC123']);
          _learnq.push(['identify', { $email: ' Ada@Example.com ', $first_name: 'Ada', $city: 'London', Plan: 'gold' }]);`,
      },
    });
    const page = await open();
    await page.waitForFunction('_learnq._loaded');
    await page.evaluate(`_learnq.push(['track', 'Added to Cart', { Items: ['Mug'] }])`);
    const recorded = await events(3);
    expect(recorded.map(({ type, who }) => [type, who])).to.have.deep.members([
      ['viewed_product', ADA],
      ['active_on_site', ADA],
      ['added_to_cart', ADA],
    ]);
    const viewed = recorded.find(({ type }) => type === 'viewed_product');
    expect(viewed?.properties).to.deep.equal({ ProductName: 'Mug', value: 12.5 });
    expect(viewed?.attributes).to.deep.include({ first_name: 'Ada', location: { city: 'London' }, Plan: 'gold' });
  });

  it('has a visitor wait for an item, once it is known who they are', async () => {
    const { open, client } = await setUp({ '/': {} });
    await client.post('/v1/catalog/items/upsert', { id: 'mug', title: 'Mug', stock: 0 }, { expect: 201 });
    const page = await open();
    await page.waitForFunction('window._learnq?._loaded');
    const results = await page.evaluate<any[]>(`Promise.all([
      klaviyo.subscribeToItem('mug'),
      klaviyo.subscribeToItem('mug', { email: 'ada@example.com' }),
      klaviyo.subscribeToItem(null),
    ])`);
    expect(results).to.deep.equal([false, true, false]);
    const subscriptions = async () =>
      (await client.get<any>('/v1/catalog/subscriptions', { expect: 200 })).body.subscriptions;
    await until(async () => (await subscriptions()).length > 0, 'the customer waits');
    expect((await subscriptions())[0]).to.include({ item_id: 'mug', from_client: true });
  });

  it('keeps the promises of the new snippet, and calls its callbacks', async () => {
    const { open, events } = await setUp(
      {
        '/': {
          before: `${NEW_SNIPPET}
            const early = window.klaviyo;
            window.results = Promise.all([
              klaviyo.isIdentified(),
              klaviyo.identify({ email: 'ada@example.com', first_name: 'Ada', external_id: 7 }),
              klaviyo.track('Viewed Product', { ProductName: 'Mug' }, (result) => { window.called = result; }),
              new Promise((resolve) => klaviyo.push(['account', resolve])),
            ]);
            window.later = () => early.track('Early Object');`,
        },
      },
      'path',
    );
    const page = await open();
    const results = await page.evaluate<any[]>('window.results');
    expect(results).to.deep.include({ email: 'ada@example.com', external_id: '7' });
    expect([results[2], results[3].slice(0, 4)]).to.deep.equal([true, 'ffp_']);
    expect(await page.evaluate('window.called')).to.equal(true);
    expect(await page.evaluate('klaviyo.isIdentified()')).to.equal(true);
    await page.evaluate(`klaviyo.track('Added to Cart', { Items: [] }, () => { window.called = 'again'; })`);
    expect(await page.evaluate('window.called')).to.equal('again');
    // An object from before the script was there still works.
    await page.evaluate('window.later()');
    const recorded = await events(4);
    expect(recorded.map(({ type }) => type)).to.have.members([
      'viewed_product',
      'active_on_site',
      'added_to_cart',
      'early_object',
    ]);
    // A page can't give an `external_id` to a profile.
    for (const { who } of recorded) expect(who).to.deep.equal({ ...ADA, external_id: null });
  });

  it('records what is said at once in one request', async () => {
    const { open, events, front } = await setUp({
      '/': {
        before: `window.klaviyo = [];
        klaviyo.push(['identify', { email: 'ada@example.com' }]);
        klaviyo.push(['identify', { first_name: 'Ada' }], ['track', 'Viewed Product'], ['track', 'Viewed Product']);`,
      },
    });
    await open();
    const [{ attributes } = { attributes: {} }] = await events(3);
    expect(attributes).to.include({ first_name: 'Ada' });
    expect(front.sent.map(({ path }) => path.split('?')[0])).to.deep.equal(['/compat/v1/client/event-bulk-create']);
  });

  it('remembers a visitor who has not said who they are as one, and says nothing of their presence', async () => {
    const { open, events, shop, client } = await setUp({
      '/': { before: `${OLD_SNIPPET} _learnq.push(['track', 'Viewed Product']);` },
      '/other': { before: `${NEW_SNIPPET} klaviyo.track('Viewed Product');` },
    });
    const page = await open();
    await events(1);
    await page.goto(`${shop.url}/other`);
    await events(2);
    const { body } = await client.get('/v1/events');
    expect(new Set(body.events.map(({ profile_id }: any) => profile_id)).size).to.equal(1);
    expect(await page.evaluate('klaviyo.isIdentified()')).to.equal(false);
    expect((await events(2)).map(({ who }) => who)).to.deep.equal([NOBODY, NOBODY]);
    const other = await open();
    await other.waitForFunction('_learnq._loaded');
    const all = await events(3).then(() => client.get('/v1/events'));
    expect(new Set(all.body.events.map(({ profile_id }: any) => profile_id)).size).to.equal(2);
  });

  it('knows a customer on the next page, tells one from another, and forgets them when told', async () => {
    const { open, events, shop } = await setUp({ '/': { before: NEW_SNIPPET } });
    const page = await open();
    const next = () => page.goto(shop.url);
    await page.evaluate(`klaviyo.identify({ $email: 'ada@example.com', $phone_number: '+44 20 7946 0958' })`);
    await events(1);
    await next();
    await events(2);
    await page.evaluate(`klaviyo.identify({ email: 'grace@example.com' }).then(() => klaviyo.track('Visit'))`);
    await events(3);
    await page.evaluate(`klaviyo.push(['clearIdentity']); klaviyo.track('Visit')`);
    expect((await events(4)).map(({ type, who }) => [type, who.email, who.phone])).to.deep.equal([
      ['active_on_site', 'ada@example.com', '+442079460958'],
      ['active_on_site', 'ada@example.com', '+442079460958'],
      ['visit', 'grace@example.com', null],
      ['visit', null, null],
    ]);
  });

  it('keeps items that were viewed where themes look for them, and in the profile', async () => {
    const { open, events } = await setUp({ '/': { before: NEW_SNIPPET } });
    const page = await open();
    await page.evaluate(`(async () => {
      await klaviyo.identify({ email: 'ada@example.com' });
      await klaviyo.trackViewedItem({ ItemId: 1, Title: 'Mug' });
      await klaviyo.trackViewedItem({ ItemId: 2, Title: 'Cup' });
      await klaviyo.trackViewedItem({ ItemId: 2, Title: 'Cup' });
      await klaviyo.track('Done');
    })()`);
    const [, { attributes } = { attributes: {} as any }] = await events(2);
    const seen = (attributes.$viewed_items as any[]).map(({ Title, Views }) => [Title, Views]);
    expect(seen).to.deep.equal([
      ['Cup', 2],
      ['Mug', 1],
    ]);
    const kept = await page.evaluate<any[]>('JSON.parse(localStorage.__kla_viewed)');
    expect(kept.map(([{ ItemId }, views]) => [ItemId, views])).to.deep.equal([
      [2, 2],
      [1, 1],
    ]);
  });

  it('does nothing on calls that it does not have, and stops at none that it can not read', async () => {
    const { open, events } = await setUp({ '/': { before: NEW_SNIPPET } });
    const page = await open('/', { allow: [/a mistake of the page/] });
    await page.waitForFunction('window._learnq?._loaded');
    const results = await page.evaluate(`Promise.all([
      klaviyo.openForm('XyZ'), klaviyo.constructor(), klaviyo.identify(), klaviyo.track(), klaviyo.track({}),
      klaviyo.trackViewedItem(null), klaviyo.push(null, 7, 'text', [], ['nothing'], [{}], () => {}),
      klaviyo.track('Loop', (() => { const loop = {}; loop.loop = loop; return loop; })()),
      klaviyo.track('Throws', {}, () => { throw new Error('a mistake of the page'); }),
      klaviyo.track('Odd', { $value: 'free', time: 'soon', constructor: 1 }),
      klaviyo.track('Dated', { $value: '7.50', time: 1700000000 }),
    ]).then((all) => all.length)`);
    expect(results).to.equal(11);
    const recorded = await events(4);
    expect(recorded.map(({ type }) => type)).to.have.members(['loop', 'throws', 'odd', 'dated']);
    const of = (name: string) => recorded.find(({ type }) => type === name);
    expect(of('odd')?.properties).to.deep.equal({ $value: 'free', time: 'soon', constructor: 1 });
    expect(of('dated')).to.deep.include({ properties: { value: 7.5 }, occurredAt: '2023-11-14T22:13:20.000Z' });
  });

  it('takes its key from a page that names it as its account', async () => {
    const { open, events, key } = await setUp(
      { '/': { before: `${OLD_SNIPPET} _learnq.push(['track', 'Visit']); _learnq.push(['account', 'AbC123']);` } },
      'none',
    );
    const page = await open();
    await page.waitForFunction('_learnq._loaded');
    await page.evaluate(`_learnq.push(['account', '${key}'])`);
    await page.evaluate(`_learnq.push(['track', 'Visit'])`);
    await events(2);
  });

  it('is quiet where the visitor has opted out, and stores nothing', async () => {
    const { open, front } = await setUp({
      '/': {
        before: `document.cookie = '__kla_off=true'; ${NEW_SNIPPET} klaviyo.identify({ email: 'ada@example.com' });
        window.done = klaviyo.track('Visit').then(() => klaviyo.trackViewedItem({ ItemId: 1 }));`,
      },
    });
    const page = await open();
    await page.evaluate('window.done');
    expect(await page.evaluate('Object.keys(localStorage)')).to.deep.equal([]);
    // Whatever it had to send would come before this.
    await page.evaluate(`document.cookie = '__kla_off='; klaviyo.track('Later')`);
    await until(() => front.sent.length > 0, 'it has sent something');
    expect(JSON.stringify(front.sent)).to.include('Later').and.not.to.include('ada@');
  });
});
