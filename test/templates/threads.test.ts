import { expect } from 'chai';
import { pino } from 'pino';
import { TemplateCompiler } from '../../src/domain/templates/compiling/template-compiler.ts';
import type { TemplateSources } from '../../src/domain/templates/compiling/template-sources.ts';
import type { CompiledTemplate } from '../../src/domain/templates/core/compiled.ts';
import { TemplateRenderer } from '../../src/domain/templates/rendering/template-renderer.ts';
import { contentOf, DATA } from './support/compiling.ts';

const log = pino({ level: 'silent' });
const STORES = ['01a1b2c3-0000-7000-8000-00000000000a', '01a1b2c3-0000-7000-8000-00000000000b'] as const;

const templateOf = (text: string): CompiledTemplate => ({
  format: 1,
  reads: [],
  locale: 'en',
  contents: { en: contentOf({ text }) },
});
/** Prints nothing, five thousand times for each of its outputs. */
const NEVER_ENDING = templateOf(
  `{% for x in (1..10) %}{% for y in (1..490) %}${'{% if data.x contains data.y %}{% endif %}'.repeat(900)}{% endfor %}{% endfor %}`,
);
const SLOW = { x: 'a'.repeat(30_000), y: `${'a'.repeat(15_000)}b` };
const itemOf = (data: Record<string, unknown>) => ({ data: { ...DATA, data }, options: { timeZone: 'UTC' } });

describe('The thread that renders templates', () => {
  let renderer: TemplateRenderer;

  before(() => {
    renderer = new TemplateRenderer(log);
  });
  after(() => renderer.stop());

  it('renders a message for each customer', async () => {
    const items = Array.from({ length: 500 }, (_, n) => itemOf({ n }));
    const messages = await renderer.render(STORES[0], templateOf('No {{ data.n }}'), items);
    expect(messages.map((message) => 'text' in message && message.text)).to.deep.equal(items.map((_, n) => `No ${n}`));
  });

  it('says why there is none', async () => {
    const items = [itemOf({ n: 1_000 }), itemOf({ n: 1 })];
    const messages = await renderer.render(STORES[0], templateOf('{% for i in (1..data.n) %}x{% endfor %}'), items);
    expect(messages[0]).to.deep.equal({ code: 'too_large', message: 'A loop has more than 500 rounds' });
    expect(messages[1]).to.include({ text: 'x' });
  });

  it('ends a message that takes too long, renders the others, and those of other stores beside it', async () => {
    const others = templateOf('Hello');
    const slow = renderer.render(STORES[0], NEVER_ENDING, [
      itemOf(SLOW),
      itemOf({ x: '', y: 'y' }),
      itemOf(SLOW),
      itemOf(SLOW),
    ]);
    const other = await renderer.render(STORES[1], others, [itemOf({}), itemOf({})]);
    expect(other.map((message) => 'text' in message && message.text)).to.deep.equal(['Hello', 'Hello']);
    const codes = (await slow).map((message) => ('code' in message ? message.code : 'rendered'));
    expect(codes.filter((code) => code === 'template_too_slow')).to.have.length.of.at.least(3);
    expect(codes[0]).to.equal('template_too_slow');
    const again = await renderer.render(STORES[0], others, [itemOf({})]);
    expect(again[0]).to.include({ text: 'Hello' });
  });
});

describe('The thread that compiles templates', () => {
  const sourcesOf = (contents: TemplateSources['contents'], more: Partial<TemplateSources> = {}): TemplateSources => ({
    ...{ kind: 'html', class: 'transactional', locale: 'en', contents },
    ...more,
  });
  const of = (body: string, subject = 'News') => ({ subject, preheader: '', body, text: null });
  let compiler: TemplateCompiler;

  before(() => {
    compiler = new TemplateCompiler(log);
  });
  after(() => compiler.stop());

  it('compiles all languages of a template', async () => {
    const { compiled, problems } = await compiler.compile(
      STORES[0],
      sourcesOf({ en: of('<p>Hi'), de: of('<p>Hallo') }),
    );
    expect(problems).to.deep.equal([]);
    expect(compiled).to.include({ format: 1, locale: 'en' });
    expect(compiled?.reads).to.deep.equal([]);
    expect(Object.entries(compiled?.contents ?? {}).map(([locale, { text }]) => [locale, text])).to.deep.equal([
      ['en', '{% _tidy %}\fHi\f{% end_tidy %}'],
      ['de', '{% _tidy %}\fHallo\f{% end_tidy %}'],
    ]);
  });

  it('names what is wrong by the field of the draft', async () => {
    const wrong = of('{{ nobody }}', '{{ nobody }}');
    const { compiled, problems } = await compiler.compile(STORES[0], sourcesOf({ en: wrong, de: wrong }));
    expect(compiled).to.equal(null);
    expect(problems.map(({ field, code }) => `${field} ${code}`)).to.have.members([
      'body unknown_path',
      'subject unknown_path',
      'translations.de.body unknown_path',
      'translations.de.subject unknown_path',
    ]);
  });

  it('compiles e-mails of every kind', async () => {
    const link = '<a href="{{ unsubscribe_url }}">x</a>';
    const bodies: [TemplateSources['kind'], string | Record<string, unknown>][] = [
      ['blocks', { blocks: [{ type: 'text', text: 'Said **loudly**' }, { type: 'footer' }] }],
      [
        'mjml',
        `<mjml><mj-body><mj-section><mj-column><mj-text>Said loudly ${link}</mj-text></mj-column></mj-section></mj-body></mjml>`,
      ],
      ['html', `<style>p{color:#123456}</style><p>Said loudly ${link}</p>`],
    ];
    for (const [kind, body] of bodies) {
      const content = { subject: 'News', preheader: 'First', body, text: null };
      const { compiled, problems } = await compiler.compile(STORES[0], sourcesOf({ en: content }, { kind }));
      expect(problems, kind).to.deep.equal([]);
      expect(compiled?.contents.en?.text, kind).to.contain('Said loudly');
      expect(compiled?.contents.en?.html, kind).to.match(kind === 'html' ? /<p style="color: ?#123456;">/ : /<table/);
    }
  });

  it('compiles text messages', async () => {
    const contents = { en: of('Hi {{ nobody }}', '') };
    const { problems } = await compiler.compile(STORES[0], sourcesOf(contents, { kind: 'sms', class: 'marketing' }));
    expect(problems.map(({ field, code }) => `${field} ${code}`)).to.deep.equal(['body unknown_path']);
  });

  it('can be followed by others, whose native code would otherwise crash the process', async () => {
    const contents = { en: of('<style>p { color: red }</style><p>Hi</p>') };
    for (let i = 0; i < 5; i += 1) {
      const another = new TemplateCompiler(log);
      const { compiled } = await another.compile(STORES[0], sourcesOf(contents));
      await another.stop();
      expect(compiled?.contents.en?.html).to.include('<p style="color: red;">');
    }
  });

  it('refuses a template that takes too long', async () => {
    const hurried = new TemplateCompiler(log, { templateMs: 1 });
    const contents = { en: of(`<p title="x">{{ now }}${'&amp;<b>x</b>'.repeat(14_000)}`) };
    const { compiled, problems } = await hurried.compile(STORES[0], sourcesOf(contents));
    await hurried.stop();
    expect(compiled).to.equal(null);
    expect(problems.map(({ code }) => code)).to.deep.equal(['template_too_slow']);
  });
});
