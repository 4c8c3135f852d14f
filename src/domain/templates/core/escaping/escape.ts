const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text, and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string) : text;
}

/** Characters that begin nothing in a style sheet, and end no declaration. */
const NOT_IN_STYLES = /[^A-Za-z0-9#%.,() -]/g;

/** For `style` attributes: a colour, a length, the name of a font. */
export function escapeStyle(text: string): string {
  const safe = text.replace(NOT_IN_STYLES, '');
  return /(?:url|expression|image|attr|var)\s*\(/i.test(safe) ? '' : safe;
}
