/**
 * The cursor in a `page[cursor]`: clients of the third party send it alone, with what stands around it in a link, or the
 * whole link.
 */
export function readPageCursor(text: string): string {
  const query = URL.canParse(text) ? new URL(text).search : `page[cursor]=${text.replace(/^=/, '')}`;
  return new URLSearchParams(query).get('page[cursor]') ?? text;
}
