import { escapeHtml } from '../escaping/escape.ts';
import { hasLiquid, MaskedHtml } from '../html/masked.ts';
import { readLiquid } from '../liquid/read-liquid.ts';
import { type Finding, placeOf } from '../problems.ts';
import { markupToHtml } from './markup.ts';
import type { Look } from './style.ts';

/** Keys and indices from the root of the blocks. */
export type BlockPath = readonly (string | number)[];

export interface BlockProblem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  path: BlockPath;
  /** Of the text at the path, from 1; null where it is wrong as a whole. */
  line: number | null;
  column: number | null;
}

const URL_START = /^(?:https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s])/i;
const NAMING = /\{%-?\s*(?:assign|capture)\s+([A-Za-z_][\w-]*)/g;

/**
 * Writes values of blocks into MJML, of which they can't become a part. Liquid in them stays as it is; what begins in a
 * text has to end there.
 */
export class BlockWriter {
  readonly look: Look;
  readonly problems: BlockProblem[] = [];
  /** What texts before have named, and the loop that stands around. */
  readonly #variables = new Set<string>();

  constructor(look: Look) {
    this.look = look;
  }

  add(path: BlockPath, code: string, message: string): void {
    this.problems.push({ severity: 'error', code, message, path, line: null, column: null });
  }

  /** What is written meanwhile knows a variable. */
  within(variable: string, write: () => string): string {
    const added = [variable, 'forloop'].filter((name) => !this.#variables.has(name));
    for (const name of added) this.#variables.add(name);
    const written = write();
    for (const name of added) this.#variables.delete(name);
    return written;
  }

  /** For the text of an element, and for the value of an attribute. */
  text(source: string, path: BlockPath): string {
    return this.#write(source, path, escapeHtml);
  }

  /** The same, with `<br />` where a line ends. */
  lines(source: string, path: BlockPath): string {
    return this.#write(source, path, (masked) => escapeHtml(masked).replaceAll(/\r\n?|\n/g, '<br />'));
  }

  url(source: string, path: BlockPath): string {
    return this.#write(source, path, (masked) => {
      this.#checkUrl(masked, path);
      return escapeHtml(masked);
    });
  }

  markup(source: string, path: BlockPath, linkStyle = this.linkStyle): string {
    const linkAttributes = ` style="${linkStyle}"`;
    const onUrl = (url: string) => this.#checkUrl(url, path);
    return this.#write(source, path, (masked) => markupToHtml(masked, { linkAttributes, onUrl }));
  }

  /** HTML, as it is. */
  html(source: string, path: BlockPath): string {
    return this.#write(source, path, (masked) => masked);
  }

  /** The path of a value, which has to be one that there is. */
  path(source: string, path: BlockPath): string {
    this.#write(`{{ ${source} }}`, path, () => '', false);
    return source;
  }

  get linkStyle(): string {
    return `color:${this.look.link};text-decoration:underline`;
  }

  #write(source: string, path: BlockPath, write: (masked: string) => string, hasPlaces = true): string {
    const report = ({ severity = 'error', code, message, at }: Finding) => {
      const place = at === null || !hasPlaces ? { line: null, column: null } : placeOf(source, at);
      this.problems.push({ severity, code, message, path, ...place });
    };
    const text = readLiquid(source, report, this.#variables);
    if (!text) return '';
    for (const [, name = ''] of source.matchAll(NAMING)) this.#variables.add(name);
    const masked = new MaskedHtml(text);
    return masked.restore(write(masked.html));
  }

  #checkUrl(masked: string, path: BlockPath): void {
    if (hasLiquid(masked.slice(0, 1)) || URL_START.test(masked)) return;
    this.add(path, 'invalid_url', 'An address begins with https://, http://, mailto: or tel:, or with Liquid');
  }
}
