import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';

export interface MjmlOptions {
  /** Names of fonts with the URLs to load them from. */
  fonts: Record<string, string>;
  /** As the root of a document may have it. */
  validationLevel: 'soft';
  minify: false;
  beautify: false;
  ignoreIncludes: true;
}

export interface MjmlError {
  line: number;
  /** "Element mj-foo doesn't exist or is not registered" */
  message: string;
  tagName: string;
}

export type Mjml = (source: string, options: MjmlOptions) => Promise<{ html: string; errors: MjmlError[] }>;

let loaded: Mjml | undefined;

/**
 * Loads the bundle of MJML for browsers, which reads no files and has no dependencies: 1.2 MB that only the thread which
 * compiles templates is to hold.
 */
export function loadMjml(): Mjml {
  loaded ??= load();
  return loaded;
}

function load(): Mjml {
  // It looks for settings there, of which Node warns that there are none.
  Object.defineProperty(globalThis, 'localStorage', { value: undefined, configurable: true });
  const path = fileURLToPath(import.meta.resolve('mjml-browser'));
  const module: { exports: Mjml | { default: Mjml } } = { exports: {} as Mjml };
  // Not by `import`: what it would import besides (cheerio) is needed for one element alone, which is refused.
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require'], { filename: path });
  run(module, module.exports, () => ({}));
  return typeof module.exports === 'function' ? module.exports : module.exports.default;
}
