import type { LookedUp } from './looked-up.ts';
import type { Segments } from './sms/segments.ts';

/** What an e-mail or text message says, before it is compiled: Liquid, in one language. */
export interface TemplateSource {
  channel: 'email' | 'sms';
  /** Empty for text messages, as are the preheader and the HTML. */
  subject: string;
  preheader: string;
  html: string;
  /** Null: made from the HTML. */
  text: string | null;
}

/** A template as it was published, in all its languages; JSON, kept with its version. Whole messages are made from it. */
export interface CompiledTemplate {
  /** Of this object's form. */
  format: 1;
  /** What has to be looked up before a message is made of it, in whichever language; see `readsOf`. */
  reads?: readonly LookedUp[];
  /** Items that it names: what is bought with each is looked up, too. */
  boughtWith?: readonly string[];
  /** The language of those whose own there is none of. */
  locale: string;
  /** By locale, as `de` or `pt-BR`. */
  contents: Readonly<Record<string, CompiledContent>>;
}

/** Liquid in which each output is escaped for where it stands, and each link has its number. */
export interface CompiledContent {
  channel: 'email' | 'sms';
  subject: string;
  preheader: string;
  html: string;
  text: string;
  links: readonly TemplateLink[];
  /** Of what is a part of messages, and none itself. */
  isPart?: true;
  /** What is read of the data, each path once. */
  paths: readonly TemplatePath[];
}

export interface TemplateLink {
  /** From 1, in the order of the source. */
  number: number;
  /** As in the source, perhaps with Liquid. */
  url: string;
  /** False where the source says `data-track="off"`, and for those by which customers unsubscribe. */
  tracked: boolean;
}

export interface TemplatePath {
  /** As `["profile", "attributes", "first_name"]`. */
  path: readonly string[];
  /** Whether each use of it has a `default` or stands in a condition that asks for it. */
  hasDefault: boolean;
}

/** What is wrong in a template, or may be. An `error` keeps it from being published. */
export interface TemplateProblem {
  severity: 'error' | 'warning';
  /** As `unknown_path`, for programs. */
  code: string;
  /** In English, for people. */
  message: string;
  /** Of the draft, as `body` or `translations.de.subject`. */
  field: string;
  /** From 1, in the text of the field; null where it has no lines. */
  line: number | null;
  column: number | null;
}

/** What a message is made of. */
export interface TemplateData {
  profile: Readonly<Record<string, unknown>>;
  /** Null where there is none. */
  event: Readonly<Record<string, unknown>> | null;
  store: Readonly<Record<string, unknown>>;
  campaign: Readonly<Record<string, unknown>> | null;
  /** The code that the customer was given by the run that sends it; null where there is none. */
  coupon: Readonly<Record<string, unknown>> | null;
  /** Items by the kind of recommendation, the best first; each with `because`, the kind that it is. */
  recommended: Readonly<Record<string, unknown>>;
  /** What the request or the step that sends it gives besides. */
  data: Readonly<Record<string, unknown>>;
  unsubscribe_url: string;
  preferences_url: string;
  view_url: string;
  /** RFC 3339. */
  now: string;
}

export interface RenderedMessage {
  locale: string;
  subject: string;
  preheader: string;
  html: string;
  text: string;
  /** Those that are in it, after the values were filled in. */
  links: readonly { number: number; url: string }[];
  /** Null for an e-mail. */
  segments: Segments | null;
}

/** Why no message could be made. */
export interface RenderFailure {
  code: 'template_too_slow' | 'too_large' | 'missing_value' | 'render_failed';
  message: string;
}
