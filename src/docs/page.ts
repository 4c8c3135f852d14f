import { type Guide, guides } from './guides.ts';
import { referenceOutline } from './reference-outline.ts';

interface Link {
  path: string;
  title: string;
}

const REFERENCES: readonly (Link & { surface: string })[] = [
  { path: '/docs/reference/native', title: 'Native API', surface: 'native' },
  { path: '/docs/reference/compat', title: 'Compatibility API', surface: 'compat' },
];

/** A guide between the list of all pages and the list of its own sections. */
export function guidePage(path: string): string {
  const guide = guides().find((one) => one.path === path) as Guide;
  const sections = guide.sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('');
  const listOf = (links: readonly Link[]) => `<ul>${links.map((link) => item(link, path)).join('')}</ul>`;
  return page(
    guide,
    `<div class="docs-columns">
<nav class="docs-pages" aria-label="Pages">
<h2>Guides</h2>
${listOf(guides())}
<h2>Reference</h2>
${listOf(REFERENCES)}
</nav>
<main class="docs-article" id="content">
${guide.html}</main>
<nav class="docs-sections" aria-label="On this page">
<h2>On this page</h2>
<ul>${sections}</ul>
</nav>
</div>`,
  );
}

/** For an address that has no page. */
export function missingPage(): string {
  return page(
    { path: '', title: 'Page not found' },
    `<main class="docs-article" id="content">
<h1>Page not found</h1>
<p>There is no page at this address. All of them are listed in the <a href="/docs">guides</a>.</p>
</main>`,
  );
}

/** The pages on which Scalar shows a spec and tries it out, by their path. */
export function referencePages(): [path: string, html: () => string][] {
  return REFERENCES.map(({ path, title, surface }) => [
    path,
    () =>
      page(
        { path, title },
        `<main id="content" data-surface="${surface}">
<div class="docs-article docs-outline">
${referenceOutline(surface)}
</div>
</main>
<script src="/docs/assets/reference.js" defer></script>
<script src="/docs/assets/scalar.js" defer></script>`,
      ),
  ]);
}

function page({ path, title }: Link, content: string): string {
  const links = [{ path: '/docs', title: 'Guides' }, ...REFERENCES, { path: '/dashboard', title: 'Dashboard' }];
  const current = REFERENCES.some((reference) => reference.path === path) ? path : '/docs';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Footfall' ? 'Footfall docs' : `${title} · Footfall docs`}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
</head>
<body class="docs">
<a class="docs-skip" href="#content">Skip to content</a>
<header class="docs-top">
<a class="docs-brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Footfall</a>
<nav class="docs-parts" aria-label="Parts">
<ul>${links.map((link) => item(link, current)).join('')}</ul>
</nav>
</header>
${content}
</body>
</html>
`;
}

function item({ path, title }: Link, current: string): string {
  const text = path === '/docs' && title === 'Footfall' ? 'Overview' : title;
  return `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${text}</a></li>`;
}
