import { MaskedHtml } from '../core/html/masked.ts';
import { readLiquid } from '../core/liquid/read-liquid.ts';
import type { Report } from '../core/problems.ts';
import { inlineStyles } from './inline-styles.ts';
import { loadMjml, type MjmlError } from './load-mjml.ts';
import { readMjml } from './mjml-document.ts';

/**
 * Makes HTML of MJML, both with Liquid; undefined where the MJML has an error, which is reported at its place. Nothing is
 * loaded: neither files nor fonts. Runs where it may be ended, as nothing bounds its time.
 */
export async function mjmlToHtml(
  source: string,
  { lang }: { lang: string },
  report: Report,
): Promise<string | undefined> {
  let isWell = true;
  const noting: Report = (finding) => {
    if (finding.severity !== 'warning') isWell = false;
    report(finding);
  };
  const text = readLiquid(source, noting);
  if (!text) return undefined;
  const masked = new MaskedHtml(text);
  const inSource: Report = ({ at, ...finding }) => noting({ ...finding, at: at === null ? null : masked.sourceOf(at) });
  try {
    const { mjml, before, after, css } = readMjml(masked.html, { lang }, inSource);
    if (!isWell) return undefined;
    const { html, errors } = await loadMjml()(mjml, {
      fonts: {},
      validationLevel: 'soft',
      minify: false,
      beautify: false,
      ignoreIncludes: true,
    });
    for (const error of errors) inSource({ ...findingOf(error), at: placeOfError(masked.html, error) });
    if (!isWell) return undefined;
    const inlined = css === '' ? html : inlineStyles(html, () => {}, { css });
    return masked.restore(before + inlined + after);
  } catch (error) {
    const message =
      error instanceof RangeError ? 'Elements stand in one another too deeply' : 'The MJML can not be read';
    noting({ code: 'malformed_mjml', message, at: null });
    return undefined;
  }
}

/** What MJML leaves out is an error; of a value that it does not know it makes something else. */
function findingOf({ message }: MjmlError): { severity: 'error' | 'warning'; code: string; message: string } {
  const isElement = /^Element |cannot be used inside/.test(message);
  return isElement
    ? { severity: 'error', code: 'unknown_element', message }
    : { severity: 'warning', code: 'invalid_attribute', message: message.trim() };
}

/** MJML names lines alone, which are the same as in what it was given. */
function placeOfError(masked: string, { line, tagName }: MjmlError): number {
  let start = 0;
  for (let n = 1; n < line; n += 1) start = masked.indexOf('\n', start) + 1;
  const end = masked.indexOf('\n', start);
  const at = masked.indexOf(`<${tagName}`, start);
  return at >= 0 && (end < 0 || at < end) ? at : start;
}
