import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { USUAL_DRAFT } from '../support/templates.ts';

const PATH = '/v1/templates';
const ADA = { email: 'ada@example.com' };
const TEMPLATE = {
  name: 'Order',
  kind: 'html',
  subject: 'Order {{ event.properties.order_id }}',
  preheader: 'From {{ store.name }}',
  body: '<p>Hello {{ profile.attributes.first_name | default: "you" }}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>{{ store.postal_address }}',
  translations: { de: { subject: 'Bestellung {{ event.properties.order_id }}' } },
};

describe('POST /v1/templates/{id}/render', () => {
  let service: TestService;
  let client: Client;
  let profileId: string;
  let eventId: string;

  before(async () => {
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    client = await service.client();
    const upserted = { identifiers: ADA, attributes: { first_name: '<Ada>', locale: 'de_AT' } };
    profileId = (await client.post('/v1/profiles/upsert', upserted, { expect: 201 })).body.id;
    const event = { event_type: 'placed_order', profile: ADA, properties: { order_id: 'ord_1' } };
    eventId = (await client.post('/v1/events', event, { expect: 201 })).body.id;
  });
  after(() => service.stop());

  const create = async (fields: object = {}): Promise<string> =>
    (await client.post<any>(PATH, { ...TEMPLATE, ...fields }, { expect: 201 })).body.id;
  const render = async (id: string, fields: object = {}) =>
    (await client.post<any>(`${PATH}/${id}/render`, fields, { expect: 200 })).body;

  it('says what a customer would read after an event of theirs', async () => {
    const id = await create();
    const preview = await render(id, { event: { id: eventId } });
    expect(preview).to.include({ locale: 'de', subject: 'Bestellung ord_1', failure: null });
    expect(preview.html).to.include('Hello &lt;Ada&gt;');
    expect(preview.size_bytes).to.equal(Buffer.byteLength(preview.html));
    expect(preview.links).to.deep.equal([{ number: 1, url: 'https://preview.invalid/unsubscribe' }]);
    for (const profile of [{ profile_id: profileId }, ADA]) {
      expect(await render(id, { event: { id: eventId }, profile })).to.deep.equal(preview);
    }
  });

  it('takes what is made up, and another language', async () => {
    const made = { event: { event_type: 'placed_order', properties: { order_id: 'ord_9' } }, locale: 'en' };
    expect(await render(await create(), made)).to.include({ locale: 'en', subject: 'Order ord_9' });
  });

  it('shows a version as it was published', async () => {
    const id = await create();
    await client.post(`${PATH}/${id}/publish`, { revision: 1 }, { expect: 200 });
    const draft = JSON.stringify({ ...USUAL_DRAFT, ...TEMPLATE, revision: 1, subject: 'New' });
    await client.send('PUT', `${PATH}/${id}`, draft, { headers: { 'Content-Type': 'application/json' }, expect: 200 });
    expect((await render(id, { version: 1, locale: 'en' })).subject).to.equal('Order');
    expect((await render(id, { locale: 'en' })).subject).to.equal('New');
  });

  it('shows layouts, snippets and text messages, too', async () => {
    const of = { subject: '', preheader: '', translations: {} };
    const layout = await create({ ...of, use: 'layout', body: '<div>{{ content }}</div>' });
    expect((await render(layout)).html).to.match(/<div> *<\/div>/);
    await client.post(`${PATH}/${layout}/publish`, { revision: 1 }, { expect: 200 });
    expect((await render(layout, { version: 1 })).failure).to.equal(null);
    const sms = await create({ ...of, kind: 'sms', body: 'Hi {{ profile.attributes.first_name }}' });
    expect(await render(sms, { profile: ADA })).to.include({ html: '', text: 'Hi <Ada>', size_bytes: 8 });
  });

  it('shows a version of a layout with what was copied into it, whatever became of that', async () => {
    const of = { subject: '', preheader: '', translations: {} };
    const put = (id: string, body: string) =>
      client.send(
        'PUT',
        `${PATH}/${id}`,
        JSON.stringify({ ...USUAL_DRAFT, ...TEMPLATE, ...of, use: 'snippet', body, revision: 1 }),
        {
          headers: { 'Content-Type': 'application/json' },
          expect: 200,
        },
      );
    const publish = (id: string, revision: number) =>
      client.post(`${PATH}/${id}/publish`, { revision }, { expect: 200 });
    const snippet = await create({ ...of, use: 'snippet', body: '<p>Old</p>' });
    await publish(snippet, 1);
    const layout = await create({ ...of, use: 'layout', body: `{{ content }}{% snippet "${snippet}" %}` });
    await publish(layout, 1);
    await put(snippet, '<p>New</p>');
    await publish(snippet, 2);
    expect((await render(layout, { version: 1 })).html).to.include('Old');
    expect((await render(layout)).html).to.include('New');
    await client.send('POST', `${PATH}/${snippet}/archive`, undefined, { expect: 200 });
    expect((await render(layout, { version: 1 })).html).to.include('Old');
  });

  it('lists the first two thousand links', async () => {
    const link = '<a href="https://a.example/{{ y }}/{{ x }}">x</a>';
    const loops = `{% for x in (1..50) %}{% for y in (1..50) %}${link}{% endfor %}{% endfor %}`;
    const { links, failure } = await render(await create({ class: 'transactional', body: loops }));
    expect([failure, links.length, links[1999].url]).to.deep.equal([null, 2000, 'https://a.example/50/40']);
  });

  it('shows MJML and blocks, in a layout of MJML', async () => {
    const of = { subject: '', preheader: '', translations: {} };
    const layout = await create({
      ...{ ...of, kind: 'mjml', use: 'layout' },
      body: `<mjml><mj-body>{{ content }}<mj-section><mj-column><mj-text>
        <a href="{{ unsubscribe_url }}">Unsubscribe</a> {{ store.postal_address }}</mj-text></mj-column></mj-section></mj-body></mjml>`,
    });
    await client.post(`${PATH}/${layout}/publish`, { revision: 1 }, { expect: 200 });
    const mjml = '<mj-section><mj-column><mj-text>Hi {{ data.name }}</mj-text></mj-column></mj-section>';
    const blocks = { blocks: [{ type: 'heading', text: 'Hi {{ data.name }}' }] };
    for (const fields of [
      { kind: 'mjml', body: mjml },
      { kind: 'blocks', body: blocks },
    ]) {
      const id = await create({ ...fields, layout_id: layout });
      const { html, problems, failure } = await render(id, { data: { name: 'Ada & Co' }, locale: 'en' });
      expect([failure, problems]).to.deep.equal([null, []]);
      expect(html).to.match(/Hi Ada &amp; Co[\s\S]*Unsubscribe/);
      await client.post(`${PATH}/${id}/publish`, { revision: 1 }, { expect: 200 });
    }
    const alone = { kind: 'blocks', body: { blocks: [...blocks.blocks, { type: 'footer' }] } };
    expect((await render(await create(alone), { data: { name: 'Bo' }, locale: 'en' })).html).to.include('Hi Bo');
  });

  it('warns of what the latest events of the type lack, and publishing of what customers lack', async () => {
    for (const [external_id, attributes] of [
      ['a', { city: 'Rome' }],
      ['b', { city: '' }],
      ['c', { city: null }],
    ] as const) {
      await client.post('/v1/profiles/upsert', { identifiers: { external_id }, attributes }, { expect: 201 });
    }
    const body = `<p>{{ profile.attributes.city }} {{ profile.attributes.first_name | default: "you" }}</p>
      <p>{{ event.properties.order_id }} {{ event.properties.total }}</p>{{ store.postal_address }}<a href="{{ unsubscribe_url }}">Unsubscribe</a>`;
    const id = await create({ body });
    const said = ({ problems }: any) => problems.map(({ code, message }: any) => `${code}: ${message}`);
    expect(said(await render(id, { event: { id: eventId } }))).to.deep.equal([
      'often_missing: 100 % of the latest events of the type placed_order have no event.properties.total, which has no default',
    ]);
    const published = await client.post<any>(`${PATH}/${id}/publish`, { revision: 1 }, { expect: 200 });
    expect(said(published.body)).to.deep.equal([
      'often_missing: 75 % of your customers have no profile.attributes.city, which has no default',
    ]);
  });

  it('knows that lists have members and a size', async () => {
    const attributes = { tags: ['a', 'b'], orders: [{ total: 5 }, { total: 6 }], size: 42 };
    for (const email of [ADA.email, 'bo@example.com']) {
      await client.post('/v1/profiles/upsert', { identifiers: { email }, attributes });
    }
    const read = ['tags.first', 'tags.last', 'tags.size', 'orders.last.total', 'size', 'none.first', 'none.size'];
    const body = read.map((path) => `{{ profile.attributes.${path} }}`).join(' ');
    const id = await create({ class: 'transactional', body });
    const published = await client.post<any>(`${PATH}/${id}/publish`, { revision: 1 }, { expect: 200 });
    expect(published.body.problems.map(({ message }: any) => / (profile\S*),/.exec(message)?.[1])).to.deep.equal([
      'profile.attributes.none.first',
      'profile.attributes.none.size',
    ]);
  });

  it('says why there would be no message', async () => {
    const faulty = await render(await create({ body: '<p>{% if %}</p>' }));
    expect(faulty.failure.code).to.equal('faulty_template');
    expect(faulty).to.deep.include({ subject: null, html: null, links: [], size_bytes: 0 });
    const required = await render(await create({ required: ['event.properties.order_id'] }));
    const unknown = await render(await create({ required: ['profile.attributes.a', 'profile.email', 'nobody.x'] }));
    expect(unknown.problems.map(({ field, code }: any) => [field, code])).to.deep.equal([
      ['required[1]', 'unknown_path'],
      ['required[2]', 'unknown_path'],
    ]);
    expect(unknown.failure.message).to.include('profile.identifiers.email');
    expect(required.failure).to.deep.equal({ code: 'missing_value', message: 'There is no event.properties.order_id' });
    const large = await create({
      body: `${'{% for a in data.list %}x{% endfor %}'.repeat(20)}<a href="{{ unsubscribe_url }}">x</a>`,
    });
    const list = Array.from({ length: 400 }, () => 0);
    expect((await render(large, { data: { list } })).failure.code).to.equal('too_large');
  });

  it('refuses what the store does not have, and names the field', async () => {
    const id = await create();
    const stranger = await service.client();
    const other = (await stranger.post('/v1/events', { event_type: 'came', profile: ADA }, { expect: 201 })).body;
    const grace = { identifiers: { external_id: 'grace' } };
    await client.post('/v1/profiles/upsert', grace, { expect: 201 });
    const refused: [object, string][] = [
      [{ profile: { email: 'nobody@example.com' } }, 'profile'],
      [{ profile: { profile_id: other.profile_id } }, 'profile'],
      [{ profile: { profile_id: 'x' } }, 'profile'],
      [{ profile: {} }, 'profile'],
      [{ event: { id: other.id } }, 'event.id'],
      [{ event: { id: eventId }, profile: { external_id: 'grace' } }, 'event.id'],
      [{ event: { id: eventId, event_type: 'placed_order' } }, 'event'],
      [{ event: { properties: {} } }, 'event'],
      [{ event: { id: eventId, properties: {} } }, 'event.properties'],
      [{ version: 1 }, 'version'],
      [{ data: { a: '\0' } }, 'data.a'],
      [{ data: [] }, 'data'],
      [{ locale: 'x' }, 'locale'],
    ];
    for (const [fields, field] of refused) {
      const { status, body } = await client.post<any>(`${PATH}/${id}/render`, fields);
      expect([status, body.error?.field], JSON.stringify(fields)).to.deep.equal([400, field]);
    }
    expect((await client.post(`${PATH}/${UNKNOWN_ID}/render`, {})).status).to.equal(404);
  });

  it('never makes markup of what is hostile', async () => {
    const first_name = '<script>alert(1)</script>"\'{{ profile.id }}{% raw %}';
    await client.post('/v1/profiles/upsert', { identifiers: ADA, attributes: { first_name } }, { expect: 200 });
    const { html, subject } = await render(await create({ subject: '{{ profile.attributes.first_name }}\r\nBcc: x' }), {
      profile: ADA,
      locale: 'en',
    });
    expect(html).not.to.include('<script>');
    expect(html).to.include('{{ profile.id }}');
    expect(subject).not.to.match(/[\r\n]/);
  });
});

