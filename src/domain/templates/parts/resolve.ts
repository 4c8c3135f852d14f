import type { TemplateProblem } from '../core/compiled.ts';
import type { TemplateBody, TemplateDraft, TemplateKind, TemplateUse } from '../draft.ts';
import { Findings } from './findings.ts';
import { CONTENT, MAX_PARTS, type Part, type Parts, type SnippetTag, snippetTags } from './part.ts';
import { type Origin, ResolvedText, type Source, type Spot } from './resolved-text.ts';

/** Snippets within one another, and those that are copied into one text in all. */
const [MAX_DEPTH, MAX_COPIES] = [5, 500];
/** Characters that are copied into one text. */
const MAX_CHARACTERS = 204_800;

/** What a template says in one language, with its layout around it and its snippets within. */
export interface ResolvedContent {
  subject: string;
  preheader: string;
  body: ResolvedText | Readonly<Record<string, unknown>>;
  /** Of a template of blocks, what stands around them, and where in it they stand. */
  layout: { text: ResolvedText; at: number } | null;
  text: ResolvedText | null;
}

export interface ResolvedTemplate {
  /** By locale. */
  contents: Readonly<Record<string, ResolvedContent>>;
  /** The numbers of the versions that were copied, by the ids of their templates. */
  copied: ReadonlyMap<string, number>;
  problems: readonly TemplateProblem[];
}

/** The kinds of snippet that may stand in a template of a kind. */
const SNIPPETS_OF: Record<TemplateKind, readonly TemplateKind[]> = {
  blocks: ['html'],
  mjml: ['mjml', 'html'],
  html: ['html'],
  sms: ['sms'],
};

/** Puts the layout and the snippets of a draft in their places. `id` is its own; undefined before it has one. */
export function resolveTemplate(draft: TemplateDraft, parts: Parts, id?: string): ResolvedTemplate {
  const resolver = new Resolver(draft, parts, id);
  const contents = Object.fromEntries(
    [draft.locale, ...Object.keys(draft.translations)].map((locale) => [locale, resolver.content(locale)]),
  );
  return { contents, copied: resolver.copied, problems: resolver.findings.all };
}

/** A text that is put together. */
interface Target {
  locale: string;
  /** Of the draft. */
  field: string;
  which: 'body' | 'text';
  into: ResolvedText;
  /** What was copied into it so far. */
  size: { copies: number; characters: number };
}

/** A text that is copied, the templates that it stands in, and where in the draft. */
interface Copying {
  source: Source;
  within: readonly (string | undefined)[];
  tag: Spot | null;
}

type Published = Part & { version: NonNullable<Part['version']> };

class Resolver {
  readonly copied = new Map<string, number>();
  readonly findings = new Findings();
  readonly #draft: TemplateDraft;
  readonly #parts: Parts;
  readonly #id: string | undefined;

  constructor(draft: TemplateDraft, parts: Parts, id: string | undefined) {
    this.#draft = draft;
    this.#parts = parts;
    this.#id = id;
  }

  content(locale: string): ResolvedContent {
    const own = this.#draft.translations[locale] ?? {};
    const { subject, preheader, body, text } = { ...this.#draft, ...own };
    const target = (which: 'body' | 'text'): Target => ({
      locale,
      field: own[which] === undefined ? which : `translations.${locale}.${which}`,
      which,
      into: new ResolvedText(),
      size: { copies: 0, characters: 0 },
    });
    const ofBody = target('body');
    return {
      subject,
      preheader,
      body: typeof body === 'string' ? this.#inLayout(body, ofBody) : this.#strings(body, ofBody),
      layout: typeof body === 'string' ? null : this.#layoutAlone(target('body')),
      text: text === null ? null : this.#own(text, target('text')),
    };
  }

  #inLayout(body: string, target: Target): ResolvedText {
    const layout = this.#layout(target);
    if (!layout) return this.#own(body, target);
    this.#copy(layout, target, 0, layout.at);
    this.#own(body, target);
    this.#copy(layout, target, layout.end);
    return target.into;
  }

