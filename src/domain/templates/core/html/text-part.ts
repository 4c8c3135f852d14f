import { literally, type Piece } from '../liquid/piece.ts';
import { LINE, PARAGRAPH } from '../liquid/tidy-text.ts';
import { decodeEntities } from './decode.ts';
import type { MaskedHtml } from './masked.ts';
import type { Attribute } from './walk.ts';

const PARAGRAPHS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre section article header footer'.split(' '),
);
const LINES = new Set('div tr li dt dd address center figure figcaption main nav thead tbody tfoot caption'.split(' '));
const CELLS = new Set(['td', 'th']);
const HIDDEN = new Set(['head', 'title', 'style']);
const EMPTY = new Set('area br col embed hr img input link meta param source track wbr'.split(' '));

/** Writes the text part of an e-mail while its HTML is read: what it says, with the URL behind each link. */
export class TextPart {
  readonly #masked: MaskedHtml;
  /** What each open element writes at its end, and whether it is shown. */
  readonly #open: { end: string; isHidden: boolean }[] = [];
  #written = '';

  constructor(masked: MaskedHtml) {
    this.#masked = masked;
  }

  get written(): string {
    return `{% _tidy %}${this.#written}{% end_tidy %}`;
  }

  /** `link`: Liquid that writes the URL of a link. */
  open(name: string, attributes: readonly Attribute[], link: string | undefined): void {
    const style = attributes.find((attribute) => attribute.name === 'style')?.value ?? '';
    const isHidden =
      this.#isHidden ||
      HIDDEN.has(name) ||
      /display\s*:\s*none/i.test(decodeEntities(style).replace(/\/\*.*?\*\//gs, ''));
    const around = aroundOf(name);
    const alt = name === 'img' ? attributes.find((attribute) => attribute.name === 'alt')?.value : undefined;
    if (!EMPTY.has(name)) this.#open.push({ end: link === undefined ? around : link + around, isHidden });
    if (isHidden) return;
    this.#written += name === 'li' ? `${around}- ` : around;
    if (alt) this.text(alt);
  }

  close(name: string): void {
    if (EMPTY.has(name)) return;
    const open = this.#open.pop();
    if (open && !open.isHidden) this.#written += open.end;
  }

  /** Tags stay where nothing is shown, too: they belong to others. */
  text(masked: string): void {
    for (const part of this.#masked.parts(masked)) {
      if (typeof part === 'string') {
        if (!this.#isHidden) this.#written += literally(decodeEntities(part).replace(/\s+/g, ' '));
      } else if (!this.#isHidden || isTag(part)) this.#written += part.write('_text');
    }
  }

  get #isHidden(): boolean {
    return this.#open.at(-1)?.isHidden ?? false;
  }
}

const isTag = ({ role }: Piece) => role !== 'output' && role !== 'literal';

function aroundOf(name: string): string {
  if (PARAGRAPHS.has(name)) return PARAGRAPH;
  if (name === 'br') return '\n';
  if (LINES.has(name)) return LINE;
  if (name === 'hr') return `${LINE}---${LINE}`;
  return CELLS.has(name) ? ' ' : '';
}
