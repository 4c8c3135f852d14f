import { type Context, type Emitter, Liquid, type Template, toValueSync } from 'liquidjs';
import { escapeHtml, escapeStyle } from '../escaping/escape.ts';
import { sanitizeHtml } from '../escaping/sanitize.ts';
import { FORMAT_FILTERS } from '../filters/formats.ts';
import { LIST_FILTERS } from '../filters/lists.ts';
import { NUMBER_FILTERS } from '../filters/numbers.ts';
import { TEXT_FILTERS } from '../filters/texts.ts';
import { countWork } from '../rendering.ts';
import { toText } from '../values.ts';
import { BoundedCapture, BoundedFor, TidyBlock, UrlBlock } from './tags.ts';

/** Those of liquidjs that are kept as they are. */
const KEPT_TAGS = ['if', 'unless', 'case', 'assign', 'comment', 'raw', 'break', 'continue'];

const FILTERS = {
  ...TEXT_FILTERS,
  ...LIST_FILTERS,
  ...NUMBER_FILTERS,
  ...FORMAT_FILTERS,
  /** HTML of a value, of which what formats text is let through. */
  raw: (value: unknown) => sanitizeHtml(toText(value)),
};

export const FILTER_NAMES: ReadonlySet<string> = new Set(Object.keys(FILTERS));

/** How an output is written where it stands. Only what was compiled has these. */
export const CONTEXT_FILTERS = {
  _html: (value: unknown) => escapeHtml(toText(value)),
  _style: (value: unknown) => escapeStyle(toText(value)),
  _text: toText,
  _component: (value: unknown) => encodeURIComponent(toText(value).toWellFormed()),
  /** What `raw` would let through, where nothing shows it. */
  _plain: (value: unknown) => TEXT_FILTERS.strip_html(value),
};

/** For texts as they were compiled, of which `_url` and the like are a part. */
export const compiledEngine = makeEngine();
for (const [name, filter] of Object.entries(CONTEXT_FILTERS)) compiledEngine.registerFilter(name, filter);
compiledEngine.registerTag('_url', UrlBlock);
compiledEngine.registerTag('_tidy', TidyBlock);

/** For texts as tenants write them. */
export const sourceEngine = makeEngine();

/** Without files, without what liquidjs offers besides, and without anything of a value but its own properties. */
function makeEngine(): Liquid {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    locale: 'en',
    dynamicPartials: false,
  });
  for (const name of Object.keys(engine.tags)) if (!KEPT_TAGS.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of Object.entries(FILTERS)) engine.registerFilter(name, metered(filter));
  engine.registerTag('for', BoundedFor);
  engine.registerTag('capture', BoundedCapture);
  Object.assign(engine.renderer, { renderTemplates });
  return engine;
}

type Filter = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown;

/** A filter whose work counts, where it is bounded. */
function metered(filter: Filter | ((...args: never[]) => unknown)): Filter {
  return function (value, ...args) {
    countWork(this.context, value, args);
    return (filter as Filter).call(this, value, ...args);
  };
}

/** In place of the one of liquidjs, which could wait for each part, and so takes twice as long. */
function renderTemplates(templates: readonly Template[], context: Context, emitter: Emitter): void {
  for (const template of templates) {
    const written = toValueSync(template.render(context, emitter));
    if (written) emitter.write(written);
    if (context.breakCalled || context.continueCalled) break;
  }
}