/** What authors may send, by mistake or not: a problem with its place, and never a failure of the service. */
describe('Hostile templates', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' });
    client = await service.client();
  });
  after(() => service.stop());

  const html = (body: string) => ({ name: 'X', kind: 'html', class: 'transactional', subject: 'X', body });
  const nested = (levels: number) => `${'{% if data.a %}'.repeat(levels)}${'{% endif %}'.repeat(levels)}`;
  const FAULTY: Record<string, object> = {
    'an unclosed output': html('<p>{{ data.a</p>'),
    'an unclosed tag': html('<p>{% if data.a %}</p>'),
    'an unknown tag': html('{% tablerow a in data.b %}{% endtablerow %}'),
    'an unknown filter': html('{{ data.a | where_exp: "a", "b" }}'),
    '31 levels': html(nested(31)),
    '5,000 levels': html(nested(5_000)),
    'an include': html('{% include "/etc/passwd" %}'),
    'a render': html('{% render "x" %}'),
    'an unknown value': html('{{ process.env }}'),
    'output in a style sheet': html('<style>{{ data.a }}</style>'),
    'output in a script': html('<script>{{ data.a }}</script>'),
    'output as the name of an element': html('<{{ data.a }}>'),
    'output before the colon of an address': html('<a href="{{ data.a }}:alert(1)">x</a>'),
    'private characters': html('<p>\ue000</p>'),
    'a base': html('<base href="https://evil.example/">'),
    'a form': html('<form action="https://evil.example/"></form>'),
    'a refresh': html('<meta http-equiv="refresh" content="0;url=https://evil.example/">'),
    '10,000 links': html('<a href="https://a.example/">x</a>'.repeat(5_900)),
  };

  for (const [name, template] of Object.entries(FAULTY)) {
    it(`with ${name} can not be published`, async () => {
      const { id, problems } = (await client.post<any>(PATH, template, { expect: 201 })).body;
      expect(problems[0]?.severity, JSON.stringify(problems)).to.equal('error');
      const { status, body } = await client.post<any>(`${PATH}/${id}/publish`, { revision: 1 });
      expect([status, body.error.field]).to.deep.equal([400, 'body']);
      const preview = (await client.post<any>(`${PATH}/${id}/render`, {}, { expect: 200 })).body;
      expect(preview.failure.code).to.equal('faulty_template');
    });
  }

  it('read nothing but the data', async () => {
    const names = ['constructor', '__proto__', 'toString', 'prototype.polluted', 'size'];
    const body = `<p>${names.map((name) => `[{{ data.${name} }}{{ data["${name}"] }}]`).join('')}</p>`;
    const { id } = (await client.post<any>(PATH, html(body), { expect: 201 })).body;
    const { html: made, failure } = (await client.post<any>(`${PATH}/${id}/render`, {}, { expect: 200 })).body;
    expect(failure ?? made).to.match(/^<p>(?:\[\d*\])+<\/p>$/);
  });

  it('can not count to a thousand million', async () => {
    const { id } = (await client.post<any>(PATH, html('{% for i in (1..1000000000) %}x{% endfor %}'), { expect: 201 }))
      .body;
    const { failure } = (await client.post<any>(`${PATH}/${id}/render`, {}, { expect: 200 })).body;
    expect(failure?.code).to.be.oneOf(['too_large', 'faulty_template']);
  });
});
