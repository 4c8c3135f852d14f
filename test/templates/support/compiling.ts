import { compileContent } from '../../../src/domain/templates/core/compile-content.ts';
import type {
  CompiledContent,
  RenderedMessage,
  RenderFailure,
  TemplateData,
  TemplateProblem,
  TemplateSource,
} from '../../../src/domain/templates/core/compiled.ts';
import { type RenderOptions, renderContent } from '../../../src/domain/templates/core/render-content.ts';

const FIELDS = { subject: 'subject', preheader: 'preheader', html: 'body', text: 'text' };

/** Compiles an e-mail of which a test says what it is about. */
export function compileEmail(source: Partial<TemplateSource>, kind: 'marketing' | 'transactional' = 'transactional') {
  const whole: TemplateSource = { channel: 'email', subject: 'News', preheader: '', html: '', text: null, ...source };
  return compileContent(whole, { class: kind, fields: FIELDS });
}

export function problemsOf(source: Partial<TemplateSource>, kind?: 'marketing' | 'transactional'): TemplateProblem[] {
  return compileEmail(source, kind).problems;
}

/** The codes of what keeps an HTML from being published. */
export function errorsOf(html: string): string[] {
  return problemsOf({ html }).flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
}

export function contentOf(source: Partial<TemplateSource>): CompiledContent {
  const { content, problems } = compileEmail(source);
  if (!content) throw new Error(`It does not compile: ${JSON.stringify(problems)}`);
  return content;
}

export const DATA: TemplateData = {
  profile: {
    id: '01a1b2c3-0000-7000-8000-000000000001',
    identifiers: { email: 'ada@example.com', phone: null, external_id: null },
    attributes: { first_name: 'Ada', tags: ['b', 'a', 'b'], visits: 7 },
  },
  event: null,
  store: { name: 'Tea & Co' },
  campaign: null,
  recommended: {},
  coupon: null,
  data: {},
  unsubscribe_url: 'https://shop.example/u',
  preferences_url: 'https://shop.example/p',
  view_url: 'https://shop.example/v',
  now: '2026-11-27T08:05:09Z',
};

export function render(
  source: Partial<TemplateSource>,
  data: Partial<TemplateData> = {},
  options: Partial<RenderOptions> = {},
): RenderedMessage | RenderFailure {
  const contents = { en: contentOf(source) };
  return renderContent(
    { format: 1, reads: [], locale: 'en', contents },
    { ...DATA, ...data },
    { timeZone: 'UTC', ...options },
  );
}

export function rendered(...args: Parameters<typeof render>): RenderedMessage {
  const message = render(...args);
  if ('code' in message) throw new Error(`It does not render: ${JSON.stringify(message)}`);
  return message;
}

export function failureOf(...args: Parameters<typeof render>): string {
  const message = render(...args);
  return 'code' in message ? message.code : 'none';
}

/** What an HTML becomes with values in `data`. */
export const htmlOf = (html: string, data: Record<string, unknown> = {}): string => rendered({ html }, { data }).html;

/** What an expression prints in a text. */
export const printed = (expression: string, data: Record<string, unknown> = {}, options: Partial<RenderOptions> = {}) =>
  rendered({ text: `{{ ${expression} }}` }, { data }, options).text;