  #layoutAlone(target: Target): ResolvedContent['layout'] {
    const layout = this.#layout(target);
    if (!layout) return null;
    this.#copy(layout, target, 0, layout.at);
    const at = target.into.length;
    this.#copy(layout, target, layout.end);
    return { text: target.into, at };
  }

  #own(text: string, target: Target): ResolvedText {
    this.#copy({ source: { text, of: null }, within: [this.#id], tag: null }, target);
    return target.into;
  }

  /** The same blocks with snippets in all of their texts. */
  #strings<Value>(value: Value, target: Target): Value;
  #strings(value: unknown, target: Target): unknown {
    if (typeof value === 'string') {
      if (snippetTags(value).length === 0) return value;
      return this.#own(value, { ...target, into: new ResolvedText() }).toString();
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#strings(item, target));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#strings(item, target)]));
  }

  /** The text of the layout, and where in it the content is to stand. */
  #layout({ locale }: Target): (Copying & { at: number; end: number }) | undefined {
    const { layout_id: named, kind } = this.#draft;
    if (named === null) return undefined;
    const id = named.toLowerCase();
    const part = this.#published(id, 'layout');
    const wanted = kind === 'blocks' ? 'mjml' : kind;
    if (typeof part === 'string' || part.kind !== wanted) {
      const problem = typeof part === 'string' ? part : `must be of the kind ${wanted}`;
      this.findings.add('layout_id', 'layout_unusable', `The layout ${problem}`);
      return undefined;
    }
    this.copied.set(id, part.version.number);
    const text = textOf(part, locale, 'body') ?? '';
    const [{ 0: content, index: at } = { 0: '', index: text.length }] = text.matchAll(CONTENT);
    const source = { text, of: `the layout “${part.name}”` };
    return { source, within: [this.#id, id], tag: null, at, end: at + content.length };
  }

  #copy({ source, within, tag }: Copying, target: Target, from = 0, to = source.text.length): void {
    let reached = from;
    for (const found of snippetTags(source.text)) {
      if (found.at < from || found.end > to) continue;
      target.into.add(source, reached, found.at, tag);
      reached = found.end;
      const spot = { source, offset: found.at };
      this.#snippet(found, { ...spot, tag: source.of === null ? spot : tag }, within, target);
    }
    target.into.add(source, reached, to, tag);
  }

  #snippet({ id }: SnippetTag, origin: Origin, within: Copying['within'], target: Target): void {
    const text = this.#textOf(id, within, target);
    if ('problem' in text) this.findings.addOf(target.field, origin, text.code, text.problem);
    else this.#copy({ ...text, tag: origin.tag }, target);
  }

  /** Returns the text of a snippet, or what is wrong. */
  #textOf(
    id: string | undefined,
    within: Copying['within'],
    { which, locale, size }: Target,
  ): Omit<Copying, 'tag'> | { code: string; problem: string } {
    const refuse = (code: string, problem: string) => ({ code, problem });
    if (id === undefined) return refuse('snippet_malformed', 'A snippet is named like this: {% snippet "id" %}');
    if (within.includes(id)) return refuse('snippet_cycle', 'The snippet contains itself');
    if (within.length > MAX_DEPTH) return refuse('snippet_depth', `Snippets may be ${MAX_DEPTH} deep in one another`);
    const part = this.#published(id, 'snippet');
    if (typeof part === 'string') return refuse('snippet_unusable', `The snippet ${part}`);
    const { kind } = this.#draft;
    if (!SNIPPETS_OF[kind].includes(part.kind)) {
      return refuse('snippet_unusable', `A snippet of the kind ${part.kind} has no place in one of the kind ${kind}`);
    }
    const text = textOf(part, locale, which);
    if (text === null) return refuse('snippet_unusable', 'The snippet has no text for the text part');
    size.copies += 1;
    size.characters += text.length;
    if (size.copies > MAX_COPIES || size.characters > MAX_CHARACTERS) {
      const most = `${MAX_COPIES} snippets, of ${MAX_CHARACTERS} characters together`;
      return refuse('too_large', `Only ${most}, may be copied into a text`);
    }
    this.copied.set(id, part.version.number);
    return { source: { text, of: `the snippet “${part.name}”` }, within: [...within, id] };
  }

  /** Returns what is wrong, as the end of a sentence, where it can't be used. */
  #published(id: string, use: TemplateUse): Published | string {
    const part = this.#parts.get(id);
    if (!part) return 'is not one of the store';
    if (part === 'too_many') return `is one too many: a template consists of ${MAX_PARTS} others at most`;
    if (part.use !== use) return `is a ${part.use}, and no ${use}`;
    if (part.isArchived) return 'is archived';
    const { version } = part;
    return version ? { ...part, version } : 'has not been published yet';
  }
}

/** In the language, or else in that of the part. */
function textOf({ version }: Published, locale: string, which: 'body' | 'text'): string | null {
  const { translations, ...byDefault } = version.draft;
  const [language = ''] = locale.split('-');
  const said: TemplateBody | null =
    translations[locale]?.[which] ?? translations[language]?.[which] ?? byDefault[which];
  return typeof said === 'string' ? said : null;
}
