import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Spec {
  info: { title: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, { tags?: string[]; summary?: string }>>;
}

const OPENAPI = join(import.meta.dirname, '../../openapi');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Every operation of a surface by its tag, as HTML: what there is to read until the script of the reference has been
 * loaded, which takes its place, and for readers without scripts.
 */
export function referenceOutline(surface: string): string {
  const { info, tags, paths } = parse(readFileSync(join(OPENAPI, `${surface}.yaml`), 'utf8')) as Spec;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, ...item[method] }] : [])),
  );
  const sections = tags.map(({ name }) => {
    const rows = operations
      .filter((operation) => operation.tags?.includes(name))
      .map(
        ({ method, path, summary = '' }) =>
          `<tr><td><code>${method.toUpperCase()} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
      );
    return `<h2>${escapeHtml(name)}</h2>
<div class="docs-table" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>`;
  });
  return `<h1>${escapeHtml(info.title)}</h1>
<p>All of it: <a href="/openapi/${surface}.yaml">the specification</a>.</p>
${sections.join('\n')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
