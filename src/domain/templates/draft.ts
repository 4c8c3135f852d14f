import { invalidAll, type Violation } from '../service-error.ts';

export type TemplateKind = 'blocks' | 'mjml' | 'html' | 'sms';
/** A layout stands around messages, a snippet within them; neither is sent by itself. */
export type TemplateUse = 'message' | 'layout' | 'snippet';
export type TemplateClass = 'marketing' | 'transactional';

/** MJML, HTML or the text of a text message, with Liquid; or what a template of blocks consists of. */
export type TemplateBody = string | Readonly<Record<string, unknown>>;

/** What a template says in one language. */
export interface TemplateContent {
  subject: string;
  preheader: string;
  body: TemplateBody;
  /** Null: made from the body. */
  text: string | null;
}

/** A template as it is written. It may be faulty as long as it is not published. */
export interface TemplateDraft extends TemplateContent {
  name: string;
  kind: TemplateKind;
  use: TemplateUse;
  class: TemplateClass;
  /** The id of a layout. */
  layout_id: string | null;
  /** The language of what stands here, and of customers whose own is not among the translations. */
  locale: string;
  /** By locale. What one does not say is said as in the language of the template. */
  translations: Readonly<Record<string, Partial<TemplateContent>>>;
  /** Paths without whose values nothing is sent, as `profile.attributes.first_name`. */
  required: readonly string[];
}

/** A language, perhaps with a script and a region: `de`, `pt-BR`, `zh-Hant-TW`. */
const LOCALE = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;
/** A value of the data, by names and by what stands in brackets. */
const PATH = /^[a-z]\w*(?:\.\w+|\["[^"\]]+"\])*$/i;

/** Throws `validation_error` with all that not even a draft may have. */
export function expectWellFormed(draft: TemplateDraft): void {
  const violations = malformedParts(draft);
  if (violations.length > 0) throw invalidAll(violations);
}

/** `profile.attributes["last order"].id` → `['profile', 'attributes', 'last order', 'id']` */
export function pathSegments(path: string): string[] {
  return [...path.matchAll(/\["([^"\]]+)"\]|\w+/g)].map(([name, quoted]) => quoted ?? name);
}

function malformedParts(draft: TemplateDraft): Violation[] {
  const { kind, use, layout_id: layout, locale, translations, required } = draft;
  const locales = Object.keys(translations);
  return [
    ...when(kind === 'blocks' && use !== 'message', ['use'], 'must be message for a template of blocks'),
    ...when(layout !== null && use !== 'message', ['layout_id'], `must be absent or null for a ${use}`),
    ...when(layout !== null && kind === 'sms', ['layout_id'], 'must be absent or null for text messages'),
    ...when(!LOCALE.test(locale), ['locale'], NO_LOCALE),
    ...locales.flatMap((name) => when(!LOCALE.test(name), ['translations', name], `${NO_LOCALE}, as a name`)),
    ...when(locales.includes(locale), ['translations', locale], 'must be of another language than the template'),
    ...required.flatMap((path, i) =>
      when(!PATH.test(path), ['required', i], 'must be a path such as profile.attributes.first_name'),
    ),
    ...ofContent(draft, draft, []),
    ...locales.flatMap((name) =>
      ofContent(draft, translations[name] as Partial<TemplateContent>, ['translations', name]),
    ),
  ];
}

const NO_LOCALE = 'must be a language such as de or pt-BR';

function ofContent(
  { kind, use }: TemplateDraft,
  { subject = '', preheader = '', body, text = null }: Partial<TemplateContent>,
  path: readonly string[],
): Violation[] {
  const isBlocks = kind === 'blocks';
  const mayHaveSubject = use === 'message' && kind !== 'sms';
  const whose = kind === 'sms' ? 'text messages' : `a ${use}`;
  return [
    ...when(
      body !== undefined && isBlocks && typeof body === 'string',
      [...path, 'body'],
      'must be an object of blocks',
    ),
    ...when(body !== undefined && !isBlocks && typeof body !== 'string', [...path, 'body'], 'must be a string'),
    ...when(subject !== '' && !mayHaveSubject, [...path, 'subject'], `must be absent or empty for ${whose}`),
    ...when(preheader !== '' && !mayHaveSubject, [...path, 'preheader'], `must be absent or empty for ${whose}`),
    ...when(text !== null && kind === 'sms', [...path, 'text'], 'must be absent or null for text messages'),
    ...when(text !== null && use === 'layout', [...path, 'text'], 'must be absent or null for a layout'),
  ];
}

function when(isWrong: boolean, path: Violation['path'], problem: string): Violation[] {
  return isWrong ? [{ path, problem }] : [];
}
