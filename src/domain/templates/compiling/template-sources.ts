import type { CompiledTemplate, TemplateProblem } from '../core/compiled.ts';
import type { Around } from './blocks-in-layout.ts';

/** What a template says in one language, its layout and its snippets in their places. */
export interface SourceContent {
  subject: string;
  preheader: string;
  /** MJML, HTML or the text of a text message, with Liquid; or blocks. */
  body: string | Readonly<Record<string, unknown>>;
  /** The MJML that stands around blocks. */
  layout?: Around | null;
  /** Null: made from the body. */
  text: string | null;
}

/** A template that is to be compiled. */
export interface TemplateSources {
  /** `liquid`: a part of texts of which no more is known. */
  kind: 'blocks' | 'mjml' | 'html' | 'sms' | 'liquid';
  class: 'marketing' | 'transactional';
  /** The language of those whose own there is none of. */
  locale: string;
  /** By locale. */
  contents: Readonly<Record<string, SourceContent>>;
}

export interface Compilation {
  /** Null where an error keeps anything from being made. */
  compiled: CompiledTemplate | null;
  /**
   * Their fields are `subject`, `preheader`, `body`, `text` and, around blocks, `layout`; `translations.de.subject` for
   * another language.
   */
  problems: TemplateProblem[];
}
