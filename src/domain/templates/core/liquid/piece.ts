import type { OutputToken, TagToken } from './tokens.ts';

/** How an output is written: for HTML and attributes in quotes, for `style`, as it is, or as a part of a URL. */
export type Printing = '_html' | '_style' | '_text' | '_component';

/** A part of a text that is not written as it stands there. */
export interface Piece {
  /** Its first character, and the one behind it. */
  begin: number;
  end: number;
  /**
   * An `output`; a tag that begins, divides or ends a `block`, or leaves one (`jump`); what prints `nothing`; or a text that
   * looks like one of them (`literal`).
   */
  role: 'output' | 'begin' | 'middle' | 'end' | 'jump' | 'nothing' | 'literal';
  /** For people: `{% if %}`. */
  name: string;
  /** The piece that begins the block that it belongs to. */
  block: Piece | undefined;
  /** The values of the data that it reads. */
  reads: readonly (readonly string[])[];
  /** Whether HTML of the value is let through. */
  isRaw: boolean;
  /** Returns what stands for it after it was compiled. */
  write(printing: Printing): string;
}

/** Writes a text that means itself, though it may have braces. */
export function literally(text: string): string {
  return text.includes('{') ? text.replaceAll('{', '{{ "{" }}') : text;
}

/** A tag that is left out takes the white space with it that it is to take. */
export function nothingOf({ trimLeft, trimRight }: Pick<TagToken, 'trimLeft' | 'trimRight'>): string {
  if (!trimLeft && !trimRight) return '';
  return `{%${trimLeft ? '-' : ''} comment %}{% endcomment ${trimRight ? '-' : ''}%}`;
}

/** Writes an output. `rawAt`: the character of the source at which its filter `raw` begins. */
export function writeOutput(token: OutputToken, rawAt: number | undefined, printing: Printing): string {
  const [from, to] = token.contentRange;
  const [left, right] = [token.trimLeft ? '{{-' : '{{', token.trimRight ? '-}}' : '}}'];
  const content = token.input.slice(from, to);
  if (rawAt === undefined) return `${left} ${content} | ${printing} ${right}`;
  if (printing === '_html') return `${left} ${content} ${right}`;
  const value = token.input.slice(from, token.input.lastIndexOf('|', rawAt));
  return `${left} ${value} | _plain ${right}`;
}
