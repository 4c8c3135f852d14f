/** Elements whose content is other elements of MJML. */
const STRUCTURE = [
  ...['mjml', 'mj-head', 'mj-attributes', 'mj-body', 'mj-wrapper', 'mj-section', 'mj-group', 'mj-column', 'mj-hero'],
  ...['mj-social', 'mj-navbar', 'mj-accordion', 'mj-accordion-element'],
];
/** Elements that have text or HTML in them, or nothing. */
const CONTENT = [
  ...['mj-title', 'mj-preview', 'mj-style', 'mj-breakpoint', 'mj-raw', 'mj-text', 'mj-button', 'mj-image', 'mj-table'],
  ...['mj-divider', 'mj-spacer', 'mj-social-element', 'mj-navbar-link', 'mj-accordion-title', 'mj-accordion-text'],
];
/** What MJML has besides, and why it isn't offered. */
export const REFUSED: Readonly<Record<string, string>> = {
  'mj-include': 'reads files, of which there are none; use a snippet',
  'mj-font': 'loads fonts from elsewhere, which tells others who reads the message',
  'mj-html-attributes': 'is not offered',
  'mj-carousel': 'is not offered, as few programs show it',
  'mj-carousel-image': 'is not offered, as few programs show it',
};

export const STRUCTURAL: ReadonlySet<string> = new Set(STRUCTURE);
export const OFFERED: ReadonlySet<string> = new Set([...STRUCTURE, ...CONTENT]);
