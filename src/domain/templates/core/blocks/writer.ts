import { beginsWithLiquid, MaskedLiquid } from '../masked-liquid.ts';
import { escapeMarkup } from './escape.ts';
import { markupToHtml } from './markup.ts';
import type { Look } from './style.ts';

/** Keys and indices from the root of the blocks. */
export type BlockPath = readonly (string | number)[];

export interface BlockProblem {
  severity: 'error' | 'warning';
  code: string;
  /** A sentence without its subject, as "must begin with https://". */
  message: string;
  path: BlockPath;
}

const URL_START = /^(?:https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s])/i;

/** Writes values of blocks into MJML, of which they can't become a part; Liquid in them stays as it is. */
export class BlockWriter {
  readonly look: Look;
  readonly problems: BlockProblem[] = [];

  constructor(look: Look) {
    this.look = look;
  }

  add(path: BlockPath, code: string, message: string, severity: BlockProblem['severity'] = 'error'): void {
    this.problems.push({ severity, code, message, path });
  }

  /** For the text of an element, and for the value of an attribute. */
  text(source: string): string {
    const masked = new MaskedLiquid(source);
    return masked.restore(escapeMarkup(masked.text));
  }

  /** The same, with `<br />` where a line ends. */
  lines(source: string): string {
    const masked = new MaskedLiquid(source);
    return masked.restore(escapeMarkup(masked.text).replaceAll(/\r\n?|\n/g, '<br />'));
  }

  url(source: string, path: BlockPath): string {
    const masked = new MaskedLiquid(source);
    this.#checkUrl(masked.text, path);
    return masked.restore(escapeMarkup(masked.text));
  }

  markup(source: string, path: BlockPath, linkStyle = this.linkStyle): string {
    const masked = new MaskedLiquid(source);
    const html = markupToHtml(masked.text, {
      linkAttributes: ` style="${linkStyle}"`,
      onUrl: (url) => this.#checkUrl(url, path),
    });
    return masked.restore(html);
  }

  get linkStyle(): string {
    return `color:${this.look.link};text-decoration:underline`;
  }

  #checkUrl(masked: string, path: BlockPath): void {
    if (beginsWithLiquid(masked) || URL_START.test(masked)) return;
    this.add(
      path,
      'invalid_url',
      'must lead to an address that begins with https://, http://, mailto: or tel:, or with Liquid',
    );
  }
}
