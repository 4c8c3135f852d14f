import { Context, toValueSync } from 'liquidjs';
import { BOUNDS, TooLarge } from './bounds.ts';
import type { CompiledContent, CompiledTemplate, RenderedMessage, RenderFailure, TemplateData } from './compiled.ts';
import { compiledEngine } from './liquid/engines.ts';
import { ParsedTexts } from './liquid/parsed.ts';
import { BoundedOutput, type Formats, type Rendering, setRendering } from './rendering.ts';
import { countSegments } from './sms/segments.ts';
import { expectSmall, isMissing } from './values.ts';

export interface RenderOptions {
  /** That of the customer; absent: that of the template. */
  locale?: string | undefined;
  /** IANA, as `Europe/Berlin`. */
  timeZone: string;
  /** Returns what a link leads to instead of its URL; called for http and https, and not for links that are not tracked. */
  link?: ((number: number, url: string) => string) | undefined;
  /** HTML for the end of an e-mail, which nobody sees. */
  unseen?: string | undefined;
  /** Without their values there is no message. */
  required?: readonly (readonly string[])[] | undefined;
}

const parsedTexts = new ParsedTexts();

/** Makes the message for one customer. It takes as long as the template has it take, so it runs in a thread. */
export function renderContent(
  template: CompiledTemplate,
  data: TemplateData,
  options: RenderOptions,
): RenderedMessage | RenderFailure {
  try {
    expectSmall(data);
    const missing = options.required?.find((path) => isMissing(valueAt(data, path)));
    if (missing) return { code: 'missing_value', message: `There is no ${missing.join('.')}` };
    const locale = chooseLocale(template, options.locale);
    return render(template.contents[locale] as CompiledContent, locale, data, options);
  } catch (error) {
    return failureOf(error);
  }
}

/** The language itself, the same without its region, or that of the template. */
export function chooseLocale({ locale, contents }: CompiledTemplate, wanted: string | undefined): string {
  if (wanted === undefined || wanted === '') return locale;
  const locales = Object.keys(contents);
  const find = (name: string) => locales.find((one) => one.toLowerCase() === name);
  const name = wanted.toLowerCase().replaceAll('_', '-');
  return find(name) ?? find(name.split('-')[0] as string) ?? locale;
}

function render(
  content: CompiledContent,
  locale: string,
  data: TemplateData,
  { timeZone, link, unseen }: RenderOptions,
): RenderedMessage {
  const formats: Formats = { locale, timeZone, now: data.now };
  const untracked = new Set(content.links.flatMap(({ number, tracked }) => (tracked ? [] : [number])));
  const { channel, isPart, subject, preheader, html, text } = content;
  // Those of text messages stay as short as they are.
  const followed = channel === 'sms' ? undefined : link;
  const rendering: Rendering = { formats, rounds: 0, link: followed, untracked, links: [] };
  const write = (text: string) => renderText(text, data, { ...rendering, rounds: 0 });
  if (channel === 'sms') {
    const said = isPart ? { text: write(text), segments: null } : textMessage(write(text));
    return { ...NO_EMAIL, locale, ...said, links: rendering.links };
  }
  return {
    locale,
    subject: oneLine(write(subject), BOUNDS.subject),
    preheader: oneLine(write(preheader), BOUNDS.preheader),
    html: atEnd(write(html), unseen ?? ''),
    text: write(text),
    links: rendering.links,
    segments: null,
  };
}

/** In the body, where HTML says where that ends. */
function atEnd(html: string, part: string): string {
  const body = html.lastIndexOf('</body>');
  const end = body < 0 ? capitalBodyEnd(html) : body;
  return html.slice(0, end) + part + html.slice(end);
}

/** To look for what is not there takes as long as a third of a message. */
function capitalBodyEnd(html: string): number {
  const body = html.lastIndexOf('</BODY>');
  return body < 0 ? html.length : body;
}

const NO_EMAIL = { subject: '', preheader: '', html: '' };

/** Phones show neither white space around it nor control characters, which would cost as much as any other. */
function textMessage(written: string): Pick<RenderedMessage, 'text' | 'segments'> {
  const text = written
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .toWellFormed()
    .trim();
  if (text === '') throw new TypeError('The text is empty');
  const segments = countSegments(text);
  if (segments.count <= BOUNDS.segments) return { text, segments };
  throw new TooLarge(`The text has ${segments.count} segments, and ${BOUNDS.segments} are the most`);
}

function renderText(text: string, data: TemplateData, rendering: Rendering): string {
  // Most subjects are the same for everybody.
  if (!text.includes('{')) return text;
  const scope = Object.assign(Object.create(null), data);
  const context = new Context(scope, compiledEngine.options, { sync: true }, { liquid: compiledEngine });
  setRendering(context, rendering);
  const output = new BoundedOutput();
  toValueSync(compiledEngine.renderer.renderTemplates(parsedTexts.parse(text), context, output));
  return output.buffer;
}

/** Nothing in it ends a header of an e-mail, or begins another. */
function oneLine(text: string, most: number): string {
  const line = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= most ? line : `${[...line].slice(0, most - 1).join('')}…`;
}

function valueAt(data: TemplateData, path: readonly string[]): unknown {
  let value: unknown = data;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function failureOf(error: unknown): RenderFailure {
  const cause = (error as { originalError?: unknown }).originalError ?? error;
  if (cause instanceof TooLarge) return { code: 'too_large', message: cause.message };
  return { code: 'render_failed', message: (cause as Error).message.replace(/, line:\d+, col:\d+$/, '').slice(0, 500) };
}
