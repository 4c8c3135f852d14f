import { inline } from '@css-inline/css-inline';
import { decodeEntities } from '../core/html/decode.ts';
import { type Attribute, walkHtml } from '../core/html/walk.ts';
import type { Report } from '../core/problems.ts';

/** Names an element in what the styles are computed for. */
const NUMBER = 'data-element-number';

interface Element {
  /** The character behind its name. */
  nameEnd: number;
  style: Attribute | undefined;
}

interface InlineOptions {
  /** Applied instead of that in `<style>`. */
  css?: string;
}

/**
 * Writes what style sheets say into the elements that it applies to, as some programs know no style sheets; `style` of an
 * element itself comes last, as it does there. Nothing else of the HTML changes, however it is nested: it is parsed to
 * know which styles apply, and not to be written. Liquid in it is masked. No style sheet is loaded.
 */
export function inlineStyles(masked: string, report: Report, { css }: InlineOptions = {}): string {
  const elements = elementsOf(masked, report);
  if (css === undefined && !/<style/i.test(masked)) return masked;
  const styles = computeStyles(masked, elements, css);
  let [html, at] = ['', 0];
  for (const [n, { nameEnd, style }] of elements.entries()) {
    const computed = styles.get(n);
    if (computed === undefined) continue;
    if (!style) {
      html += `${masked.slice(at, nameEnd)} style="${computed}"`;
      at = nameEnd;
      continue;
    }
    const own = style.quote === "'" ? style.value.replaceAll('"', '&quot;') : style.value;
    html += `${masked.slice(at, style.begin)}style="${computed}${own}"`;
    at = style.valueEnd + (style.quote ? 1 : 0);
  }
  return html + masked.slice(at);
}

function elementsOf(masked: string, report: Report): Element[] {
  const elements: Element[] = [];
  walkHtml(masked, {
    open(name, attributes, begin) {
      const nameEnd = begin + 1 + name.length;
      // One that is implied has no tag.
      if (nameEnd <= (elements.at(-1)?.nameEnd ?? 0)) return;
      elements.push({ nameEnd, style: attributes.find((one) => one.name === 'style' && one.value !== '') });
      if (
        name !== 'link' ||
        !attributes.some((one) => one.name === 'rel' && /stylesheet/i.test(decodeEntities(one.value)))
      )
        return;
      const message = 'A style sheet elsewhere is not loaded, by few programs either; write it in <style>';
      report({ severity: 'warning', code: 'external_styles', message, at: begin });
    },
    close() {},
    text() {},
    doctype() {},
  });
  return elements;
}

/** Returns the styles of elements by their number, ready for an attribute in double quotes. */
function computeStyles(masked: string, elements: readonly Element[], css: string | undefined): Map<number, string> {
  let [numbered, at] = ['', 0];
  for (const [n, { nameEnd, style }] of elements.entries()) {
    numbered += `${masked.slice(at, nameEnd)} ${NUMBER}="${n}"`;
    at = nameEnd;
    if (!style) continue;
    numbered += masked.slice(at, style.begin);
    at = style.valueEnd + (style.quote ? 1 : 0);
  }
  numbered += masked.slice(at);
  const inlined = inline(numbered, {
    loadRemoteStylesheets: false,
    inlineStyleTags: css === undefined,
    ...(css !== undefined && { extraCss: css }),
  });
  const styles = new Map<number, string>();
  walkHtml(inlined, {
    open(_, attributes) {
      const number = attributes.find(({ name }) => name === NUMBER)?.value;
      const style = attributes.find(({ name }) => name === 'style')?.value.trim();
      if (number === undefined || !style) return;
      styles.set(Number(number), `${style.replaceAll('"', '&quot;').replace(/;?$/, ';')}`);
    },
    close() {},
    text() {},
    doctype() {},
  });
  return styles;
}
