import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { holdRows } from '../support/obstacles.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { USUAL_DRAFT } from '../support/templates.ts';

const PATH = '/v1/templates';
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const MESSAGE = { name: 'Message', kind: 'html', class: 'transactional', subject: 'Hello' };

describe('Layouts and snippets of templates', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const create = async (fields: object) =>
    (await client.post<any>(PATH, fields, { expect: 201 })).body as { id: string; problems: any[] };
  const publish = async (id: string, revision = 1) =>
    (await client.post<any>(`${PATH}/${id}/publish`, { revision }, { expect: 200 })).body;
  const published = async (fields: object): Promise<string> => {
    const { id } = await create(fields);
    await publish(id);
    return id;
  };
  const snippet = (body: string, fields: object = {}) => ({
    name: 'Snippet',
    kind: 'html',
    use: 'snippet',
    body,
    ...fields,
  });
  const message = (body: string, fields: object = {}) => ({ ...MESSAGE, body, ...fields });
  const put = (id: string, revision: number, fields: object) =>
    client.send<any>('PUT', `${PATH}/${id}`, JSON.stringify({ ...USUAL_DRAFT, revision, ...fields }), {
      ...JSON_BODY,
      expect: 200,
    });
  const rendered = async (id: string, fields: object = {}) =>
    (await client.post<any>(`${PATH}/${id}/render`, fields, { expect: 200 })).body;
  const named = (id: string) => `{% snippet "${id}" %}`;

  it('stand in a message, one within the other', async () => {
    const inner = await published(snippet('<i>{{ data.name }}</i>'));
    const outer = await published(snippet(`<b>${named(inner)}!</b>`));
    const layout = await published({ ...snippet(`<div>{{ content }}</div><hr>${named(outer)}`), use: 'layout' });
    const { id, problems } = await create(message(`<p>Hi ${named(inner)}</p>`, { layout_id: layout }));
    expect(problems).to.deep.equal([]);
    const { copied } = await publish(id);
    const versions = copied.map(({ template_id, number }: any) => [template_id, number]).sort();
    expect(versions).to.deep.equal([inner, outer, layout].map((one) => [one, 1]).sort());
    const expected = '<div><p>Hi <i>Ada</i></p></div><hr><b><i>Ada</i>!</b>';
    for (const version of [undefined, 1]) {
      const { html, text, failure } = await rendered(id, { version, data: { name: 'Ada' } });
      expect([html, failure]).to.deep.equal([expected, null]);
      expect(text).to.include('Hi Ada');
    }
  });

  it('are said in the language of the message', async () => {
    const bye = await published(snippet('<p>Bye</p>', { translations: { de: { body: '<p>Tschüss</p>' } } }));
    const id = await published(
      message(`<p>x</p>${named(bye)}`, { translations: { 'de-AT': { subject: 'Hallo' }, fr: {} } }),
    );
    const htmlOf = async (locale: string) => (await rendered(id, { version: 1, locale })).html;
    expect(await htmlOf('de-AT')).to.include('Tschüss');
    expect(await htmlOf('fr')).to.include('Bye');
  });

  it('are copied when a message is published, which is told where it holds an earlier version', async () => {
    const footer = await published(snippet('<p>Old</p>'));
    const wrapper = await published(snippet(named(footer)));
    const id = await published(message(`<p>x</p>${named(wrapper)}`));
    const other = await published(message(`<p>y</p>${named(footer)}`, { name: 'Other' }));
    const archived = await published(message(`<p>z</p>${named(footer)}`));
    await client.send('POST', `${PATH}/${archived}/archive`, undefined, { expect: 200 });
    await put(footer, 1, snippet('<p>New</p>'));
    expect((await rendered(id)).html, 'a draft changes nothing').to.include('Old');
    const names = async () => {
      const { outdated } = await publish(footer, 2);
      return outdated.map((one: any) => one.id).sort();
    };
    expect(await names()).to.deep.equal([wrapper, id, other].sort());
    expect((await rendered(id, { version: 1 })).html).to.include('Old');
    expect((await rendered(id)).html, 'its draft has the new one').to.include('New');
    await put(other, 1, message(`<p>y2</p>${named(footer)}`, { name: 'Other' }));
    await publish(other, 2);
    expect(await names(), 'the same again').to.deep.equal([wrapper, id].sort());
  });

  it('are a hundred different ones at most, which is said', async () => {
    const last = await published(snippet('<p>a</p>'));
    const copied =
      'name, kind, use, class, draft, revision, status, created_at, updated_at, version, published_revision';
    await service.database.query(`
      with one as (
        insert into template (store_id, id, ${copied})
        select store_id, gen_random_uuid(), ${copied} from template, generate_series(1, 100) where id = '${last}'
        returning store_id, id
      )
      insert into template_version (store_id, template_id, number, draft, class, parts, published_at, published_by)
      select v.store_id, one.id, number, draft, class, parts, published_at, published_by
      from template_version v, one where v.template_id = '${last}' and one.store_id = v.store_id`);
    const others = await service.database.query<{ id: string }>(`
      select t.id from template t join template l on l.store_id = t.store_id where l.id = '${last}'`);
    const tags = others.map(({ id }) => named(id));
    expect(tags).to.have.length(101);
    expect((await create(message(tags.slice(1).join('\n')))).problems).to.deep.equal([]);
    const { problems } = await create(message(tags.join('\n')));
    expect(problems.map(({ line, message: words }) => [line, words])).to.deep.equal([
      [101, 'The snippet is one too many: a template consists of 100 others at most'],
    ]);
  });

  it('have no circles, and are five deep at most', async () => {
    const a = await published(snippet('<p>a</p>'));
    const b = await published(snippet(named(a)));
    const circle = await put(a, 1, snippet(named(b)));
    expect(circle.body.problems[0]).to.include({
      ...{ code: 'snippet_cycle', field: 'body', line: 1, column: 1 },
      message: 'In the snippet “Snippet”, line 1: The snippet contains itself',
    });
    expect((await client.post<any>(`${PATH}/${a}/publish`, { revision: 2 })).status).to.equal(400);
    let last = a;
    for (let depth = 1; depth <= 5; depth += 1) last = await published(snippet(`<p>${named(last)}</p>`));
    const { problems } = await create(message(`<p>${named(last)}</p>`));
    expect(problems.map(({ code }) => code)).to.deep.equal(['snippet_depth']);
  });

  it('can not become a circle where two are published at the same time', async () => {
    const a = await published(snippet('<p>a</p>'));
    const b = await published(snippet('<p>b</p>'));
    await put(a, 1, snippet(`<p>a</p>${named(b)}`));
    await put(b, 1, snippet(`<p>b</p>${named(a)}`));
    const release = await holdRows(service.database, 'template', `id in ('${a}', '${b}')`);
    const both = [a, b].map((id) => client.post<any>(`${PATH}/${id}/publish`, { revision: 2 }));
    await release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
  });

  it('multiply within bounds', async () => {
    let id = await published(snippet('<p>x</p>'));
    for (let i = 0; i < 3; i += 1) id = await published(snippet(named(id).repeat(7)));
    const { problems } = await create(message(named(id).repeat(10)));
    expect(new Set(problems.map(({ code }) => code))).to.deep.equal(new Set(['too_large']));
  });

  it('are refused where they have no place', async () => {
    const html = await published(snippet('<p>x</p>'));
    const sms = await published({ ...snippet('x'), kind: 'sms' });
    const whole = await published(message('<p>x</p>'));
    const layout = await published({ ...snippet('<p>{{ content }}</p>'), use: 'layout' });
    const draft = (await create(snippet('<p>x</p>'))).id;
    const stranger = await service.client();
    const theirs = (await stranger.post<any>(PATH, snippet('<p>secret</p>'), { expect: 201 })).body.id;
    await stranger.post(`${PATH}/${theirs}/publish`, { revision: 1 }, { expect: 200 });
    const refused: [object, string, string][] = [
      [message(`<p>${named(UNKNOWN_ID)}</p>`), 'body', 'is not one of the store'],
      [message(`<p>${named(theirs)}</p>`), 'body', 'is not one of the store'],
      [message(`<p>${named('x')}</p>`), 'body', 'is not one of the store'],
      [message(`<p>${named(draft)}</p>`), 'body', 'has not been published yet'],
      [message(`<p>${named(whole)}</p>`), 'body', 'is a message, and no snippet'],
      [message(`<p>${named(sms)}</p>`), 'body', 'A snippet of the kind sms has no place'],
      [message('<p>{% snippet footer %}</p>'), 'body', 'is named like this'],
      [message('<p>x</p>', { layout_id: html }), 'layout_id', 'is a snippet, and no layout'],
      [message('<p>x</p>', { layout_id: theirs }), 'layout_id', 'is not one of the store'],
      [message('<mjml></mjml>', { kind: 'mjml', layout_id: layout }), 'layout_id', 'must be of the kind mjml'],
      [{ ...snippet('<p></p>'), use: 'layout' }, 'body', '{{ content }} in one place'],
      [{ ...snippet('{{ content }}{{content}}'), use: 'layout' }, 'body', '{{ content }} in one place'],
    ];
    for (const [fields, field, words] of refused) {
      const { id, problems } = await create(fields);
      expect(problems[0]?.field, JSON.stringify(problems)).to.equal(field);
      expect(problems[0].message).to.include(words);
      expect(JSON.stringify(problems)).not.to.include('secret');
      const { status, body } = await client.post<any>(`${PATH}/${id}/publish`, { revision: 1 });
      expect([status, body.error.field]).to.deep.equal([400, field]);
    }
  });

  it('are where a problem in them is said to be', async () => {
    const bad = await published(snippet('<p>fine</p>\n<p>{{ data.a }}</p>'));
    await service.database.query(`
      update template_version set draft = jsonb_set(draft::jsonb, '{body}', '"<p>fine</p>\\n<p>{{ data.a | shout }}</p>"')
      where template_id = '${bad}'`);
    const { problems } = await create(message(`<p>1</p>\n<p>2</p>${named(bad)}\n<p>{{ data.b | whisper }}</p>`));
    expect(
      problems.map(({ field, line, column, message: words }) => [field, line, column, words.split(':')[0]]),
    ).to.deep.equal([
      ['body', 2, 9, 'In the snippet “Snippet”, line 2'],
      ['body', 3, 16, 'There is no filter “whisper”'],
    ]);
  });

  const BLOCKS = { name: 'Blocks', kind: 'blocks', class: 'transactional', subject: 'Hello' };
  const blocks = (...texts: string[]) => ({ blocks: texts.map((text) => ({ type: 'text', text })) });
  const mjml = (inside: string) =>
    `<mjml>\n<mj-body>\n${inside}\n<mj-section><mj-column><mj-text>{{ data.sign }}</mj-text></mj-column></mj-section></mj-body></mjml>`;

  it('stand around blocks, whose style comes first in the head, in each language', async () => {
    const layout = await published({ ...snippet(mjml('{{ content }}'), { kind: 'mjml' }), use: 'layout' });
    const draft = { ...BLOCKS, layout_id: layout, body: blocks('Hello **you**') };
    const { id, problems } = await create({ ...draft, translations: { de: { body: blocks('Hallo') } } });
    expect(problems).to.deep.equal([]);
    await publish(id);
    const shown = await rendered(id, { locale: 'de', data: { sign: 'The shop' } });
    expect(shown.html)
      .to.match(/Hallo[\s\S]*The shop/)
      .and.to.include('prefers-color-scheme: dark');
  });

  it('stand around blocks of which one language is faulty, which is said', async () => {
    const layout = await published({ ...snippet(mjml('{{ content }}'), { kind: 'mjml' }), use: 'layout' });
    const draft = { ...BLOCKS, layout_id: layout, body: blocks('Hello') };
    const { id, problems } = await create({
      ...draft,
      translations: { de: { body: blocks('Hallo', '{{ data.x | shout }}') }, fr: {} },
    });
    expect(problems.map(({ field, line, column, code }) => [field, line, column, code])).to.deep.equal([
      ['translations.de.body.blocks[1].text', 1, 13, 'unknown_filter'],
    ]);
    expect((await client.get<any>(`${PATH}/${id}`, { expect: 200 })).body.problems).to.deep.equal(problems);
    expect((await rendered(id)).failure.code).to.equal('faulty_template');
    await client.post(`${PATH}/${id}/publish`, { revision: 1 }, { expect: 400 });
  });

  it('name the place in a layout around blocks at which it is wrong', async () => {
    const body = mjml('{{ content }}\n<mj-section><mj-column><mj-text sized="1">a</mj-text></mj-column></mj-section>');
    const layout = await published({ ...snippet(body, { kind: 'mjml' }), use: 'layout' });
    const { problems } = await create({
      ...BLOCKS,
      layout_id: layout,
      body: blocks('Hello'),
      translations: { de: {} },
    });
    expect(problems.map(({ field, code, message: words }) => [field, code, words.split(':')[0]])).to.deep.equal([
      ['layout_id', 'invalid_attribute', 'In the layout “Snippet”, line 4'],
    ]);
  });
});
