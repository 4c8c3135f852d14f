import { BOUNDS } from '../bounds.ts';
import type { TemplateLink } from '../compiled.ts';
import { asBrowsersRead, isWebUrl, safeUrl, schemeOf } from '../escaping/urls.ts';
import { literally, type Piece, type Printing } from '../liquid/piece.ts';
import type { LiquidText } from '../liquid/read-liquid.ts';
import { OWN_LINKS } from '../paths.ts';
import type { Report } from '../problems.ts';
import { decodeEntities } from './decode.ts';
import { hasLiquid, MaskedHtml } from './masked.ts';
import { isHandler, isRefused, takesLiquid, URL_ATTRIBUTES } from './rules.ts';
import { TextPart } from './text-part.ts';
import { type Attribute, TooDeep, type Visitor, walkHtml } from './walk.ts';

export interface CompiledHtml {
  html: string;
  text: string;
  links: TemplateLink[];
  /** Whether a link leads to where customers unsubscribe. */
  unsubscribes: boolean;
}

/** Finds where each piece of Liquid stands in HTML, and writes it so that no value becomes anything but a text there. */
export function compileHtml(text: LiquidText, preheader: string, report: Report): CompiledHtml {
  const compiler = new HtmlCompiler(text, report);
  return compiler.compile(preheader);
}

/** A part of the HTML that is written anew. */
interface Edit {
  begin: number;
  end: number;
  code: string;
}

const IN_TEXT = 'text';

class HtmlCompiler implements Visitor {
  readonly #text: LiquidText;
  readonly #masked: MaskedHtml;
  readonly #report: Report;
  readonly #textPart: TextPart;
  readonly #links: TemplateLink[] = [];
  readonly #edits: Edit[] = [];
  /** Where each piece stands: in text, or in which attribute or title. */
  readonly #places = new Map<Piece, string>();
  readonly #printings = new Map<Piece, Printing>();
  /** Where the preheader goes: at the start of the body, or else behind all that may stand before it. */
  #bodyAt = 0;
  #hasBody = false;
  #unsubscribes = false;

  constructor(text: LiquidText, report: Report) {
    this.#text = text;
    this.#masked = new MaskedHtml(text);
    this.#report = report;
    this.#textPart = new TextPart(this.#masked);
  }

