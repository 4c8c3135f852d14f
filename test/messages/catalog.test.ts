import { expect } from 'chai';
import type { Scope } from '../../src/domain/caller.ts';
import { Campaigns } from '../campaigns/support/campaigns.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import type { Shop } from './support/shop.ts';

const [ADA, BOB] = ['ada@shop.example', 'bob@shop.example'];
const TITLES = { TEA: 'Darjeeling', POT: 'A pot', CUP: 'A cup', MAT: 'A mat' };

describe('Messages that show items of the catalog', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let shop: Shop;

  before(async () => {
    service = await TestService.start({ PUBLIC_URL: 'https://mail.shop.example' });
    campaigns = await Campaigns.open(service);
    shop = campaigns.shop;
    const items = Object.entries(TITLES).map(([id, title]) => ({
      ...{ id, title, url: `https://shop.example/${id}`, image_url: `https://shop.example/${id}.png` },
      prices: { EUR: { price: 19.9 } },
    }));
    await shop.client.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
    await until(
      async () =>
        (await shop.query(`select from feed_reader where name = 'items' and store_id = '${shop.storeId}'`))[0],
      'the catalog is followed',
    );
    for (const email of [ADA, BOB]) await shop.customer(email);
    const order = (email: string, n: number, ...ids: string[]) => ({
      ...{ event_type: 'placed_order', profile: { email } },
      properties: { order_id: `${email} ${n}`, items: ids.map((ProductID) => ({ ProductID })) },
    });
    const events = [
      ...['c1', 'c2', 'c3'].map((name) => order(`${name}@shop.example`, 1, 'TEA', 'POT')),
      order('c1@shop.example', 2, 'CUP'),
      order(ADA, 1, 'TEA'),
    ];
    await shop.client.post('/v1/events/bulk', { events }, { expect: 201 });
    await until(
      async () => (await shop.query(`select from item_activity where store_id = '${shop.storeId}'`)).length === 8,
      'the orders are read',
    );
  });
  after(() => service.stop());

  const UNSUBSCRIBE = '<a href="{{ unsubscribe_url }}">Unsubscribe</a>';
  const listing = (path: string) =>
    `{% for item in ${path} limit: 3 %}[{{ item.title }} {{ item.price | money: item.currency }} {{ item.because }}]{% endfor %}${UNSUBSCRIBE}`;
  const shown = async (messageId: string): Promise<string[]> =>
    [...(await shop.content(messageId)).html.matchAll(/\[([^\]]+)\]/g)].map(([, text]) => text);
  const preview = async (body: string, more: object = {}) => {
    const draft = { name: 'Draft', kind: 'html', subject: 'Hello', body };
    const { id } = (await shop.client.post<any>('/v1/templates', draft, { expect: 201 })).body;
    return (await shop.client.post<any>(`/v1/templates/${id}/render`, more, { expect: 200 })).body;
  };

  it('show those of the event, as the catalog has them', async () => {
    const template = await shop.template({ body: listing('event.items') });
    const event = { event_type: 'viewed_product', profile: { email: BOB }, properties: { ProductID: 'CUP' } };
    const { id: event_id } = (await shop.client.post<any>('/v1/events', event, { expect: 201 })).body;
    const say = async () => {
      const id = await shop.send(template, BOB, { event_id });
      await shop.ended(id);
      return await shown(id);
    };
    expect(await say()).to.deep.equal(['A cup €19.90 ']);
    // As a version before this has published it.
    await shop.query(`
      update template_version set compiled = (compiled::jsonb - 'reads')::json where template_id = '${template}'`);
    expect(await say()).to.deep.equal(['A cup €19.90 ']);
  });

  it('recommend what is bought with the item of the event, else with what the customer ordered last', async () => {
    const template = await shop.template({ body: listing('recommended.also_bought') });
    const id = await shop.send(template, ADA);
    await shop.ended(id);
    expect((await shown(id)).slice(0, 2)).to.deep.equal(['A pot €19.90 also_bought', 'Darjeeling €19.90 best_sellers']);
    const event = { event_type: 'viewed_product', profile: { email: BOB }, properties: { ProductID: 'POT' } };
    const { id: event_id } = (await shop.client.post<any>('/v1/events', event, { expect: 201 })).body;
    const other = await shop.send(template, BOB, { event_id });
    await shop.ended(other);
    expect((await shown(other))[0]).to.equal('Darjeeling €19.90 also_bought');
  });

  it('recommend what is bought with an item that is named, and best sellers where the catalog has none of that name', async () => {
    const firstOf = async (text: string) => {
      const id = await shop.send(await shop.template({ body: listing(text) }), ADA);
      await shop.ended(id);
      return await shown(id);
    };
    expect((await firstOf('recommended.also_bought_with["POT"]'))[0]).to.equal('Darjeeling €19.90 also_bought');
    const unknown = await firstOf("recommended.also_bought_with['GONE']");
    expect(unknown.every((line) => line.endsWith(' best_sellers'))).to.equal(true);
    expect(unknown).to.not.deep.equal([]);
  });

  it('recommend by a block what is bought with an item, and refuse one that cannot be named', async () => {
    const publish = async (more: object) => {
      const blocks = [{ type: 'recommend', kind: 'also_bought', fallback: false, ...more }, { type: 'footer' }];
      const draft = { name: 'With', kind: 'blocks', subject: 'Hello', body: { blocks } };
      const { id } = (await shop.client.post<any>('/v1/templates', draft, { expect: 201 })).body;
      return { id, ...(await shop.client.post<any>(`/v1/templates/${id}/publish`, { revision: 1 })) };
    };
    const { id: template, status } = await publish({ item: 'POT' });
    expect(status).to.equal(200);
    const id = await shop.send(template, ADA);
    await shop.ended(id);
    const { html } = await shop.content(id);
    expect(Object.values(TITLES).filter((title) => html.includes(`>${title}<`))).to.deep.equal(['Darjeeling']);
    const refused: [object, string][] = [
      [{ item: 'a"b' }, 'body.blocks[0].item'],
      [{ item: 'a\\nb' }, 'body.blocks[0].item'],
      [{ item: '{{ x }}' }, 'body.blocks[0].item'],
      [{ item: 'POT', kind: 'best_sellers' }, 'body.blocks[0].item'],
    ];
    for (const [more, field] of refused) {
      const { status: refusal, body } = await publish(more);
      expect([refusal, body.error.field], JSON.stringify(more)).to.deep.equal([400, field]);
    }
    const names = Array.from({ length: 6 }, (_, n) => `{{ recommended.also_bought_with["${n}"].size }}`).join('');
    for (const text of [names, '{% for x in recommended.also_bought_with[data.x] %}{% endfor %}']) {
      const draft = { name: 'With', kind: 'html', subject: 'Hello', body: `<p>${text}</p>${UNSUBSCRIBE}` };
      const { id: other } = (await shop.client.post<any>('/v1/templates', draft, { expect: 201 })).body;
      const { body } = await shop.client.post<any>(`/v1/templates/${other}/publish`, { revision: 1 }, { expect: 400 });
      expect(body.error.field, text).to.equal('body');
    }
  });

  it('recommend in campaigns, and show later what they said', async () => {
    const list = await campaigns.list([ADA, BOB]);
    const template_id = await shop.template({ body: listing('recommended.buy_again') });
    const id = await campaigns.draft(list, { template_id });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    const { messages } = (await shop.client.get<any>(`/v1/campaigns/${id}/messages`, { expect: 200 })).body;
    const first = await Promise.all(messages.map(async ({ id: message }: any) => (await shown(message))[0]));
    expect(first).to.have.members(['Darjeeling €19.90 buy_again', 'Darjeeling €19.90 best_sellers']);
    const kept = await shop.query(`select context from message where source_id = '${id}'`);
    expect(kept.map(({ context }) => context.recommended.buy_again[0].because)).to.have.members([
      ...['buy_again', 'best_sellers'],
    ]);
  });

  it('say the same when they are tried once more', async () => {
    const template = await shop.template({ body: listing('recommended.best_sellers') });
    await campaigns.rest();
    const id = await shop.send(template, ADA);
    const known = { ...(await shop.query(`select context from message where id = '${id}'`))[0].context };
    const recommended = { best_sellers: [{ title: 'As before', price: 1, currency: 'EUR', because: 'best_sellers' }] };
    await shop.query(
      `update message set context = '${JSON.stringify({ ...known, recommended })}' where id = '${id}';
      update sender set resting_until = null where store_id = '${shop.storeId}'`,
    );
    await shop.ended(id);
    expect(await shown(id)).to.deep.equal(['As before €1.00 best_sellers']);
  });

  it('recommend by a block, which may leave out what sells best', async () => {
    const blocks = (more: object) => ({
      kind: 'blocks',
      body: { blocks: [{ type: 'recommend', kind: 'buy_again', button: 'Again', ...more }, { type: 'footer' }] },
    });
    const titles = async (more: object, to: string) => {
      const id = await shop.send(await shop.template(blocks(more)), to);
      await shop.ended(id);
      const { html } = await shop.content(id);
      return Object.values(TITLES).filter((title) => html.includes(`>${title}<`));
    };
    expect(await titles({ fallback: false }, ADA)).to.deep.equal(['Darjeeling']);
    expect(await titles({ fallback: false }, BOB)).to.deep.equal([]);
    expect(await titles({ limit: 2 }, BOB)).to.have.length(2);
  });

  it('are previewed with what they would recommend now', async () => {
    const { html } = await preview(listing('recommended.buy_again'), { profile: { email: ADA } });
    expect(html).to.include('[Darjeeling €19.90 buy_again]');
    expect((await preview(listing('recommended.recently_viewed'))).html).to.include('best_sellers]');
  });

  it('show an example of a coupon in previews; a campaign whose template needs one is refused without a pool', async () => {
    const body = (text: string) => `<p>${text}</p>${UNSUBSCRIBE}`;
    expect((await preview(body('{{ coupon.code }}'))).html).to.include('EXAMPLE-CODE');
    const list = await campaigns.list([ADA]);
    const schedule = async (text: string) => {
      const id = await campaigns.draft(list, { template_id: await shop.template({ body: body(text) }) });
      const { revision } = await campaigns.get(id);
      return (await shop.client.post<any>(`/v1/campaigns/${id}/schedule`, { revision })).body;
    };
    const { error } = await schedule('{{ coupon.code }}');
    expect([error.code, error.field]).to.deep.equal(['validation_error', 'coupon_pool_id']);
    expect((await schedule('{% if coupon %}{{ coupon.code }}{% endif %}')).id).to.be.a('string');
  });

  it('are defined by keys that may read the catalog, and what customers do', async () => {
    const allowed: Scope[] = ['messages:write', 'messages:read', 'events:read', 'profiles:read'];
    const without = await service.client({ scopes: allowed });
    const draft = (body: unknown, more: object = {}) => ({
      ...{ name: 'Draft', kind: 'html', subject: 'Hello', body, ...more },
    });
    const bodies = [listing('event.items'), listing('recommended.best_sellers'), '{{ event["items"] | size }}'];
    for (const body of bodies) {
      const refused = await without.post<any>('/v1/templates', draft(body), { expect: 403 });
      expect(refused.body.error.message).to.include('catalog:read');
    }
    const block = draft(
      { blocks: [{ type: 'recommend', kind: 'best_sellers' }, { type: 'footer' }] },
      { kind: 'blocks' },
    );
    const { id } = (await without.post<any>('/v1/templates', block, { expect: 201 })).body;
    await without.post(`/v1/templates/${id}/publish`, { revision: 1 }, { expect: 403 });
    await without.post(`/v1/templates/${id}/render`, {}, { expect: 403 });
    const path = '{{ event.properties.items | size }}';
    await without.post('/v1/templates', draft(path), { expect: 201 });
  });
});
