import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { USUAL_DRAFT } from '../support/templates.ts';

const PATH = '/v1/templates';
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const HELLO = {
  name: 'Hello',
  kind: 'html',
  class: 'transactional',
  subject: 'Hello',
  body: '<p>Hello {{ profile.attributes.first_name | default: "you" }}</p>',
};

describe('Templates', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const create = async (fields: object = {}) =>
    (await client.post(PATH, { ...HELLO, ...fields }, { expect: 201 })).body as any;
  const put = (id: string, fields: object) =>
    client.send<any>('PUT', `${PATH}/${id}`, JSON.stringify({ ...USUAL_DRAFT, ...HELLO, ...fields }), JSON_BODY);
  const publish = (id: string, revision = 1) => client.post<any>(`${PATH}/${id}/publish`, { revision });
  const published = async (fields: object = {}) => {
    const { id } = await create(fields);
    const { status, body } = await publish(id);
    expect(status, JSON.stringify(body)).to.equal(200);
    return id as string;
  };
  const archive = (id: string) => client.send<any>('POST', `${PATH}/${id}/archive`, undefined);
  const codes = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code);

  describe('POST /v1/templates', () => {
    it('creates a draft, and says what it means', async () => {
      const template = await create();
      expect(template).to.deep.include({ status: 'draft', use: 'message', revision: 1, version: null, problems: [] });
      expect(template.draft).to.deep.equal({
        ...{ ...HELLO, use: 'message', layout_id: null, locale: 'en', preheader: '', text: null },
        ...{ translations: {}, required: [] },
      });
      expect((await client.get(`${PATH}/${template.id}`)).body).to.deep.equal(template);
    });

    it('stores a draft that is faulty, and says what is wrong, errors first', async () => {
      const body =
        '<p>{{ profile.attributes.name | shout }}</p>\n<p>{% if event %}</p><img src="https://shop.example/a.png">';
      const { problems, draft } = await create({ subject: '', body });
      expect(draft.body).to.equal(body);
      expect(codes({ problems })).to.include.members(['unknown_filter', 'missing_subject']);
      expect(problems.find(({ code }: { code: string }) => code === 'unknown_filter')).to.include({
        field: 'body',
        line: 1,
      });
      const severities = problems.map(({ severity }: { severity: string }) => severity);
      expect(severities).to.deep.equal([...severities].sort());
    });

    it('keeps any text as it is', async () => {
      const body = '<p>ü 😀 \u2028 &amp; <\\p>\r\n\t</p>{% comment %} " \' {% endcomment %}';
      const { id } = await create({ body, text: 'a\r\nb' });
      const { draft } = (await client.get(`${PATH}/${id}`)).body;
      expect([draft.body, draft.text]).to.deep.equal([body, 'a\r\nb']);
    });

    it('refuses what can not be a draft, and names the field', async () => {
      const refused: [object, string][] = [
        [{ body: { blocks: [] } }, 'body'],
        [{ kind: 'blocks' }, 'body'],
        [{ kind: 'blocks', body: { blocks: [] }, use: 'snippet' }, 'use'],
        [{ kind: 'blocks', body: { blocks: [{ type: 'countdown' }] } }, 'body.blocks[0].type'],
        [{ body: 'a\0b' }, 'body'],
        [{ body: 'a\ud800' }, 'body'],
        [{ body: 'x'.repeat(204_801) }, 'body'],
        [{ kind: 'sms' }, 'subject'],
        [{ kind: 'sms', subject: '', text: 'x' }, 'text'],
        [{ kind: 'sms', subject: '', layout_id: UNKNOWN_ID }, 'layout_id'],
        [{ use: 'snippet' }, 'subject'],
        [{ use: 'layout', subject: '', layout_id: UNKNOWN_ID }, 'layout_id'],
        [{ locale: 'english' }, 'locale'],
        [{ translations: { DE: {} } }, 'translations.DE'],
        [{ translations: { en: {} } }, 'translations.en'],
        [{ translations: { de: { body: { blocks: [] } } } }, 'translations.de.body'],
        [{ translations: { de: { name: 'Hallo' } } }, 'translations.de.name'],
        [{ translations: Object.fromEntries(locales(21).map((locale) => [locale, {}])) }, 'translations'],
        [{ required: ['profile attributes'] }, 'required[0]'],
        [{ required: Array.from({ length: 51 }, () => 'data.a') }, 'required'],
        [{ name: 'x'.repeat(101) }, 'name'],
        [{ colour: 'red' }, 'colour'],
      ];
      for (const [fields, field] of refused) {
        const { status, body } = await client.post<any>(PATH, { ...HELLO, ...fields });
        expect([status, body.error?.field], JSON.stringify(fields).slice(0, 100)).to.deep.equal([400, field]);
      }
    });

    it('takes 500 that are not archived', async () => {
      const storeId = await service.newStore();
      const own = client.as((await service.newKey({ storeId })).key);
      const { body } = await own.post<any>(PATH, HELLO, { expect: 201 });
      await service.database.query(`
        insert into template
          (store_id, id, name, kind, use, class, draft, revision, status, created_at, updated_at)
        select store_id, gen_random_uuid(), name, kind, use, class, draft, 1, 'published', now(), now()
        from template, generate_series(1, 499) where store_id = '${storeId}'`);
      expect((await own.post<any>(PATH, HELLO)).body.error.message).to.include('already has 500 templates');
      await own.send('POST', `${PATH}/${body.id}/archive`, undefined, { expect: 200 });
      await own.post(PATH, HELLO, { expect: 201 });
    });

    it('takes a template of 200 KB, and does not hold up others', async () => {
      const body = `<p>{{ data.a }}</p>${'<p>Hello</p>\n'.repeat(15_000)}`;
      const { id, draft } = await create({ body });
      expect(draft.body).to.equal(body);
      const { status } = await publish(id);
      expect(status).to.equal(200);
      expect((await client.get(`${PATH}/${id}/versions/1`, { expect: 200 })).body.draft.body).to.equal(body);
    });
  });

  describe('GET /v1/templates', () => {
    it('lists templates, newest first, page by page, by status and use', async () => {
      const ids: string[] = [];
      for (const use of ['message', 'snippet', 'message'])
        ids.unshift((await create({ use, subject: use === 'message' ? 'S' : '' })).id);
      await publish(ids[0] as string);
      await archive(ids[2] as string);
      const listed = async (query: string) =>
        ((await client.get(`${PATH}?${query}`, { expect: 200 })).body.templates as { id: string }[]).map(
          ({ id }) => id,
        );
      expect(await listed('')).to.deep.equal(ids);
      expect(await listed('status=published')).to.deep.equal([ids[0]]);
      expect(await listed('status=archived')).to.deep.equal([ids[2]]);
      expect(await listed('use=snippet')).to.deep.equal([ids[1]]);
      const { body } = await client.get(`${PATH}?limit=2`, { expect: 200 });
      expect(body.templates[0]).not.to.have.property('draft');
      expect(await listed(`limit=2&cursor=${body.next_cursor}`)).to.deep.equal([ids[2]]);
      expect((await client.get(`${PATH}?cursor=x`)).status).to.equal(400);
    });
  });

  describe('GET /v1/templates/{id}', () => {
    it('shows problems as they are now', async () => {
      const { id: snippet } = await create({ use: 'snippet', subject: '', body: '<b>Hi</b>' });
      const { id, problems } = await create({ body: `<p>{% snippet "${snippet.toUpperCase()}" %}</p>` });
      expect(problems).to.deep.equal([
        {
          ...{ severity: 'error', code: 'snippet_unusable', message: 'The snippet has not been published yet' },
          ...{ field: 'body', line: 1, column: 4 },
        },
      ]);
      await publish(snippet);
      expect((await client.get(`${PATH}/${id}`)).body.problems).to.deep.equal([]);
      await archive(snippet);
      expect((await client.get(`${PATH}/${id}`)).body.problems[0].message).to.equal('The snippet is archived');
    });
  });

  describe('PUT /v1/templates/{id}', () => {
    it('refuses to publish more than a thousand versions', async () => {
      const id = await published({});
      await service.database.query(`update template set version = 1000 where id = '${id}'`);
      await put(id, { revision: 1, name: 'Another' });
      const { body } = await client.post<any>(`${PATH}/${id}/publish`, { revision: 2 }, { expect: 400 });
      expect(body.error.message).to.equal('The template already has 1000 versions; create another one');
    });

    it('replaces the whole draft, and what was published stays', async () => {
      const id = await published({ preheader: 'Old' });
      const { status, body } = await put(id, { revision: 1, name: 'New', class: 'marketing' });
      expect([status, body.revision, body.version, body.status]).to.deep.equal([200, 2, 1, 'published']);
      expect(body.draft).to.include({ name: 'New', class: 'marketing', preheader: '' });
      expect(body).to.include({ name: 'New', class: 'marketing' });
      expect(codes(body)).to.deep.equal(['missing_unsubscribe_link', 'missing_postal_address']);
      expect((await client.get(`${PATH}/${id}/versions/1`)).body.draft).to.include({ name: 'Hello', preheader: 'Old' });
    });

    it('refuses a revision that is not the current one, and takes the same draft again', async () => {
      const { id } = await create();
      expect((await put(id, { revision: 1, name: 'A' })).status).to.equal(200);
      expect((await put(id, { revision: 1, name: 'A' })).body.revision).to.equal(2);
      for (const revision of [1, 3]) {
        const { status, body } = await put(id, { revision, name: 'B' });
        expect([status, body.error.field]).to.deep.equal([400, 'revision']);
      }
      const both = await Promise.all(['C', 'D'].map((name) => put(id, { revision: 2, name })));
      expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    });

    it('changes neither kind nor use, and nothing of what is archived', async () => {
      const { id } = await create();
      expect((await put(id, { revision: 1, kind: 'mjml' })).body.error.field).to.equal('kind');
      expect((await put(id, { revision: 1, use: 'snippet', subject: '' })).body.error.field).to.equal('use');
      await archive(id);
      expect((await put(id, { revision: 1 })).body.error.message).to.include('archived');
    });
  });

  describe('POST /v1/templates/{id}/publish', () => {
    it('makes versions that never change', async () => {
      const { id } = await create();
      const first = (await publish(id)).body;
      expect(first).to.deep.include({ template_id: id, number: 1, copied: [], problems: [], outdated: [] });
      expect((await publish(id)).body, 'the same again').to.deep.equal(first);
      await put(id, { revision: 1, body: '<p>Hi</p>' });
      expect((await publish(id)).body, 'what it was made of').to.deep.equal(first);
      expect((await publish(id, 3)).body.error.field).to.equal('revision');
      expect((await publish(id, 2)).body.number).to.equal(2);
      expect((await publish(id)).body.error.field, 'no longer the latest').to.equal('revision');
      const { copied, draft, ...summary } = (await client.get(`${PATH}/${id}/versions/1`)).body;
      expect([copied, draft.body]).to.deep.equal([[], HELLO.body]);
      expect((await client.get(`${PATH}/${id}/versions`)).body.versions[1]).to.deep.equal(summary);
    });

    it('makes one of several that are asked for at the same time', async () => {
      const { id } = await create();
      const answers = await Promise.all(Array.from({ length: 5 }, () => publish(id)));
      expect(new Set(answers.map(({ body }) => body.number))).to.deep.equal(new Set([1]));
      expect((await client.get(`${PATH}/${id}/versions`)).body.versions).to.have.length(1);
    });

    it('refuses a faulty draft by its first error, and an archived template', async () => {
      const { id } = await create({ translations: { de: { subject: '{{ profile.attributes.name | shout }}' } } });
      const { status, body } = await publish(id);
      expect([status, body.error.field]).to.deep.equal([400, 'translations.de.subject']);
      expect(body.error.message).to.match(/^translations\.de\.subject, line 1, column \d+: .*shout/);
      const { id: other } = await create();
      await archive(other);
      expect((await publish(other)).body.error.message).to.include('archived');
    });

    it('needs the scopes of what the template reads, and of what is copied into it', async () => {
      const { key, storeId } = await service.newKey();
      const all = client.as(key);
      const snippet = (await all.post<any>(PATH, { ...HELLO, subject: '', use: 'snippet' }, { expect: 201 })).body.id;
      await all.post(`${PATH}/${snippet}/publish`, { revision: 1 }, { expect: 200 });
      const few = client.as((await service.newKey({ storeId, scopes: ['messages:read', 'messages:write'] })).key);
      const plain = { ...HELLO, body: '<p>Tell us of your profile, and of the event</p>' };
      await few.post(PATH, plain, { expect: 201 });
      for (const [fields, scope] of [
        [{ body: HELLO.body }, 'profiles:read'],
        [{ subject: '{% assign a = event %}{{ a.id }}' }, 'events:read'],
        [{ translations: { de: { preheader: '{{ profile' } } }, 'profiles:read'],
        [{ required: ['event.properties.order_id'] }, 'events:read'],
        [
          { kind: 'blocks', body: { blocks: [{ type: 'repeat', over: 'event.properties.items', blocks: [] }] } },
          'events:read',
        ],
      ] as const) {
        const { status, body } = await few.post<any>(PATH, { ...plain, ...fields });
        expect([status, body.error?.message], JSON.stringify(fields)).to.deep.equal([
          403,
          `The API key lacks the scope ${scope}, which what the definition reads needs`,
        ]);
      }
      const { body: with_ } = await few.post<any>(
        PATH,
        { ...plain, body: `{% snippet "${snippet}" %}` },
        { expect: 201 },
      );
      const refused = await few.post<any>(`${PATH}/${with_.id}/publish`, { revision: 1 });
      expect([refused.status, refused.body.error.message]).to.deep.equal([
        403,
        'The API key lacks the scope profiles:read, which what the definition reads needs',
      ]);
    });
  });

  describe('POST /v1/templates/{id}/archive', () => {
    it('puts a template away for good', async () => {
      const id = await published();
      const { body } = await archive(id);
      expect(body.status).to.equal('archived');
      expect(body.archived_at).to.be.a('string');
      expect((await archive(id)).body).to.deep.equal(body);
      expect((await client.get(`${PATH}/${id}/versions/1`)).status).to.equal(200);
    });
  });

  describe('GET /v1/templates/{id}/versions', () => {
    it('lists none of a draft, and pages of the others', async () => {
      const { id } = await create();
      expect((await client.get(`${PATH}/${id}/versions`)).body).to.deep.equal({ versions: [], next_cursor: null });
      expect((await client.get(`${PATH}/${UNKNOWN_ID}/versions`)).status).to.equal(404);
      for (const revision of [1, 2, 3]) {
        await publish(id, revision);
        await put(id, { revision, name: `Hello ${revision}` });
      }
      const { body } = await client.get(`${PATH}/${id}/versions?limit=2`);
      expect(body.versions.map(({ number }: { number: number }) => number)).to.deep.equal([3, 2]);
      const rest = (await client.get(`${PATH}/${id}/versions?limit=2&cursor=${body.next_cursor}`)).body;
      expect([rest.versions[0].number, rest.next_cursor]).to.deep.equal([1, null]);
    });
  });

  describe('GET /v1/templates/{id}/versions/{number}', () => {
    it('finds no version that there is not', async () => {
      const id = await published();
      for (const number of ['2', '0', '01', 'x', '99999999999']) {
        expect((await client.get(`${PATH}/${id}/versions/${number}`)).status, number).to.equal(404);
      }
    });
  });

  describe('POST /v1/templates/convert', () => {
    it('converts a template that can then be published', async () => {
      const source = "<p>Hi {{ person.first_name|default:'there' }} {% unsubscribe %}</p>";
      const { body } = await client.post(`${PATH}/convert`, { syntax: 'klaviyo', source }, { expect: 200 });
      expect(body.problems).to.deep.equal([]);
      await published({ class: 'marketing', body: body.source });
    });

    it('names what has no equal by its line', async () => {
      const source = 'a\n{% catalog %}';
      const { body } = await client.post<any>(`${PATH}/convert`, { syntax: 'klaviyo', source });
      expect(body.source).to.equal(source);
      expect(body.problems[0]).to.include({ severity: 'error', field: 'source', line: 2, column: 1 });
    });
  });
});

function locales(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `d${String.fromCharCode(97 + i)}`);
}