  compile(preheader: string): CompiledHtml {
    try {
      walkHtml(this.#masked.html, this);
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.#report({ code: 'nested_too_deeply', message: error.message, at: null });
      return { html: '', text: '', links: [], unsubscribes: false };
    }
    this.#checkPlaces();
    if (this.#links.length > BOUNDS.links) {
      this.#report({ code: 'too_many_links', message: `The HTML has more than ${BOUNDS.links} links`, at: null });
    }
    if (preheader !== '') this.#edits.push({ begin: this.#bodyAt, end: this.#bodyAt, code: hidden(preheader) });
    return {
      html: this.#write(),
      text: this.#textPart.written,
      links: this.#links,
      unsubscribes: this.#unsubscribes,
    };
  }

  open(name: string, attributes: Attribute[], begin: number, end: number): void {
    if (isRefused(name)) this.#fail('unsafe_element', `<${name}> is not possible in messages`, begin);
    if (
      name === 'meta' &&
      attributes.some((one) => one.name === 'http-equiv' && /refresh/i.test(decodeEntities(one.value)))
    ) {
      this.#fail('unsafe_element', '<meta http-equiv="refresh"> is not possible in messages', begin);
    }
    let link: string | undefined;
    const isTracked = !attributes.some(
      (one) => one.name === 'data-track' && decodeEntities(one.value).trim().toLowerCase() === 'off',
    );
    for (const attribute of attributes) link = this.#attribute(name, attribute, isTracked) ?? link;
    if (name === 'img' && !attributes.some((one) => one.name === 'alt')) {
      this.#warn('missing_alt', 'An image has no alt text: alt="" if it only decorates', begin);
    }
    if (name === 'html' && !this.#hasBody) this.#bodyAt = end;
    if (name === 'body' && !this.#hasBody) {
      this.#bodyAt = end;
      this.#hasBody = true;
    }
    this.#textPart.open(name, attributes, link);
  }

  close(name: string): void {
    this.#textPart.close(name);
  }

  text(text: string, element: { name: string; begin: number } | undefined): void {
    if (element?.name === 'style') return;
    const place = element ? `${element.name} ${element.begin}` : IN_TEXT;
    for (const piece of this.#masked.piecesIn(text)) {
      // What follows `<` would be the name of a tag.
      if (this.#masked.html.slice(0, this.#masked.placeOf(piece)).trimEnd().endsWith('<')) continue;
      this.#places.set(piece, place);
      this.#printings.set(piece, '_html');
    }
    this.#textPart.text(text);
  }

  doctype(end: number): void {
    if (!this.#hasBody) this.#bodyAt = end;
  }

  /** Returns Liquid that writes the URL of a link. */
  #attribute(element: string, attribute: Attribute, isTracked: boolean): string | undefined {
    const { name, value, quote, begin } = attribute;
    if (isHandler(name)) this.#fail('unsafe_attribute', `The attribute ${name} is not possible in messages`, begin);
    const isUrl = URL_ATTRIBUTES.has(name);
    if (hasLiquid(value)) {
      if (!quote || hasLiquid(name) || !takesLiquid(element, name) || isHandler(name)) return undefined;
      for (const piece of this.#masked.piecesIn(value)) {
        if (piece.isRaw) this.#fail('raw_not_here', '“raw” is for text between elements', piece.begin, true);
        this.#places.set(piece, `attribute ${begin}`);
        this.#printings.set(piece, name === 'style' ? '_style' : '_html');
      }
    }
    return isUrl ? this.#url(element, attribute, isTracked) : undefined;
  }

  #url(element: string, attribute: Attribute, isTracked: boolean): string | undefined {
    const { name, value, quote, begin, valueBegin, valueEnd } = attribute;
    const parts = this.#masked.parts(value);
    const isLiquid = hasLiquid(value);
    const url = parts
      .map((part) => (typeof part === 'string' ? decodeEntities(part) : this.#characterOf(part)))
      .join('');
    const read = asBrowsersRead(url);
    if (!this.#expectSafe(read, element, begin)) return undefined;
    const isLink = name === 'href' && (element === 'a' || element === 'area') && (isLiquid || isWebUrl(read));
    if (!isLink && !isLiquid) return undefined;
    if (isLink) this.#unsubscribes ||= parts.some((part) => typeof part !== 'string' && printsUnsubscribeUrl(part));
    const code = parts
      .map((part) => (typeof part === 'string' ? literally(decodeEntities(part)) : part.write('_text')))
      .join('');
    const number = isLink ? this.#number(parts, isTracked) : 0;
    const written = (kind: 'html' | 'text') => `{% _url ${number} ${kind} %}${code}{% end_url %}`;
    const inQuotes = quote ? written('html') : `"${written('html')}"`;
    this.#edits.push({ begin: valueBegin, end: valueEnd, code: inQuotes });
    return isLink ? written('text') : undefined;
  }

  #characterOf(piece: Piece): string {
    // A tag prints nothing that could be the start of a URL.
    if (piece.role !== 'output') return '';
    return this.#masked.html[this.#masked.placeOf(piece)] as string;
  }

  #number(parts: readonly (string | Piece)[], isTracked: boolean): number {
    const number = this.#links.length + 1;
    const isOwn = parts.some(
      (part) => typeof part !== 'string' && part.reads.some(([root = '']) => OWN_LINKS.has(root)),
    );
    const url = parts.map((part) => (typeof part === 'string' ? decodeEntities(part) : this.#sourceOf(part))).join('');
    this.#links.push({ number, url, tracked: isTracked && !isOwn });
    return number;
  }

  #sourceOf({ begin, end }: Piece): string {
    return this.#text.source.slice(begin, end);
  }

  #expectSafe(url: string, element: string, at: number): boolean {
    const [start = ''] = url.split(/(?=[\uE000-\uF8FF])/);
    const scheme = schemeOf(start);
    if (/^[^:/?#]*[\uE000-\uF8FF][^:/?#]*:/.test(url)) {
      this.#fail('unsafe_url', 'A value can not be the scheme of a URL', at);
      return false;
    }
    const isImage = element === 'img' && /^(?:data:image\/(?:png|gif|jpeg|webp)[;,]|cid:)/i.test(start);
    if (scheme !== undefined && safeUrl(start) === undefined && !isImage) {
      this.#fail('unsafe_url', `A URL can not begin with ${scheme}`, at);
      return false;
    }
    if (element === 'img' && scheme === 'http:') {
      this.#warn('insecure_image', 'An image is loaded by http:, which some mail programs do not', at);
    }
    return true;
  }

  /** All parts of a block have to stand where it begins, so that HTML is the same whichever of them is printed. */
  #checkPlaces(): void {
    for (const piece of this.#text.pieces) {
      if (piece.role === 'literal') continue;
      const place = this.#places.get(piece);
      if (place === undefined) this.#fail('liquid_not_here', NOT_HERE, piece.begin, true);
      else if (piece.block && this.#places.get(piece.block) !== place) {
        const message = `{% ${piece.name} %} has to stand where {% ${piece.block.name} %} does: between elements, or in the same attribute`;
        this.#fail('liquid_across_html', message, piece.begin, true);
      }
    }
  }

  #write(): string {
    const edits = [...this.#edits].sort((one, other) => one.begin - other.begin);
    let [written, at] = ['', 0];
    const add = (end: number) => {
      for (const part of this.#masked.parts(this.#masked.html.slice(at, end))) {
        written += typeof part === 'string' ? part : part.write(this.#printings.get(part) ?? '_html');
      }
    };
    for (const edit of edits) {
      add(edit.begin);
      written += edit.code;
      at = edit.end;
    }
    add(this.#masked.html.length);
    return written;
  }

  #fail(code: string, message: string, at: number, isOfSource = false): void {
    this.#report({ code, message, at: isOfSource ? at : this.#masked.sourceOf(at) });
  }

  #warn(code: string, message: string, at: number): void {
    this.#report({ severity: 'warning', code, message, at: this.#masked.sourceOf(at) });
  }
}

const printsUnsubscribeUrl = ({ role, reads }: Piece) =>
  role === 'output' && reads.some(([root]) => root === 'unsubscribe_url');

const NOT_HERE =
  'Liquid stands between elements and in attributes with quotation marks, not in tags, names, comments, <style> or <link>, nor right behind “<”';

/** What mail programs show beside the subject. */
function hidden(preheader: string): string {
  return `<div style="display:none;max-height:0;overflow:hidden">${preheader}</div>`;
}
