import type {
  CompiledTemplate,
  RenderedMessage,
  RenderFailure,
  TemplateData,
  TemplateProblem,
} from './core/compiled.ts';
import type { TemplateClass, TemplateKind } from './draft.ts';

/** What is compiled in one language, its layout and its snippets in their places. */
export interface SourceContent {
  subject: string;
  preheader: string;
  body: string | Readonly<Record<string, unknown>>;
  text: string | null;
}

export interface TemplateSources {
  kind: TemplateKind;
  class: TemplateClass;
  locale: string;
  /** By locale. */
  contents: Readonly<Record<string, SourceContent>>;
}

export interface Compilation {
  /** Null where an error keeps anything from being made. */
  compiled: CompiledTemplate | null;
  /** Fields are those of a draft. */
  problems: readonly TemplateProblem[];
}

export interface RenderRequest {
  compiled: CompiledTemplate;
  data: TemplateData;
  locale: string;
  /** Paths without whose values there is no message. */
  required: readonly (readonly string[])[];
}

/** What takes templates apart and makes messages of them, in threads that can be ended. */
export interface TemplateTools {
  compile(storeId: string, sources: TemplateSources): Promise<Compilation>;
  render(storeId: string, request: RenderRequest): Promise<RenderedMessage | RenderFailure>;
}
