import { Parser } from 'htmlparser2';
import { BOUNDS } from '../core/bounds.ts';
import { hasLiquid } from '../core/html/masked.ts';
import type { Report } from '../core/problems.ts';
import { OFFERED, REFUSED, STRUCTURAL } from './mjml-elements.ts';

/** A document of MJML whose Liquid is masked, in the form in which MJML leaves it alone. */
export interface MjmlDocument {
  mjml: string;
  /** Liquid before and behind the document. */
  before: string;
  after: string;
  /** What is to be written into the elements that it applies to. */
  css: string;
}

/** Attributes that are written where a value may stand; others become a part of style sheets and of comments as well. */
const WITH_LIQUID = new Set(['href', 'src', 'alt', 'title', 'name', 'rel', 'target']);
const LIQUID_OR_TEXT = /[\uE000-\uF8FF]|[^\s\uE000-\uF8FF]+/g;

interface Edit {
  begin: number;
  end: number;
  code: string;
}

/** Reports what the document may not have, and puts Liquid between elements into `mj-raw`. */
export function readMjml(masked: string, { lang }: { lang: string }, report: Report): MjmlDocument {
  const edits: Edit[] = [];
  const open: string[] = [];
  let [before, after, css] = ['', '', ''];
  let hasRoot = false;
  let hasBody = false;
  /** The element that has no others of MJML in it. */
  let content: string | undefined;
  let inlineStyle: { begin: number; content: number } | undefined;

  const checkAttributes = (name: string, attributes: Record<string, string>, begin: number) => {
    for (const [attribute, value] of Object.entries(attributes)) {
      if (hasLiquid(attribute)) {
        report({
          code: 'liquid_in_tag',
          message: `Liquid stands in the values of attributes alone: <${name}>`,
          at: begin,
        });
      } else if (hasLiquid(value) && !WITH_LIQUID.has(attribute)) {
        const message = `Liquid stands in ${[...WITH_LIQUID].join(', ')} and in texts, not in “${attribute}”`;
        report({ code: 'liquid_in_attribute', message, at: begin });
      }
    }
  };
  /** Liquid within or beside the root belongs before the page or behind it. */
  const moveOut = (character: string, at: number) => {
    if (hasBody) after += character;
    else before += character;
    edits.push({ begin: at, end: at + 1, code: '' });
  };
  const betweenElements = (text: string, begin: number) => {
    for (const { 0: part, index } of text.matchAll(LIQUID_OR_TEXT)) {
      const at = begin + index;
      if (!hasLiquid(part)) {
        report({ code: 'stray_text', message: 'Text stands in mj-text, and HTML in mj-raw', at });
        return;
      }
      if (open.length < 2) moveOut(part, at);
      else if (open.at(-1) === 'mj-attributes') {
        report({ code: 'liquid_in_attribute', message: 'Liquid does not stand in mj-attributes', at });
      } else edits.push({ begin: at, end: at + 1, code: `<mj-raw>${part}</mj-raw>` });
    }
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const begin = parser.startIndex;
        open.push(name);
        if (open.length > BOUNDS.elements) throw new RangeError('Elements stand in one another too deeply');
        if (content !== undefined) {
          if (/^mj(?:ml$|-)/.test(name))
            report({ code: 'unknown_element', message: `<${name}> stands in no <${content}>`, at: begin });
          return;
        }
        const isClass = open.at(-2) === 'mj-attributes';
        const isOffered = OFFERED.has(name) || (isClass && (name === 'mj-all' || name === 'mj-class'));
        if (!isOffered) {
          const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : 'is no element of MJML';
          report({ code: 'unknown_element', message: `<${name}> ${reason}`, at: begin });
        }
        checkAttributes(name, attributes, begin);
        if (name === 'mjml' && !hasRoot) {
          hasRoot = true;
          if (attributes.lang === undefined) edits.push({ begin: begin + 5, end: begin + 5, code: ` lang="${lang}"` });
        }
        if (name === 'mj-body') hasBody = true;
        if (!STRUCTURAL.has(name) && !isClass) content = name;
        if (name === 'mj-style' && attributes.inline !== undefined)
          inlineStyle = { begin, content: parser.endIndex + 1 };
      },
      onclosetag(name) {
        if (inlineStyle !== undefined && name === 'mj-style') {
          css += `${masked.slice(inlineStyle.content, parser.startIndex)}\n`;
          edits.push({ begin: inlineStyle.begin, end: parser.endIndex + 1, code: '' });
          inlineStyle = undefined;
        }
        open.pop();
        if (name === content) content = undefined;
      },
      ontext(text) {
        if (content === undefined) betweenElements(text, parser.startIndex);
        else if (content === 'mj-style' && hasLiquid(text)) {
          const at = parser.startIndex + text.search(/[\uE000-\uF8FF]/);
          report({ code: 'liquid_in_style', message: 'Liquid does not stand in a style sheet', at });
        }
      },
      oncomment(text) {
        if (hasLiquid(text))
          report({ code: 'liquid_in_comment', message: 'Liquid does not stand in a comment', at: parser.startIndex });
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(masked);
  if (!hasRoot) report({ code: 'malformed_mjml', message: 'MJML begins with <mjml>', at: 0 });
  return { mjml: written(masked, edits), before, after, css };
}

function written(source: string, edits: Edit[]): string {
  let [text, at] = ['', 0];
  for (const { begin, end, code } of edits.sort((a, b) => a.begin - b.begin)) {
    text += source.slice(at, begin) + code;
    at = end;
  }
  return text + source.slice(at);
}
